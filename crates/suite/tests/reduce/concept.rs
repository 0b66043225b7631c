//! The textbook's lattice, built by trying every set of attributes.

use std::collections::BTreeSet;

use proptest::prelude::*;
use restage_suite::reduce::{Concepts, Technique, Ties, reduce};

use crate::{Sets, coverage, sets};

type Set<T> = BTreeSet<T>;

/// One session of each concept next to the bottom, and one of the bottom where it has any: the first of each.
fn textbook(sets: &Sets) -> Vec<usize> {
    // A session that meets nothing is no object.
    let objects: Vec<(usize, Set<u32>)> = sets
        .iter()
        .enumerate()
        .filter(|(_, set)| !set.is_empty())
        .map(|(session, set)| (session, set.iter().copied().collect()))
        .collect();
    let all: Set<u32> = objects.iter().flat_map(|(_, set)| set.iter().copied()).collect();
    let listed: Vec<u32> = all.iter().copied().collect();
    let extent = |intent: &Set<u32>| -> Set<usize> {
        objects.iter().filter(|(_, set)| intent.is_subset(set)).map(|(session, _)| *session).collect()
    };
    // Every concept is the closure of some set of attributes.
    let mut extents: Set<Set<usize>> = Set::new();
    for bits in 0_u32..1 << listed.len() {
        let chosen = (0..listed.len()).filter(|place| bits >> place & 1 == 1).map(|place| listed[place]);
        extents.insert(extent(&chosen.collect()));
    }
    let bottom = extent(&all);
    let above: Vec<&Set<usize>> = extents.iter().filter(|e| bottom.is_subset(e) && **e != bottom).collect();
    let next = above.iter().filter(|e| !above.iter().any(|other| other.is_subset(e) && other != *e));
    let mut kept: Vec<usize> = next.filter_map(|extent| extent.difference(&bottom).next().copied()).collect();
    kept.extend(bottom.first());
    kept.sort_unstable();
    kept
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Catches an antichain that misses a set, keeps one that is within another, or forgets the bottom.
    #[test]
    fn it_is_what_the_lattice_says(sets in sets()) {
        prop_assert_eq!(reduce(&coverage(&sets), Technique::Concept, Ties::First), textbook(&sets));
    }

    /// Catches anything that depends on the order in which sessions come, and a session that is not told as dropped.
    #[test]
    fn one_by_one_in_any_order_is_the_same((sets, order) in sets().prop_flat_map(|sets| {
        let order: Vec<usize> = (0..sets.len()).collect();
        (Just(sets), Just(order).prop_shuffle())
    })) {
        let mut concepts = Concepts::new();
        let mut kept: Set<u64> = Set::new();
        for session in order {
            let dropped = concepts.add(session as u64, &sets[session]);
            if !dropped.itself {
                kept.insert(session as u64);
            }
            for other in dropped.others {
                prop_assert!(kept.remove(&other), "{other} was not kept");
            }
            let told: Vec<u64> = kept.iter().copied().collect();
            prop_assert_eq!(concepts.kept(), told);
            prop_assert_eq!(concepts.len(), kept.len());
        }
        let expected: Vec<u64> = textbook(&sets).into_iter().map(|s| s as u64).collect();
        prop_assert_eq!(concepts.kept(), expected);
    }
}

/// Catches lists that are wrong after the dead were cleared from them, which takes thousands of sets.
#[test]
fn large_sets_that_grow_leave_only_the_last() {
    let mut concepts = Concepts::new();
    let chains = 50_u32;
    for length in 1..=40_u32 {
        for chain in 0..chains {
            let set: Vec<u32> = (0..length).map(|n| chain * 40 + n).collect();
            concepts.add(u64::from(length * chains + chain), &set);
        }
    }
    let last: Vec<u64> = (0..chains).map(|chain| u64::from(40 * chains + chain)).collect();
    assert_eq!(concepts.kept(), last);
    assert!(concepts.add(1_000_000, &[5, 6]).itself);
    assert_eq!(concepts.add(1_000_001, &[5, 6, 45]).others, [0_u64; 0]);
}
