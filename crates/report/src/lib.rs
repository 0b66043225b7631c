//! The reports over one result: terminal, JSON, JUnit, static HTML.
//!
//! [`Report::gather`] reads through a comparison once and keeps what every format needs; steps and verdicts are read again, a session at a time, by the
//! format that shows them. Every format is a sibling over that one value and decides nothing of its own:
//!
//! - [`terminal`]: what changed, for a person at a prompt;
//! - [`json`]: the same for programs;
//! - [`junit`]: a test suite a session, for CI systems;
//! - [`html`], [`write_html`]: a self-contained file with the pages side by side; of a large report, steps are in files beside it.
//!
//! Invariants: recorded pages are hostile input. Whatever comes from them passes through
//! `plain` (control characters made visible) or an escaping template before it is shown, and a page is
//! only ever rendered inside a frame without any permission. Steps are counted from 1 wherever a
//! person or a program reads a report.

mod content;
mod counts;
mod coverage;
mod covered;
mod error;
mod gather;
mod html;
mod json;
mod junit;
mod lines;
mod mark;
mod masked;
mod masked_shares;
mod phrases;
mod plain;
mod reader;
mod rendered;
mod session;
mod side_by_side;
mod terminal;
mod words;

pub use counts::{Counts, Extent};
pub use coverage::{
    CoveragePage, CoveredFile, CoveredFiles, SourceText, cobertura, lcov, write_coverage_page,
};
pub use error::ReportError;
pub use gather::{Report, SessionOverview};
pub use html::{html, write_html};
pub use json::{JsonReport, differences, json, json_of_all_steps};
pub use junit::junit;
pub use mark::Mark;
pub use masked::MaskedPart;
pub use masked_shares::{MaskedPage, MaskedShares};
pub use session::{ReportSession, ReportStep, ServerSide};
pub use terminal::{ENTRIES, terminal, terminal_at_most};
