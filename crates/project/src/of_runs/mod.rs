//! What is known of runs besides their steps: what the server did, and how faithful they were.

mod facts;
mod fidelity;

pub use facts::{FactsSummary, SeenError};
