//! Pairs of a definition and a use, and which of them steps in a row cover.

mod criterion;
mod observe;
mod pair;

pub use criterion::Criterion;
pub use observe::{ObservedPair, observed_pairs};
pub use pair::{DefinedValue, DefinitionMark, Pair, UseMark};
