//! Facts: what the server did for a step (paper 4).
//!
//! - `record`: what a probe writes, one JSON object a line: a step, or a file of the application;
//! - `step_facts`: what one step did: lines, branches, session values, statements, errors;
//! - `file_outline`: what there is in a file of the application: lines that can run, functions, branches;
//! - `line_set`: sets of lines; `coverage`: what ran, file by file;
//! - `share`: how many of how many;
//! - `want`: what is asked of probes; `facts_report`: what became of it;
//! - `probes`: those that come with restage.
//!
//! The protocol is in `docs/design/facts.md`. No I/O, but for a look at which extensions of PHP are installed.

mod coverage;
mod facts_report;
mod file_outline;
mod line_set;
mod probes;
mod record;
mod share;
mod step_facts;
mod want;

pub use coverage::{Coverage, FileCoverage};
pub use facts_report::{FactsProblem, FactsReport, ProblemKind};
pub use file_outline::{Branch, FileOutline, Function};
pub use line_set::LineSet;
pub use probes::{Probe, ProbeSetting, probes};
pub use record::{Record, RecordError};
pub use share::Share;
pub use step_facts::{ErrorFact, SessionFacts, SqlFact, StepFacts};
pub use want::Want;
