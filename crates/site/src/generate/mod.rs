//! Sequences over a graph: every edge, or every ordered pair of dynamic nodes (paper 5).
//!
//! - `criterion`: what is to be covered, and within which limits; [`generate()`] does it;
//! - `all_edges`, `ordered_pairs`: a file each; `shorten`: what later sequences made needless is taken back;
//! - `paper_heuristic`: the paper's own way, to compare with.

mod all_edges;
mod criterion;
mod ordered_pairs;
mod pair_state;
mod paper_heuristic;
mod shorten;

pub use criterion::{Criterion, Limits, Sequences, generate};
pub use paper_heuristic::paper_heuristic;
