//! Where two sequences differ: the stretches of one that became stretches of the other. Pages, lists and lines
//! are lined up by it.
//!
//! The diffs at hand take time in the square of how long the sequences are, when many places differ or when the same
//! few things come again and again. So they are asked about short pieces alone. Long sequences are taken apart at
//! what is there once in both; where nothing is, they are followed side by side, a window at a time. When all that
//! has taken its share of work, what is left is one stretch: no more than that is read of so many differences.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::FixedState;
use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

/// Up to so many members, of both together, the diff is asked at once.
const SHORT: usize = 8_000;
/// As many of one sequence are looked at beside as many of the other; up to four times that, where none is the same.
const WINDOW: usize = 1_000;
/// As many members at most are looked at for those that are there once; of longer sequences, a part of them.
const LOOKED_AT: usize = 1 << 20;
/// What a diff may cost in all, counted as the product of the lengths of what is compared.
const WORK: usize = 500_000_000;

/// Where two sequences of hashes differ, in order. Between two stretches the sequences are the same.
pub(crate) fn stretches(before: &[u64], after: &[u64]) -> Vec<Hunk> {
    let mut search = Search { before, after, left: WORK, found: Vec::new() };
    let whole = Span { before: 0..before.len(), after: 0..after.len() };
    if whole.is_short() {
        search.diff(&whole);
    } else {
        search.take_apart(whole);
    }
    search.found
}

/// A part of one sequence, and the part of the other that stands at its place.
#[derive(Clone, Debug)]
struct Span {
    before: Range<usize>,
    after: Range<usize>,
}

impl Span {
    fn is_short(&self) -> bool {
        self.before.len() + self.after.len() <= SHORT
    }

    fn work(&self) -> usize {
        self.before.len().saturating_mul(self.after.len())
    }
}

struct Search<'a> {
    before: &'a [u64],
    after: &'a [u64],
    /// How much work is left.
    left: usize,
    found: Vec<Hunk>,
}

impl Search<'_> {
    /// Takes long sequences apart at what is there once in both.
    fn take_apart(&mut self, mut span: Span) {
        self.skip_same_front(&mut span);
        let ends =
            self.before[span.before.clone()].iter().rev().zip(self.after[span.after.clone()].iter().rev());
        let same = ends.take_while(|(a, b)| a == b).count();
        span.before.end -= same;
        span.after.end -= same;
        let mut at = (span.before.start, span.after.start);
        for (b, a) in in_both_once(self.before, self.after, &span) {
            self.between(Span { before: at.0..b, after: at.1..a });
            at = (b, a);
        }
        self.between(Span { before: at.0..span.before.end, after: at.1..span.after.end });
    }

    /// Finds what differs in a span; a short one is left to the diff.
    fn between(&mut self, mut span: Span) {
        let mut window = WINDOW;
        loop {
            self.skip_same_front(&mut span);
            if span.before.is_empty() || span.after.is_empty() {
                return self.push(span);
            }
            if span.is_short() && span.work() <= self.left {
                return self.diff(&span);
            }
            let end = |range: &Range<usize>| range.end.min(range.start + window);
            let seen = Span {
                before: span.before.start..end(&span.before),
                after: span.after.start..end(&span.after),
            };
            if seen.work() > self.left {
                return self.push(span);
            }
            let known = self.found.len();
            self.diff(&seen);
            // What goes up to the end of the window may end elsewhere when more is seen.
            if let Some(last) = self.found.pop_if(|last| {
                last.before.end as usize == seen.before.end || last.after.end as usize == seen.after.end
            }) {
                span.before.start = last.before.start as usize;
                span.after.start = last.after.start as usize;
            } else {
                span.before.start = seen.before.end;
                span.after.start = seen.after.end;
            }
            if self.found.len() > known || span.before.start > seen.before.start {
                window = WINDOW;
            } else if window < 4 * WINDOW {
                window *= 4;
            } else {
                return self.push(span);
            }
        }
    }

    fn skip_same_front(&self, span: &mut Span) {
        let pairs = self.before[span.before.clone()].iter().zip(&self.after[span.after.clone()]);
        let same = pairs.take_while(|(a, b)| a == b).count();
        span.before.start += same;
        span.after.start += same;
    }

    /// Finds what differs in a span, as exactly as can be.
    fn diff(&mut self, span: &Span) {
        self.left = self.left.saturating_sub(span.work());
        let mut input = InternedInput::default();
        input.update_before(self.before[span.before.clone()].iter().copied());
        input.update_after(self.after[span.after.clone()].iter().copied());
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_no_heuristic(&input);
        let (before, after) = (span.before.start as u32, span.after.start as u32);
        self.found.extend(diff.hunks().map(|hunk| Hunk {
            before: hunk.before.start + before..hunk.before.end + before,
            after: hunk.after.start + after..hunk.after.end + after,
        }));
    }

    fn push(&mut self, span: Span) {
        if span.before.is_empty() && span.after.is_empty() {
            return;
        }
        let short = |range: Range<usize>| range.start as u32..range.end as u32;
        self.found.push(Hunk { before: short(span.before), after: short(span.after) });
    }
}

/// The places of what is there once in both parts, as far as its order is the same.
fn in_both_once(before: &[u64], after: &[u64], span: &Span) -> Vec<(usize, usize)> {
    let one_in = ((span.before.len() + span.after.len()) / LOOKED_AT + 1) as u64;
    let looked_at = |hash: u64| (hash >> 32).is_multiple_of(one_in);
    // Where it is in each; nowhere, or at more places than one.
    let mut places: HashMap<u64, [Place; 2], FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
    for (side, range, hashes) in [(0, &span.before, before), (1, &span.after, after)] {
        for at in range.clone().filter(|&at| looked_at(hashes[at])) {
            let place = &mut places.entry(hashes[at]).or_default()[side];
            *place = if matches!(place, Place::Nowhere) { Place::At(at) } else { Place::Many };
        }
    }
    let mut pairs: Vec<(usize, usize)> = places
        .into_values()
        .filter_map(|places| match places {
            [Place::At(before), Place::At(after)] => Some((before, after)),
            _ => None,
        })
        .collect();
    pairs.sort_unstable();
    in_order(&pairs)
}

#[derive(Clone, Copy, Default)]
enum Place {
    #[default]
    Nowhere,
    At(usize),
    Many,
}

/// As many of the pairs, sorted by the first, as can be with the second in order, too.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair that such a row ends with and whose second is least; and for each pair, the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, &(_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < second);
        previous.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut row = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        row.push(pairs[at]);
        next = previous[at];
    }
    row.reverse();
    row
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a diff promises: in order, apart, and the same in between.
    fn check(before: &[u64], after: &[u64]) -> Vec<Hunk> {
        let found = stretches(before, after);
        let (mut b, mut a) = (0, 0);
        for hunk in &found {
            let (from_b, from_a) = (hunk.before.start as usize, hunk.after.start as usize);
            assert!(from_b >= b && from_a >= a, "{hunk:?} after {b} and {a}");
            assert!(!hunk.before.is_empty() || !hunk.after.is_empty());
            assert_eq!(before[b..from_b], after[a..from_a]);
            (b, a) = (hunk.before.end as usize, hunk.after.end as usize);
        }
        assert_eq!(before[b..], after[a..]);
        found
    }

    fn changed(stretches: &[Hunk]) -> usize {
        stretches.iter().map(|hunk| hunk.before.len() + hunk.after.len()).sum()
    }

    /// A sequence in which nothing is there once.
    fn repeating(length: usize, of: u64) -> Vec<u64> {
        (0..length as u64).map(|n| n.wrapping_mul(n) / 7 % of).collect()
    }

    #[test]
    fn few_places_of_a_long_sequence() {
        for sequence in [(0..200_000).collect(), repeating(200_000, 5), repeating(200_000, 3_000)] {
            let mut edited: Vec<u64> = sequence;
            let before = edited.clone();
            edited[100] = u64::MAX;
            edited.remove(70_000);
            edited.splice(150_000..150_000, [u64::MAX - 1; 20]);
            let found = check(&before, &edited);
            assert!(changed(&found) <= 60, "{found:?}");
        }
    }

    #[test]
    fn a_long_stretch_put_in_is_one() {
        let before: Vec<u64> = (0..100_000).collect();
        let mut after = before.clone();
        after.splice(500..500, 1_000_000..1_050_000);
        after[140_000] = 7;
        let found = check(&before, &after);
        assert_eq!(found[0], Hunk { before: 500..500, after: 500..50_500 });
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn very_many_places_end_in_time() {
        // Each of these took minutes with the diff alone.
        for of in [2, 20, 1_000, u64::MAX] {
            let before: Vec<u64> = repeating(300_000, of);
            let mut after = before.clone();
            after.iter_mut().step_by(20).for_each(|hash| *hash += 1);
            check(&before, &after);
            after.reverse();
            check(&before, &after);
        }
    }

    #[test]
    fn nothing_in_common_is_one_stretch() {
        let (before, after): (Vec<u64>, Vec<u64>) = ((0..50_000).collect(), (50_000..120_000).collect());
        assert_eq!(check(&before, &after), [Hunk { before: 0..50_000, after: 0..70_000 }]);
        assert!(check(&before, &before).is_empty());
        assert_eq!(check(&[], &after).len(), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_edits(
            of in prop::sample::select(vec![2, 50, 5_000, u64::MAX]),
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..40usize, 0..40usize), 0..60),
        ) {
            let before = repeating(9_000, of);
            let mut after = before.clone();
            for (at, removed, added) in edits {
                let at = at.index(after.len() + 1);
                let end = after.len().min(at + removed);
                after.splice(at..end, repeating(added, of).into_iter().map(|n| n ^ 1));
            }
            check(&before, &after);
        }
    }
}
