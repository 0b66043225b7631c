//! The way of finished exchanges to the store.
//!
//! - `intake`: where they are handed in and counted; `raw`: one as the traffic left it;
//! - `queue`: where they wait, bounded by the memory they hold;
//! - `writer`: the thread that brings them to the `sink`.

pub(super) mod intake;
mod queue;
pub(super) mod raw;
mod sink;
pub(super) mod writer;

pub use sink::{Sink, SinkError, SinkFailure};
