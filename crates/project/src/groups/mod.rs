//! Groups: sessions that met, which are replayed together.
//!
//! - `span`: when a session did what; which sessions were there at the same time;
//! - `places`: where a session was, by the ids in what it asked for;
//! - `links`: which of these have to do with each other, as far as a baseline tells;
//! - `find`: trying such sessions together, and keeping what is better for it;
//! - `baseline`: a baseline with its groups;
//! - `known`: the groups of a run, those of the settings, and those that a replay goes by.

mod baseline;
mod find;
mod known;
mod links;
mod places;
mod span;

pub use baseline::{BaselineAsked, make_baseline_with_groups};
