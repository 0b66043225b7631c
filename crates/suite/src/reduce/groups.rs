//! Sessions with the same requirements, put together.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;

use crate::reduce::{Coverage, Ties};

/// Sessions with one and the same set of requirements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<'a> {
    /// What each of them meets.
    pub(crate) set: &'a [u32],
    /// How many they are.
    pub(crate) sessions: usize,
    /// The one of the lowest rank.
    pub(crate) chosen: usize,
    /// Its rank.
    pub(crate) rank: (u64, usize),
}

/// The groups of a coverage, in order of first appearance; sessions that meet nothing are in none.
pub(crate) fn groups(coverage: &Coverage, ties: Ties) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: HashMap<&[u32], usize, RandomState> = HashMap::default();
    for session in 0..coverage.sessions() {
        let (set, rank) = (coverage.set(session), ties.rank(session));
        if set.is_empty() {
            continue;
        }
        match places.entry(set) {
            Entry::Vacant(place) => {
                place.insert(groups.len());
                groups.push(Group { set, sessions: 1, chosen: session, rank });
            }
            Entry::Occupied(place) => {
                let group = &mut groups[*place.get()];
                group.sessions += 1;
                if rank < group.rank {
                    (group.chosen, group.rank) = (session, rank);
                }
            }
        }
    }
    groups
}

/// For each requirement, the groups that meet it.
pub(crate) fn meeting(groups: &[Group<'_>], requirements: usize) -> Vec<Vec<u32>> {
    let mut meeting = vec![Vec::new(); requirements];
    for (place, group) in groups.iter().enumerate() {
        for &number in group.set {
            meeting[number as usize].push(place as u32);
        }
    }
    meeting
}
