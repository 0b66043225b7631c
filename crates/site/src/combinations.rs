//! Combinations of enumerated values: every value once, or every two values of two fields together (pairwise testing, which paper 5 names
//! as its own next step).

use std::collections::BTreeSet;

/// A field and the values that it enumerates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

/// As few combinations as have every value at least once. A combination has one value of each field, by their places.
pub fn each_value(factors: &[Factor]) -> Vec<Vec<usize>> {
    let rows = factors.iter().map(|factor| factor.values.len()).max().unwrap_or(0);
    (0..rows).map(|row| factors.iter().map(|factor| row % factor.values.len().max(1)).collect()).collect()
}

/// Few combinations that have every two values of two fields together: greedily, each has as many pairs that none before it had as can be
/// found field by field. With one field, every value once.
pub fn pairwise(factors: &[Factor]) -> Vec<Vec<usize>> {
    if factors.len() < 2 {
        return each_value(factors);
    }
    let mut open: BTreeSet<Pair> = BTreeSet::new();
    for (a, first) in factors.iter().enumerate() {
        for (b, second) in factors.iter().enumerate().skip(a + 1) {
            for x in 0..first.values.len() {
                open.extend((0..second.values.len()).map(|y| ((a, x), (b, y))));
            }
        }
    }
    let mut rows = Vec::new();
    while let Some(&((a, x), (b, y))) = open.first() {
        let mut row: Vec<Option<usize>> = vec![None; factors.len()];
        (row[a], row[b]) = (Some(x), Some(y));
        for field in 0..factors.len() {
            if row[field].is_none() {
                let gain = |value: usize| {
                    let with = |other: usize| row[other].map(|its| pair((field, value), (other, its)));
                    (0..factors.len()).filter_map(with).filter(|pair| open.contains(pair)).count()
                };
                let best = (0..factors[field].values.len())
                    .max_by_key(|value| (gain(*value), std::cmp::Reverse(*value)));
                row[field] = Some(best.unwrap_or(0));
            }
        }
        let row: Vec<usize> = row.into_iter().map(|value| value.unwrap_or(0)).collect();
        for a in 0..row.len() {
            for b in a + 1..row.len() {
                open.remove(&((a, row[a]), (b, row[b])));
            }
        }
        rows.push(row);
    }
    rows
}

/// A value of one field and one of another, the first field first.
type Pair = ((usize, usize), (usize, usize));

fn pair(a: (usize, usize), b: (usize, usize)) -> Pair {
    if a.0 < b.0 { (a, b) } else { (b, a) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn factors(sizes: &[usize]) -> Vec<Factor> {
        let values = |size: usize| (0..size).map(|n| n.to_string()).collect();
        sizes
            .iter()
            .enumerate()
            .map(|(n, size)| Factor { name: n.to_string(), values: values(*size) })
            .collect()
    }

    proptest! {
        /// Catches: two values that never come together, and far more rows than there need be.
        #[test]
        fn every_two_values_come_together(sizes in prop::collection::vec(1usize..6, 0..7)) {
            let factors = factors(&sizes);
            let rows = pairwise(&factors);
            for a in 0..sizes.len() {
                for b in a + 1..sizes.len() {
                    for x in 0..sizes[a] {
                        for y in 0..sizes[b] {
                            prop_assert!(rows.iter().any(|row| row[a] == x && row[b] == y));
                        }
                    }
                }
            }
            let mut sorted = sizes.clone();
            sorted.sort_unstable();
            let least: usize = sorted.iter().rev().take(2).product();
            prop_assert!(rows.len() <= least * 3 + 3, "{} rows for {sizes:?}", rows.len());
        }

        /// Catches: a value that is never sent.
        #[test]
        fn every_value_comes(sizes in prop::collection::vec(1usize..6, 0..7)) {
            let rows = each_value(&factors(&sizes));
            for (field, size) in sizes.iter().enumerate() {
                for value in 0..*size {
                    prop_assert!(rows.iter().any(|row| row[field] == value));
                }
            }
            prop_assert_eq!(rows.len(), sizes.iter().copied().max().unwrap_or(0));
        }
    }
}
