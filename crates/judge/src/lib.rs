//! Run + run → comparison.
//!
//! [`judge()`] is the one call that judges: pages, what sessions left behind, logs, and what is accepted, ignored or masked. Commands,
//! benches and reports call it and finish nothing by themselves.
//!
//! - `judge`: the call, and the order in which things are done;
//! - `rules`: by what it judges; `digest`: when a judgement that is stored is the one asked for;
//! - `session_pairs`: which session of one run is which of the other, also where one is of a part of the other's suite;
//! - `noise`: what varies on the trusted version; `keys`: which page a step asks for; `bodies`: the store as a source of pages;
//! - `left_out`: sessions under shifted clocks that tell nothing of what varies;
//! - `aftermath`: what sessions left behind;
//! - `verdicts`: verdicts, read session by session; `summary`: what they come to; `comparison`: the result;
//! - `findings`: changes that are one thing to a person;
//! - `effect`: what other rules would come to;
//! - `fidelity`: how faithful a run was to the recording.
//!
//! Invariants: memory goes by what differs and by the longest session, not by the number of steps. What is stored is what differs before anything is accepted or
//! ignored.

mod aftermath;
mod bodies;
mod comparison;
mod digest;
mod effect;
mod error;
mod fidelity;
mod findings;
mod judge;
mod keys;
mod left_out;
mod noise;
mod rules;
mod session_pairs;
mod summary;
mod verdicts;

pub use aftermath::{AftermathRules, learn_state};
pub use bodies::Bodies;
pub use comparison::{Comparison, VerdictCounts};
pub use effect::Effect;
pub use error::JudgingError;
pub use fidelity::{Conditions, LiveCount, fidelity_of};
pub use judge::{JudgeEvent, judge};
pub use keys::keys;
pub use left_out::{LeftOut, LeftOutSession, LeftOutWhy, left_out};
pub use rules::Rules;
pub use session_pairs::part_of;
pub use verdicts::{JudgedSession, StoredVerdicts, VerdictSource};
