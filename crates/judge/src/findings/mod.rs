//! Changes that are one thing to a person, as one finding: what a report lists first, the worst and farthest-reaching on top.
//!
//! A fault shows in many ways: a wrong total is another text on four pages, and another number in two tables. Changes are put together
//! when there is evidence that they are one thing:
//!
//! - they show in the same steps (`together`);
//! - they are the same part of the same page, or the same table and columns, in other words (`same_part`);
//! - what became what is the same in the same sessions, on a page as in the data (`values`);
//! - one shows only in sessions in which the other shows, though its pages are asked for in others, too (`dependence`).
//!
//! Nothing is dropped: each change is in one finding, and keeps its id.

mod dependence;
mod evidence;
mod same_part;
mod together;
mod values;

use std::collections::{HashMap, HashSet};

use restage_model::{Change, DifferenceKind, Finding};

pub(crate) use evidence::Evidence;

/// More changes than this are only put together by what takes no comparison of each with each.
const PAIRWISE: usize = 600;

/// The findings that the changes come to, the worst first.
pub(crate) fn findings(changes: &[Change], evidence: &Evidence) -> Vec<Finding> {
    let mut clusters = Clusters::new(changes.len());
    together::join(changes, &mut clusters);
    same_part::join(changes, &mut clusters);
    values::join(changes, evidence, &mut clusters);
    dependence::join(changes, evidence, &mut clusters);
    let mut findings: Vec<Finding> =
        clusters.groups().into_iter().map(|members| finding(changes, members)).collect();
    findings.sort_by_key(|finding| {
        let first = changes.iter().position(|change| finding.changes.first() == Some(&change.id));
        (finding.kind, std::cmp::Reverse(finding.steps + finding.sessions), first)
    });
    findings
}

/// What a finding's changes come to: the worst kind, and the steps and sessions of all.
fn finding(changes: &[Change], mut members: Vec<usize>) -> Finding {
    let kind = |at: &usize| changes[*at].difference.kind();
    // What tells most comes first: the worst kind, and of a kind what shows most often.
    members.sort_by_key(|at| {
        (kind(at), std::cmp::Reverse(changes[*at].steps.len() + changes[*at].sessions.len()), *at)
    });
    // And of changes that are alike in all but their values, one before the rest.
    let mut told = HashSet::new();
    let is_first: HashMap<usize, bool> = members
        .iter()
        .map(|at| (*at, told.insert(same_part::sort_of(&changes[*at].difference.place))))
        .collect();
    members.sort_by_key(|at| !is_first[at]);
    let mut steps: Vec<_> = members.iter().flat_map(|at| &changes[*at].steps).copied().collect();
    steps.sort_unstable();
    steps.dedup();
    let mut sessions: Vec<u32> =
        members.iter().flat_map(|at| changes[*at].sessions.iter().copied()).collect();
    sessions.sort_unstable();
    sessions.dedup();
    Finding {
        kind: members.first().map_or(DifferenceKind::Looks, kind),
        steps: steps.len(),
        sessions: sessions.len(),
        changes: members.iter().map(|at| changes[*at].id.clone()).collect(),
    }
}

/// Changes that are one thing, by their places in the list: a forest in which each points to another of its group.
struct Clusters(Vec<usize>);

impl Clusters {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The first in the list stays: the result does not hang on the order of joining.
        self.0[a.max(b)] = a.min(b);
    }

    fn groups(&mut self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.0.len()];
        for at in 0..self.0.len() {
            groups[self.root(at)].push(at);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}

/// The sessions in which a change shows, in order.
fn sessions_of(change: &Change) -> Vec<u32> {
    let mut sessions: Vec<u32> =
        change.steps.iter().map(|at| at.session).chain(change.sessions.iter().copied()).collect();
    sessions.sort_unstable();
    sessions.dedup();
    sessions
}

#[cfg(test)]
mod tests;
