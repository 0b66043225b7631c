//! From what a suite does to sequences that nobody recorded (paper 4, algorithms 1, 2 and 3): what one session defines, the request of
//! another one uses.

mod aim;
mod candidates;
mod choice;
mod context;
mod gain;
mod plan;
mod random;
mod sequence;

pub use aim::Aim;
pub use choice::Choice;
pub use gain::Limits;
pub use plan::{Plan, plan};
pub use random::random_sequences;
pub use sequence::{PlannedSequence, PlannedUse, StepPlace, Tried};
