//! Changes in which the same became the same in the same sessions, on a page as in the data.

use std::collections::{HashMap, HashSet};

use restage_model::Change;

use super::{Clusters, Evidence, sessions_of};

pub(super) fn join(changes: &[Change], evidence: &Evidence, clusters: &mut Clusters) {
    let mut seen: HashMap<(u32, u64), Vec<usize>> = HashMap::new();
    for (at, change) in changes.iter().enumerate() {
        for value in evidence.values.get(&change.id).into_iter().flatten() {
            seen.entry(*value).or_default().push(at);
        }
    }
    let mut common: HashMap<(usize, usize), HashSet<u32>> = HashMap::new();
    for ((session, _), at) in &seen {
        for (i, a) in at.iter().enumerate() {
            for b in &at[i + 1..] {
                common.entry((*a.min(b), *a.max(b))).or_default().insert(*session);
            }
        }
    }
    for ((a, b), sessions) in common {
        let fewest = sessions_of(&changes[a]).len().min(sessions_of(&changes[b]).len());
        if sessions.len() * 2 >= fewest {
            clusters.join(a, b);
        }
    }
}
