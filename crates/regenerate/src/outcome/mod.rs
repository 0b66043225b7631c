//! What came of new sequences when they were run.

mod fault;
mod gained;

pub use fault::{Fault, Faults};
pub use gained::{Gained, Missed, gained};
