//! Sequences over a map become sessions: each is walked on the app, so that its requests are filled in with what the pages hold then
//! (paper 5, whose requests were filled in by hand).
//!
//! - `walk`: all of it, user by user; `walker`: one sequence on the app, step by step; `walked_cover`: what of the map was gone along;
//! - `form_values`: which of its enumerated values a form is sent with, each time; `submissions`: which of the recorded submissions;
//! - `missed`: what is not covered, and why not.

mod form_values;
mod missed;
mod submissions;
mod walk;
mod walked_cover;
mod walker;

pub use form_values::Values;
pub use missed::{MissedWay, MissedWhy};
pub use walk::{GeneratedSessions, SequenceWalk, UserSequences, walk_sequences};
pub use walked_cover::WalkedCover;
