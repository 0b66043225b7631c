//! Harrold, Gupta and Soffa, "A methodology for controlling the size of a test suite" (1993).
//!
//! Its steps, with sessions for test cases, and T(r) for the sessions that meet requirement r:
//!
//! 1. Take every session that is alone in some T(r), and mark all T(r) that it is in.
//! 2. For each cardinality, from the smallest: while a T(r) of that cardinality is unmarked, take the session that is in
//!    most unmarked T(r) of that cardinality; among equals, the one that is in most of the next larger cardinality, and so
//!    on up to the largest; among those, any. Mark all T(r) that it is in.
//!
//! "Most of this cardinality, then of the next" is an order of sessions by the cardinalities of what they would mark,
//! each list sorted: the first place where two lists differ decides for the smaller cardinality, and where one list is
//! the beginning of the other, for the longer. So each session is looked at once in a choice, however many
//! cardinalities there are. Step 1 is step 2 for the cardinality 1.
//!
//! Sessions with the same set are one group, which counts as many times in a cardinality: they tie to the end.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::reduce::groups::{Group, groups, meeting};
use crate::reduce::{Coverage, Ties};

/// The sessions that are kept, unsorted.
pub(crate) fn hgs(coverage: &Coverage, ties: Ties) -> Vec<usize> {
    let groups = groups(coverage, ties);
    let meeting = meeting(&groups, coverage.requirements());
    let cardinality: Vec<usize> =
        meeting.iter().map(|all| all.iter().map(|&group| groups[group as usize].sessions).sum()).collect();
    let mut by_cardinality: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (requirement, &cardinality) in cardinality.iter().enumerate().filter(|(_, c)| **c > 0) {
        by_cardinality.entry(cardinality).or_default().push(requirement as u32);
    }
    let mut marked = vec![false; coverage.requirements()];
    // In which choice a group was last a candidate.
    let mut listed = vec![0_u32; groups.len()];
    let (mut choice, mut kept) = (0, Vec::new());
    for unmarked in by_cardinality.values_mut() {
        loop {
            unmarked.retain(|&requirement| !marked[requirement as usize]);
            if unmarked.is_empty() {
                break;
            }
            choice += 1;
            let mut best: Option<(Vec<usize>, &Group<'_>)> = None;
            for &group in unmarked.iter().flat_map(|&requirement| &meeting[requirement as usize]) {
                if std::mem::replace(&mut listed[group as usize], choice) == choice {
                    continue;
                }
                let group = &groups[group as usize];
                let marks = would_mark(group, &marked, &cardinality);
                let better = best.as_ref().is_none_or(|(most, chosen)| {
                    prefer(&marks, most).then_with(|| group.rank.cmp(&chosen.rank)) == Ordering::Less
                });
                if better {
                    best = Some((marks, group));
                }
            }
            let Some((_, chosen)) = best else { break };
            kept.push(chosen.chosen);
            for &requirement in chosen.set {
                marked[requirement as usize] = true;
            }
        }
    }
    kept
}

/// The cardinalities of what a group would mark, from the smallest.
fn would_mark(group: &Group<'_>, marked: &[bool], cardinality: &[usize]) -> Vec<usize> {
    let unmarked = group.set.iter().filter(|&&requirement| !marked[requirement as usize]);
    let mut cardinalities: Vec<usize> =
        unmarked.map(|&requirement| cardinality[requirement as usize]).collect();
    cardinalities.sort_unstable();
    cardinalities
}

/// Less is preferred.
fn prefer(a: &[usize], b: &[usize]) -> Ordering {
    let differ = a.iter().zip(b).map(|(a, b)| a.cmp(b)).find(|order| order.is_ne());
    differ.unwrap_or_else(|| b.len().cmp(&a.len()))
}
