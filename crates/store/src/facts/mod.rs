//! What the server did for each step of a run.
//!
//! Most steps run the same lines of most files. So each distinct set of lines is stored once, as bits (`content`), and each distinct list of
//! such sets by file is (`coverage`), which steps then share (`write`). What else is known of a step is JSON, each distinct one once.
//! `read` gives back the facts of a step, or joins the coverage of many: each distinct set is looked at once, so that it takes as much
//! memory as the joined coverage and no more, however many steps there are.

mod content;
mod coverage;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::{FactsOf, StepDetail};

pub(crate) use write::forget_unused_facts;
