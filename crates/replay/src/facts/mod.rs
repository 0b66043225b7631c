//! Facts: what the app's probes write for each step of a run.
//!
//! - `asked`: what is asked for; `marks`: by what name a step goes in the request and in its facts;
//! - `equipment`: probes are put into an app's environment, each copy with a facts file of its own;
//! - `facts_file`: what they wrote is read while the app is idle;
//! - `statement_logs`: what database servers log themselves, where no probe sees it;
//! - `gatherer`: it is attributed, covered and stored, and what is missing is counted; `cover`: secrets in it.
//!
//! Nothing of this ends a run: what cannot be had is a problem in the run's report on facts, with a place and a remedy.

mod asked;
mod cover;
mod equipment;
mod facts_file;
mod gatherer;
mod marks;
mod statement_logs;

pub use asked::FactsAsked;
pub use cover::cover_facts;

pub(crate) use gatherer::{FactsGatherer, FactsOfRun};
pub(crate) use marks::{HEADER, StepMarks};
pub(crate) use statement_logs::{MarkedDatabases, StatementLogs};
