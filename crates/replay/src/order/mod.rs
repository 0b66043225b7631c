//! In which order a suite's sessions are replayed.
//!
//! - `session_order`: the orders there are; one session after another is [`crate::run`]'s own;
//! - `interleave`: sessions that met, one request at a time;
//! - `parallel`: side by side, each on a copy of the application;
//! - `overlap`: all at once on one app; `schedule`: which request is sent when.

mod interleave;
mod overlap;
mod parallel;
mod schedule;
mod session_order;

pub use session_order::Order;

pub(crate) use interleave::interleave;
pub(crate) use overlap::replay_overlapping;
pub(crate) use parallel::replay_on_copies;
