//! What the user sees: data on standard output, progress and notes on standard error.

pub(crate) mod baseline;
pub(crate) mod event_log;
pub(crate) mod facts;
pub(crate) mod fidelity;
pub(crate) mod groups;
pub(crate) mod interrupt;
pub(crate) mod judging;
pub(crate) mod learning;
pub(crate) mod left_path;
pub(crate) mod live_values;
pub(crate) mod new_suites;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod recorded_errors;
pub(crate) mod recording;
pub(crate) mod redacted;
pub(crate) mod report;
pub(crate) mod run_progress;
pub(crate) mod status_line;
