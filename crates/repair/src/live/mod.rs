//! A session on its way on the new version.
//!
//! - `walk`: what was sent so far, and what came back; `start`: the state that it begins with.

mod start;
mod walk;

pub(crate) use start::Start;
pub(crate) use walk::{LiveStep, Planned, Walk};
