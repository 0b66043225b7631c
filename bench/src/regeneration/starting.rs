//! Starting suites of good coverage: some users' sessions, drawn with a seed, and reduced to those that keep what they cover.

use restage_model::{NewSuite, Run, Suite};
use restage_store::{FactsOf, Store};

use crate::Trouble;

/// A suite that was drawn covers at least this share of what all users cover, as in the paper.
const GOOD: f64 = 0.9;
/// So many draws are tried for each suite that is asked for.
const DRAWS: u64 = 20;

/// A starting suite before it is reduced.
#[derive(Clone, Debug)]
pub struct DrawnSuite {
    /// Its name in the store.
    pub name: String,
    /// What it was drawn with.
    pub seed: u64,
}

/// Draws so many suites of half of the users each; what does not cover enough of what all cover is drawn again.
pub fn draw_starting(
    store: &mut Store,
    baseline: &Run,
    all: &Suite,
    branches: bool,
    count: usize,
) -> Result<Vec<DrawnSuite>, Trouble> {
    let of = |store: &Store, of: FactsOf<'_>| -> Result<usize, Trouble> {
        let coverage = store.coverage(baseline.id, of)?;
        Ok(if branches { coverage.branches() } else { coverage.lines() })
    };
    let most = of(store, FactsOf::Run)?;
    let mut drawn = Vec::new();
    for seed in 1..=DRAWS * count as u64 {
        let mut places: Vec<usize> = (0..all.sessions.len()).collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut places);
        places.truncate(all.sessions.len().div_ceil(2));
        places.sort_unstable();
        let ordinals: Vec<u32> = places.iter().map(|place| *place as u32).collect();
        if (of(store, FactsOf::Sessions(&ordinals))? as f64) < GOOD * most as f64 {
            continue;
        }
        let name = format!("drawn-{seed}");
        let sessions = places.into_iter().map(|place| all.sessions[place].clone());
        store.save_suite(NewSuite::of(&name, "drawn", sessions))?;
        drawn.push(DrawnSuite { name, seed });
        if drawn.len() == count {
            return Ok(drawn);
        }
    }
    Err(format!("only {} of {count} draws cover {GOOD} of what all users cover", drawn.len()).into())
}
