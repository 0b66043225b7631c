//! In which steps a fault shows, and how many of them some of the comparators see.

use std::collections::BTreeSet;

use restage_model::{Run, StepAt};
use restage_store::Store;

use crate::Trouble;
use crate::seen::{Seen, SeenStep, seen};

/// Who looks, in the tables' order: the flow of pages, then each comparator on its own.
pub const SEERS: [&str; 6] = ["Flist", "D", "C-W", "C-WD", "T", "N+I"];

/// In how many steps a difference is seen, and by whom.
#[derive(Clone, Debug, Default)]
pub struct Sighting {
    /// Steps of which the answer is another: the body's bytes, the status, or a field that leads on.
    pub shows: BTreeSet<StepAt>,
    /// Steps in which each of [`SEERS`] sees a difference.
    pub seen: [usize; SEERS.len()],
    /// Steps in which the oracle `D` does: the flow, or the bytes.
    pub found: usize,
}

/// Compares two runs step by step.
pub fn sighting(store: &Store, expected: &Run, actual: &Run) -> Result<Sighting, Trouble> {
    let steps = seen(store, expected, actual)?;
    let count = |by: Seen| steps.iter().filter(|s| s.seen.meets(by)).count();
    Ok(Sighting {
        shows: showing(&steps),
        seen: SEERS.map(|seer| count(Seen::named(seer))),
        found: count(Seen::FLOW | Seen::named("D")),
    })
}

/// The steps of which the answer is another.
pub(crate) fn showing(steps: &[SeenStep]) -> BTreeSet<StepAt> {
    steps.iter().filter(|s| s.shows).map(|s| s.at).collect()
}
