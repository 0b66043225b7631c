//! The reports over one result: terminal, JSON, JUnit, static HTML.
//!
//! [`Report::gather`] puts a comparison together with the steps of the two runs it is about; every
//! format is a sibling over that one value and decides nothing of its own:
//!
//! - [`terminal`]: what changed, for a person at a prompt;
//! - [`json`]: the same for programs;
//! - [`junit`]: a test suite a session, for CI systems;
//! - [`html`], [`write_html`]: one self-contained file with the pages side by side.
//!
//! Invariants: recorded pages are hostile input. Whatever comes from them passes through
//! `plain` (control characters made visible) or an escaping template before it is shown, and a page is
//! only ever rendered inside a frame without any permission. Steps are counted from 1 wherever a
//! person or a program reads a report.

mod assets;
mod content;
mod counts;
mod error;
mod frame;
mod gather;
mod html;
mod json;
mod junit;
mod lines;
mod mark;
mod masked;
mod phrases;
mod plain;
mod side_by_side;
mod terminal;
mod words;

pub use counts::{Counts, Extent};
pub use error::ReportError;
pub use gather::{Report, ReportSession, ReportStep};
pub use html::{html, write_html};
pub use json::{json, json_of_all_steps};
pub use junit::junit;
pub use mark::Mark;
pub use masked::MaskedPart;
pub use terminal::{ENTRIES, terminal, terminal_at_most};
