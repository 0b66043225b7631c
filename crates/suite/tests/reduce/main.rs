//! The techniques beside direct, slow versions of what is published of them, on arbitrary small inputs.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod concept;
mod hgs;
mod kept;

use proptest::prelude::*;
use restage_suite::reduce::{Coverage, Ties};

/// What each session meets.
type Sets = Vec<Vec<u32>>;

/// Few requirements and many sessions, so that sets are often alike or within one another.
fn sets() -> impl Strategy<Value = Sets> {
    let set = proptest::collection::btree_set(0_u32..7, 0..6);
    proptest::collection::vec(set.prop_map(|set| set.into_iter().collect()), 0..14)
}

fn ties() -> impl Strategy<Value = Ties> {
    prop_oneof![Just(Ties::First), any::<u64>().prop_map(Ties::Seed)]
}

fn coverage(sets: &Sets) -> Coverage {
    sets.iter().map(Vec::as_slice).collect()
}
