//! Harrold, Gupta and Soffa's steps as they are published, one for one.

use std::collections::BTreeSet;

use proptest::prelude::*;
use restage_suite::reduce::{Technique, Ties, reduce};

use crate::{Sets, coverage, sets, ties};

struct Published {
    /// T(1), T(2), …: the test cases of each requirement.
    tests: Vec<BTreeSet<usize>>,
    marked: Vec<bool>,
    max_card: usize,
    ties: Ties,
}

impl Published {
    /// algorithm ReduceTestSuite
    fn reduce(sets: &Sets, ties: Ties) -> Vec<usize> {
        let most = sets.iter().flatten().max().map_or(0, |m| m + 1);
        let tests: Vec<BTreeSet<usize>> = (0..most)
            .map(|r| (0..sets.len()).filter(|&t| sets[t].contains(&r)).collect::<BTreeSet<usize>>())
            .filter(|tests| !tests.is_empty())
            .collect();
        let max_card = tests.iter().map(BTreeSet::len).max().unwrap_or(0);
        let marked = vec![false; tests.len()];
        let mut this = Self { tests, marked, max_card, ties };
        let mut rs: BTreeSet<usize> = BTreeSet::new();
        // Step 1: all test cases of sets with a single one.
        let singles: Vec<usize> =
            this.tests.iter().filter(|t| t.len() == 1).flat_map(|t| t.iter().copied()).collect();
        rs.extend(&singles);
        for test in singles {
            this.mark(test);
        }
        // Step 2: larger and larger cardinalities.
        let mut cur_card = 1;
        while cur_card < this.max_card {
            cur_card += 1;
            loop {
                let list: BTreeSet<usize> = (0..this.tests.len())
                    .filter(|&i| !this.marked[i] && this.tests[i].len() == cur_card)
                    .flat_map(|i| this.tests[i].iter().copied())
                    .collect();
                if list.is_empty() {
                    break;
                }
                let next = this.select_test(cur_card, &list);
                rs.insert(next);
                this.mark(next);
                let unmarked = (0..this.tests.len()).filter(|&i| !this.marked[i]);
                this.max_card = unmarked.map(|i| this.tests[i].len()).max().unwrap_or(0);
            }
        }
        rs.into_iter().collect()
    }

    fn mark(&mut self, test: usize) {
        for (i, tests) in self.tests.iter().enumerate() {
            self.marked[i] |= tests.contains(&test);
        }
    }

    /// function SelectTest(SIZE, LIST)
    fn select_test(&self, size: usize, list: &BTreeSet<usize>) -> usize {
        let count = |test: usize| {
            (0..self.tests.len())
                .filter(|&i| !self.marked[i] && self.tests[i].len() == size && self.tests[i].contains(&test))
                .count()
        };
        let most = list.iter().map(|&t| count(t)).max().unwrap();
        let test_list: BTreeSet<usize> = list.iter().copied().filter(|&t| count(t) == most).collect();
        if test_list.len() == 1 {
            *test_list.first().unwrap()
        } else if size == self.max_card {
            // "any"
            test_list.into_iter().min_by_key(|&t| self.ties.rank(t)).unwrap()
        } else {
            self.select_test(size + 1, &test_list)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Catches a choice that is not the published one: wrong cardinalities of grouped sessions, ties broken too early.
    #[test]
    fn it_is_what_is_published(sets in sets(), ties in ties()) {
        prop_assert_eq!(reduce(&coverage(&sets), Technique::Hgs, ties), Published::reduce(&sets, ties));
    }
}
