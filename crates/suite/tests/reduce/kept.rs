//! What every reduction keeps.

use std::num::NonZeroUsize;

use proptest::prelude::*;
use restage_suite::reduce::{Technique, reduce};

use crate::{coverage, sets, ties};

proptest! {
    /// Catches a reduction that loses a requirement, keeps a session twice, or is not the same each time.
    #[test]
    fn all_requirements_are_kept(sets in sets(), ties in ties()) {
        let coverage = coverage(&sets);
        for technique in [Technique::Hgs, Technique::Concept, Technique::Greedy] {
            let kept = reduce(&coverage, technique, ties);
            prop_assert!(kept.is_sorted_by(|a, b| a < b), "{technique}: {kept:?}");
            prop_assert_eq!(coverage.met(kept.iter().copied()), coverage.met(0..sets.len()), "{}", technique);
            prop_assert_eq!(&reduce(&coverage, technique, ties), &kept);
        }
    }

    /// Catches a greedy choice that is not the most: each session that is kept must bring something.
    #[test]
    fn greedy_takes_the_most_each_time(sets in sets()) {
        let kept = reduce(&coverage(&sets), Technique::Greedy, Default::default());
        let (mut met, mut naive) = (std::collections::BTreeSet::new(), Vec::new());
        loop {
            let adds = |s: usize| sets[s].iter().filter(|r| !met.contains(*r)).count();
            let Some(most) = (0..sets.len()).max_by_key(|&s| (adds(s), std::cmp::Reverse(s))) else { break };
            if adds(most) == 0 {
                break;
            }
            met.extend(sets[most].iter().copied());
            naive.push(most);
        }
        naive.sort_unstable();
        prop_assert_eq!(kept, naive);
    }

    /// Catches a place that is off by one.
    #[test]
    fn every_nth_is_every_nth(sets in sets(), n in 1_usize..5) {
        let kept = reduce(&coverage(&sets), Technique::EveryNth(NonZeroUsize::new(n).unwrap()), Default::default());
        let expected: Vec<usize> = (0..sets.len()).filter(|s| s % n == 0).collect();
        prop_assert_eq!(kept, expected);
    }
}
