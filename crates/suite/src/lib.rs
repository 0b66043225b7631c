//! Suites out of suites.
//!
//! - `needs`: which sessions need which, so that a suite with some of the sessions can be made one that runs by itself.

mod needs;

pub use needs::{Need, Needs, Observed, ObservedStep, Why, find_needs};
