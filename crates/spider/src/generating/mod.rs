//! Sequences over a map become sessions: each is walked on the app, so that its requests are filled in with what the pages hold then
//! (paper 5, whose requests were filled in by hand).
//!
//! - `walk`: all of it, user by user; `walker`: one sequence on the app, step by step;
//! - `form_values`: which of its enumerated values a form is sent with, each time.

mod form_values;
mod walk;
mod walker;

pub use form_values::Values;
pub use walk::{GeneratedSessions, SequenceWalk, UserSequences, walk_sequences};
