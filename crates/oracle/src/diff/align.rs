//! Lines up the elements of two lists, so that an element put in or taken out is one difference and not a
//! difference in all that follow.
//!
//! What is the same on both sides is found first. What is left between is paired by how alike it is; the rest
//! is gone or has appeared. Work is bounded: where the careful way would take too long, a simpler one is taken
//! whose pairs are rougher.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::diff::sequence_diff::stretches;

/// Above this product of the sizes of two lists, they are not compared each element with each.
const AFFORDABLE: usize = 250_000;

/// Something that can be lined up with others of its kind.
pub(crate) trait Alike {
    /// The same for the same content.
    fn hash(&self) -> u64;
    /// How many values it holds.
    fn size(&self) -> usize;
    /// How likely the other is this one, changed; 0 where it cannot be.
    fn likeness(&self, other: &Self) -> u32;
    /// Where it goes when a list has no order.
    fn rank(&self) -> f64 {
        0.0
    }
}

/// When two elements are the same.
pub(crate) enum Sameness<'a, T> {
    /// When their hashes are.
    Hash,
    /// Also when they are near enough. Need not be transitive, but must be symmetric.
    Near(&'a dyn Fn(&T, &T) -> bool),
}

impl<T: Alike> Sameness<'_, T> {
    fn holds(&self, a: &T, b: &T) -> bool {
        a.hash() == b.hash() || matches!(self, Self::Near(near) if near(a, b))
    }
}

/// What is not the same; places in the two lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uneven {
    Changed(usize, usize),
    Gone(usize),
    Appeared(usize),
}

/// Lines up two lists whose order matters. Empty where they are the same.
pub(crate) fn in_order<T: Alike>(expected: &[T], actual: &[T], sameness: &Sameness<'_, T>) -> Vec<Uneven> {
    let same = |(a, b): &(&T, &T)| sameness.holds(a, b);
    let front = expected.iter().zip(actual).take_while(same).count();
    let (rest_expected, rest_actual) = (&expected[front..], &actual[front..]);
    let back = rest_expected.iter().rev().zip(rest_actual.iter().rev()).take_while(same).count();
    let before = &rest_expected[..rest_expected.len() - back];
    let after = &rest_actual[..rest_actual.len() - back];
    let mut uneven = Vec::new();
    for gap in gaps(before, after, sameness) {
        pair_in_order(before, after, gap, &mut uneven);
    }
    for place in &mut uneven {
        match place {
            Uneven::Changed(e, a) => (*e, *a) = (*e + front, *a + front),
            Uneven::Gone(at) | Uneven::Appeared(at) => *at += front,
        }
    }
    uneven
}

/// Lines up two lists whose order does not matter. Empty where they are the same.
pub(crate) fn in_any_order<T: Alike>(
    expected: &[T],
    actual: &[T],
    sameness: &Sameness<'_, T>,
) -> Vec<Uneven> {
    let Sameness::Near(near) = sameness else {
        let (before, after) = without_equals(expected, actual);
        return pair_in_any_order(expected, actual, before, after);
    };
    // An element may have to leave its equal to another that has no one else near.
    let (mut before, mut after) = if affordable(expected.iter(), actual.iter()) {
        ((0..expected.len()).collect(), (0..actual.len()).collect())
    } else {
        without_equals(expected, actual)
    };
    if affordable(before.iter().map(|&i| &expected[i]), after.iter().map(|&i| &actual[i])) {
        match_up(&mut before, &mut after, |e, a| sameness.holds(&expected[e], &actual[a]));
    } else {
        pass_by_rank(expected, actual, &mut before, &mut after, near);
    }
    pair_in_any_order(expected, actual, before, after)
}

/// A stretch of either list between elements that are the same.
struct Gap {
    before: std::ops::Range<usize>,
    after: std::ops::Range<usize>,
}

fn gaps<T: Alike>(before: &[T], after: &[T], sameness: &Sameness<'_, T>) -> Vec<Gap> {
    if before.is_empty() && after.is_empty() {
        return Vec::new();
    }
    let careful = match sameness {
        Sameness::Hash => before.len().saturating_mul(after.len()) <= AFFORDABLE,
        Sameness::Near(_) => affordable(before.iter(), after.iter()),
    };
    if careful {
        return gaps_of_longest(before, after, sameness);
    }
    let hashes = |list: &[T]| -> Vec<u64> { list.iter().map(Alike::hash).collect() };
    let wide = |range: std::ops::Range<u32>| range.start as usize..range.end as usize;
    let found = stretches(&hashes(before), &hashes(after));
    found.into_iter().map(|hunk| Gap { before: wide(hunk.before), after: wide(hunk.after) }).collect()
}

/// By the longest common subsequence.
fn gaps_of_longest<T: Alike>(before: &[T], after: &[T], sameness: &Sameness<'_, T>) -> Vec<Gap> {
    let pairs = best_path(before.len(), after.len(), |e, a| u32::from(sameness.holds(&before[e], &after[a])));
    let mut gaps = Vec::new();
    let (mut from_before, mut from_after) = (0, 0);
    for (e, a) in pairs.into_iter().chain([(before.len(), after.len())]) {
        if from_before < e || from_after < a {
            gaps.push(Gap { before: from_before..e, after: from_after..a });
        }
        (from_before, from_after) = (e + 1, a + 1);
    }
    gaps
}

fn pair_in_order<T: Alike>(before: &[T], after: &[T], gap: Gap, uneven: &mut Vec<Uneven>) {
    let (rows, columns) = (gap.before.len(), gap.after.len());
    let likeness = |e: usize, a: usize| before[gap.before.start + e].likeness(&after[gap.after.start + a]);
    let pairs = if rows.saturating_mul(columns) <= AFFORDABLE / 16 {
        best_path(rows, columns, likeness)
    } else {
        (0..rows.min(columns)).map(|i| (i, i)).filter(|&(e, a)| likeness(e, a) > 0).collect()
    };
    let (mut e, mut a) = (0, 0);
    for (pair_e, pair_a) in pairs.into_iter().chain([(rows, columns)]) {
        uneven.extend((e..pair_e).map(|i| Uneven::Gone(gap.before.start + i)));
        uneven.extend((a..pair_a).map(|i| Uneven::Appeared(gap.after.start + i)));
        // What the quicker way to find gaps has overlooked.
        let overlooked = |e: usize, a: usize| before[e].hash() == after[a].hash();
        if pair_e < rows && !overlooked(gap.before.start + pair_e, gap.after.start + pair_a) {
            uneven.push(Uneven::Changed(gap.before.start + pair_e, gap.after.start + pair_a));
        }
        (e, a) = (pair_e + 1, pair_a + 1);
    }
}

/// The pairs, in order on both sides and each of some weight, that weigh most together.
fn best_path(rows: usize, columns: usize, weight: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let width = columns + 1;
    // best[row][column]: what the rests from there on weigh.
    let mut best = vec![0u64; (rows + 1) * width];
    let mut weights = vec![0u32; rows * columns];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let here = weight(row, column);
            weights[row * columns + column] = here;
            let apart = best[(row + 1) * width + column].max(best[row * width + column + 1]);
            let together = if here > 0 { best[(row + 1) * width + column + 1] + u64::from(here) } else { 0 };
            best[row * width + column] = apart.max(together);
        }
    }
    let mut pairs = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        let here = weights[row * columns + column];
        let total = best[row * width + column];
        if here > 0 && total == best[(row + 1) * width + column + 1] + u64::from(here) {
            pairs.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if total == best[(row + 1) * width + column] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

/// The places of both lists whose element has no equal of its own in the other.
fn without_equals<T: Alike>(expected: &[T], actual: &[T]) -> (Vec<usize>, Vec<usize>) {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for element in actual {
        *counts.entry(element.hash()).or_default() += 1;
    }
    let mut matched: HashMap<u64, usize> = HashMap::new();
    let mut before = Vec::new();
    for (at, element) in expected.iter().enumerate() {
        match counts.get_mut(&element.hash()) {
            Some(n) if *n > 0 => {
                *n -= 1;
                *matched.entry(element.hash()).or_default() += 1;
            }
            _ => before.push(at),
        }
    }
    let mut after = Vec::new();
    for (at, element) in actual.iter().enumerate() {
        match matched.get_mut(&element.hash()) {
            Some(n) if *n > 0 => *n -= 1,
            _ => after.push(at),
        }
    }
    (before, after)
}

/// Takes out as many pairs as there can be.
fn match_up(before: &mut Vec<usize>, after: &mut Vec<usize>, near: impl Fn(usize, usize) -> bool) {
    let choices: Vec<Vec<usize>> =
        before.iter().map(|&e| (0..after.len()).filter(|&i| near(e, after[i])).collect()).collect();
    let mut partner: Vec<Option<usize>> = vec![None; after.len()];
    for row in 0..before.len() {
        let mut tried = vec![false; after.len()];
        find_partner(row, &choices, &mut partner, &mut tried);
    }
    let mut taken = vec![false; before.len()];
    partner.iter().flatten().for_each(|&row| taken[row] = true);
    let mut taken = taken.into_iter();
    before.retain(|_| taken.next() != Some(true));
    let mut partner = partner.into_iter();
    after.retain(|_| !matches!(partner.next(), Some(Some(_))));
}

/// Takes out the pairs that are near when both lists are sorted.
fn pass_by_rank<T: Alike>(
    expected: &[T],
    actual: &[T],
    before: &mut Vec<usize>,
    after: &mut Vec<usize>,
    near: &dyn Fn(&T, &T) -> bool,
) {
    let sort = |places: &mut Vec<usize>, list: &[T]| {
        let order = |a: &T, b: &T| a.rank().total_cmp(&b.rank()).then(a.hash().cmp(&b.hash()));
        places.sort_by(|&i, &j| order(&list[i], &list[j]));
    };
    sort(before, expected);
    sort(after, actual);
    let near: Vec<bool> = before.iter().zip(&*after).map(|(&e, &a)| near(&expected[e], &actual[a])).collect();
    for places in [before, after] {
        let mut near = near.iter();
        places.retain(|_| near.next() != Some(&true));
    }
}

/// Kuhn's step: gives `row` a partner, if need be by finding its partner's partner another.
fn find_partner(
    row: usize,
    choices: &[Vec<usize>],
    partner: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for &column in &choices[row] {
        if tried[column] {
            continue;
        }
        tried[column] = true;
        let free = match partner[column] {
            None => true,
            Some(other) => find_partner(other, choices, partner, tried),
        };
        if free {
            partner[column] = Some(row);
            return true;
        }
    }
    false
}

/// Pairs the most alike first.
fn pair_in_any_order<T: Alike>(
    expected: &[T],
    actual: &[T],
    before: Vec<usize>,
    after: Vec<usize>,
) -> Vec<Uneven> {
    let mut candidates: Vec<(u32, usize, usize)> = Vec::new();
    if before.len().saturating_mul(after.len()) <= AFFORDABLE / 16 {
        for &e in &before {
            candidates.extend(after.iter().map(|&a| (expected[e].likeness(&actual[a]), e, a)));
        }
        candidates.sort_by_key(|&(likeness, e, a)| (Reverse(likeness), e, a));
    } else {
        candidates.extend(before.iter().zip(&after).map(|(&e, &a)| (expected[e].likeness(&actual[a]), e, a)));
    }
    let mut uneven = Vec::new();
    let (mut free_before, mut free_after) = (vec![false; expected.len()], vec![false; actual.len()]);
    before.iter().for_each(|&e| free_before[e] = true);
    after.iter().for_each(|&a| free_after[a] = true);
    for (likeness, e, a) in candidates {
        if likeness > 0 && free_before[e] && free_after[a] {
            (free_before[e], free_after[a]) = (false, false);
            uneven.push(Uneven::Changed(e, a));
        }
    }
    uneven.extend(before.into_iter().filter(|&e| free_before[e]).map(Uneven::Gone));
    uneven.extend(after.into_iter().filter(|&a| free_after[a]).map(Uneven::Appeared));
    uneven.sort_by_key(|place| match *place {
        Uneven::Changed(e, _) | Uneven::Gone(e) => (e, 0),
        Uneven::Appeared(a) => (a, 1),
    });
    uneven
}

fn affordable<'a, T: Alike + 'a>(
    before: impl Iterator<Item = &'a T>,
    after: impl Iterator<Item = &'a T>,
) -> bool {
    let before: usize = before.map(Alike::size).sum();
    let after: usize = after.map(Alike::size).sum();
    before.saturating_mul(after) <= AFFORDABLE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl Alike for u8 {
        fn hash(&self) -> u64 {
            u64::from(*self)
        }
        fn size(&self) -> usize {
            1
        }
        fn likeness(&self, other: &Self) -> u32 {
            u32::from(256 - u16::from(self.abs_diff(*other)))
        }
    }

    fn near(a: &u8, b: &u8) -> bool {
        a.abs_diff(*b) <= 1
    }

    #[test]
    fn what_is_put_in_or_taken_out_is_one_place() {
        assert_eq!(in_order(&[1, 2, 3], &[1, 9, 2, 3], &Sameness::Hash), [Uneven::Appeared(1)]);
        assert_eq!(in_order(&[1, 2, 3, 4], &[1, 3, 4], &Sameness::Hash), [Uneven::Gone(1)]);
        assert_eq!(
            in_order(&[1, 20, 3], &[1, 90, 21, 3], &Sameness::Hash),
            [Uneven::Appeared(1), Uneven::Changed(1, 2)]
        );
        assert_eq!(in_order(&[10, 20, 30], &[11, 90, 21, 30], &Sameness::Near(&near)), [Uneven::Appeared(1)]);
    }

    #[test]
    fn order_may_not_matter() {
        assert!(in_any_order(&[1, 2, 2], &[2, 1, 2], &Sameness::Hash).is_empty());
        assert_eq!(in_any_order(&[1, 2, 2], &[2, 1], &Sameness::Hash), [Uneven::Gone(2)]);
        // 11 must take 12, so that 10 has 11's neighbour left.
        assert!(in_any_order(&[11, 13], &[14, 12], &Sameness::Near(&near)).is_empty());
    }

    proptest! {
        /// Every element is in exactly one place, and what is left out is the same on both sides.
        #[test]
        fn nothing_is_lost(a in prop::collection::vec(0u8..6, 0..12), b in prop::collection::vec(0u8..6, 0..12), ordered: bool) {
            let uneven = if ordered { in_order(&a, &b, &Sameness::Hash) } else { in_any_order(&a, &b, &Sameness::Hash) };
            let (mut left, mut right): (Vec<Option<u8>>, Vec<Option<u8>>) =
                (a.iter().copied().map(Some).collect(), b.iter().copied().map(Some).collect());
            let take = |list: &mut Vec<Option<u8>>, at: usize| list[at].take().is_some();
            for place in uneven {
                match place {
                    Uneven::Changed(e, at) => {
                        prop_assert_ne!(a[e], b[at]);
                        prop_assert!(take(&mut left, e) && take(&mut right, at));
                    }
                    Uneven::Gone(e) => prop_assert!(take(&mut left, e)),
                    Uneven::Appeared(at) => prop_assert!(take(&mut right, at)),
                }
            }
            let (mut left, mut right): (Vec<u8>, Vec<u8>) =
                (left.into_iter().flatten().collect(), right.into_iter().flatten().collect());
            if !ordered {
                left.sort_unstable();
                right.sort_unstable();
            }
            prop_assert_eq!(left, right);
        }

        #[test]
        fn whether_there_is_a_difference_is_symmetric(a in prop::collection::vec(0u8..9, 0..6), b in prop::collection::vec(0u8..9, 0..6)) {
            let same = &Sameness::Near(&near);
            prop_assert_eq!(in_order(&a, &b, same).is_empty(), in_order(&b, &a, same).is_empty());
            prop_assert_eq!(in_any_order(&a, &b, same).is_empty(), in_any_order(&b, &a, same).is_empty());
            prop_assert_eq!(in_order(&a, &b, same).is_empty(), a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| near(x, y)));
        }
    }
}
