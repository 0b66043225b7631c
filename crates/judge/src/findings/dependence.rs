//! A change that shows only where another one does: what follows from a fault, steps later or in the data.
//!
//! A change that shows in every session has all others with it, and says nothing of them. So it counts how likely that would be by chance: that all
//! sessions of the second are among those of the first, of all sessions that ask for its pages. Chance is not all: what nearly every session meets
//! goes with long sessions, and so does everything else, the surer the more sessions there are. So the first must also tell the second's sessions
//! apart: either most that ask for those pages do not meet it, or nearly all that do meet it show the second.

use restage_model::{Change, StepAt};

use super::{Clusters, Evidence, PAIRWISE, sessions_of};

/// What is less likely than this is no chance.
const CHANCE: f64 = 0.05;
/// What is met in more of the sessions than this tells them apart only by what it does to nearly each.
const MOST: f64 = 0.5;
/// Nearly each of them.
const NEARLY_ALL: f64 = 0.9;

/// Changes that were put together already, as one.
struct Group {
    /// One of them.
    of: usize,
    /// Where they show.
    sessions: Vec<u32>,
    /// Where they could: the sessions that ask for their pages, or whose data is known.
    visits: Vec<u32>,
    /// In their steps, in order.
    steps: Vec<StepAt>,
}

pub(super) fn join(changes: &[Change], evidence: &Evidence, clusters: &mut Clusters) {
    let groups: Vec<Group> =
        clusters.groups().iter().map(|members| Group::of(members, changes, evidence)).collect();
    if groups.len() > PAIRWISE {
        return;
    }
    for second in &groups {
        let others = groups.iter().filter(|first| first.of != second.of);
        let likely = others.filter_map(|first| Some((second.chance_beside(first)?, first)));
        // One cause alone: by chance a rare change is beside several faults, and would make one finding of them.
        if let Some((_, first)) = likely.min_by(|(a, _), (b, _)| a.total_cmp(b)) {
            clusters.join(first.of, second.of);
        }
    }
}

impl Group {
    fn of(members: &[usize], changes: &[Change], evidence: &Evidence) -> Self {
        let changes = || members.iter().map(|at| &changes[*at]);
        let visited = changes().flat_map(|change| &change.keys).filter_map(|key| evidence.visits.get(key));
        let mut visits: Vec<u32> = visited.flatten().copied().collect();
        if changes().any(|change| change.steps.is_empty()) {
            visits.extend(&evidence.aftermaths);
        }
        let mut steps: Vec<StepAt> = changes().flat_map(|change| &change.steps).copied().collect();
        steps.sort_unstable();
        let sorted = |mut sessions: Vec<u32>| {
            sessions.sort_unstable();
            sessions.dedup();
            sessions
        };
        Self {
            of: members[0],
            sessions: sorted(changes().flat_map(sessions_of).collect()),
            visits: sorted(visits),
            steps,
        }
    }

    /// How likely it is by chance that it shows only beside another one, where it is too unlikely to be chance.
    fn chance_beside(&self, first: &Self) -> Option<f64> {
        let is_there = |session: &u32| first.sessions.binary_search(session).is_ok();
        if !self.sessions.iter().all(is_there) || !self.begins_after(first) {
            return None;
        }
        let could = self.visits.iter().filter(|session| is_there(session)).count().max(1) as f64;
        let (share, shows) = (could / self.visits.len().max(1) as f64, self.sessions.len() as f64);
        let tells_apart = share <= MOST || shows / could >= NEARLY_ALL;
        Some(share.powf(shows)).filter(|chance| tells_apart && *chance < CHANCE)
    }

    /// Whether it shows no earlier, in the first session in which it does. Data comes after all steps.
    fn begins_after(&self, first: &Self) -> bool {
        let Some(at) = self.steps.first() else { return true };
        first.steps.iter().find(|step| step.session == at.session).is_some_and(|step| step.step <= at.step)
    }
}
