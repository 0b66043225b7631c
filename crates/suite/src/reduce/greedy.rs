//! Always the session that meets most of what is not met yet.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::reduce::groups::groups;
use crate::reduce::{Coverage, Ties};

/// The sessions that are kept, unsorted.
pub(crate) fn greedy(coverage: &Coverage, ties: Ties) -> Vec<usize> {
    let groups = groups(coverage, ties);
    let mut met = vec![false; coverage.requirements()];
    // What a session would add only shrinks, so that a figure that is still true when it comes out on top is the most.
    let mut waiting: BinaryHeap<_> = groups
        .iter()
        .enumerate()
        .map(|(place, group)| (group.set.len(), Reverse(group.rank), place))
        .collect();
    let mut kept = Vec::new();
    while let Some((most, rank, place)) = waiting.pop() {
        let group = &groups[place];
        let adds = group.set.iter().filter(|&&requirement| !met[requirement as usize]).count();
        if adds == 0 {
            continue;
        }
        if adds < most {
            waiting.push((adds, rank, place));
            continue;
        }
        kept.push(group.chosen);
        for &requirement in group.set {
            met[requirement as usize] = true;
        }
    }
    kept
}
