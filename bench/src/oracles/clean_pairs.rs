//! What the comparators report between runs of the clean release, two by two: wrongly, all of it (paper 2,
//! section 5.1 and figure 4).

use restage_model::Run;
use restage_store::Store;

use crate::Trouble;
use crate::seen::{Seen, WATCHERS, seen};

/// Steps reported, for each pair of runs by each of [`WATCHERS`].
#[derive(Clone, Debug)]
pub struct CleanPairs {
    reported: Vec<Vec<usize>>,
}

impl CleanPairs {
    /// Compares each run with each other.
    pub fn of(store: &Store, runs: &[Run]) -> Result<Self, Trouble> {
        let mut reported = Vec::new();
        for (at, one) in runs.iter().enumerate() {
            for other in &runs[at + 1..] {
                let steps = seen(store, one, other)?;
                let count = |by: Seen| steps.iter().filter(|s| s.seen.meets(by)).count();
                reported.push((0..WATCHERS.len()).map(|watcher| count(Seen::by(watcher))).collect());
            }
        }
        Ok(Self { reported })
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.reported.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    /// Steps that one of the watchers reports, pair by pair.
    pub fn of_watcher(&self, watcher: usize) -> impl Iterator<Item = usize> {
        self.reported.iter().map(move |pair| pair[watcher])
    }

    /// The same as a share of what D, the first, reports.
    pub fn normalized(&self, watcher: usize) -> impl Iterator<Item = f64> {
        self.reported.iter().filter(|pair| pair[0] > 0).map(move |pair| pair[watcher] as f64 / pair[0] as f64)
    }
}
