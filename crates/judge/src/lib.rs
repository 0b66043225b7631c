//! Run + run → comparison.
//!
//! [`judge()`] is the one call that judges: pages, what sessions left behind, logs, and what is accepted, ignored or masked. Commands,
//! benches and reports call it and finish nothing by themselves.
//!
//! - `judge`: the call, and the order in which things are done;
//! - `rules`: by what it judges;
//! - `noise`: what varies on the trusted version; `keys`: which page a step asks for;
//! - `session_pairs`: which session of one run is which of the other, also where one is of a part of the other's suite;
//! - `aftermath`: what sessions left behind.

mod aftermath;
mod bodies;
mod error;
mod judge;
mod keys;
mod noise;
mod rules;
mod session_pairs;

pub use aftermath::{AftermathRules, learn_state};
pub use bodies::Bodies;
pub use error::JudgingError;
pub use judge::{JudgeEvent, judge};
pub use keys::keys;
pub use rules::Rules;
pub use session_pairs::part_of;
