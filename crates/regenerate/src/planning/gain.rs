//! The order of sequences: those first that are expected to gain most for what they cost.

use std::collections::{BinaryHeap, HashMap, HashSet};

use super::aim::Aim;
use super::sequence::PlannedSequence;
use crate::dynamics::Dynamics;
use crate::pairs::{Criterion, Pair, observed_pairs};

/// How much may be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most requests in all; none for any number.
    pub requests: Option<usize>,
}

/// What the limits left no room for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    pub(super) sequences: usize,
    pub(super) pairs: usize,
}

/// What a pair is worth whose two places never met before.
const NEW_PLACES: u64 = 4;
/// And one whose places met, with another value.
const NEW_VALUE: u64 = 1;

/// Sequences in order; those that would gain nothing more are left out, and those that the limits have no room for.
pub(super) fn by_gain(
    dynamics: &Dynamics,
    criterion: Criterion,
    skipped: &HashSet<Pair>,
    drafts: Vec<PlannedSequence>,
    limits: Limits,
) -> (Vec<PlannedSequence>, Left) {
    let mut met: HashSet<Pair> = dynamics
        .sessions
        .iter()
        .flat_map(|session| observed_pairs(&session.steps, Criterion::Du).into_keys())
        .collect();
    let mut waiting: Vec<Draft> = Vec::new();
    // Two pairs often ask for the same sequence; a sequence covers more than the pair that asked for it.
    let mut by_steps: HashMap<_, usize> = HashMap::new();
    for sequence in drafts {
        let aims: Vec<Option<&Aim>> = sequence.uses.iter().map(|usage| usage.aim.as_ref()).collect();
        let key = (sequence.places(), format!("{aims:?}"));
        if let Some(at) = by_steps.get(&key) {
            let draft: &mut Draft = &mut waiting[*at];
            draft.asked.extend(sequence.pairs);
            continue;
        }
        by_steps.insert(key, waiting.len());
        let steps = sequence.steps(dynamics);
        let places = observed_pairs(steps.iter().map(AsRef::as_ref), Criterion::Du).into_keys().collect();
        // What a request behind the cut defines depends on what it meets there: nothing is promised of it.
        let prefix = sequence.cut.step;
        let promised = observed_pairs(steps.iter().map(AsRef::as_ref), criterion)
            .into_iter()
            .filter(|(_, at)| at.definition <= prefix);
        let mut pairs: Vec<Pair> = promised.map(|(pair, _)| pair).collect();
        pairs.retain(|pair| !skipped.contains(pair));
        pairs.sort();
        let asked = sequence.pairs.iter().cloned().collect();
        waiting.push(Draft { sequence, pairs, places, asked });
    }
    let mut done: HashSet<Pair> = HashSet::new();
    let gain = |draft: &Draft, done: &HashSet<Pair>, met: &HashSet<Pair>| -> Option<u64> {
        draft.pairs.iter().any(|pair| draft.asked.contains(pair) && !done.contains(pair)).then(|| {
            let values = draft.pairs.iter().filter(|pair| !done.contains(*pair)).count() as u64;
            let places = draft.places.iter().filter(|pair| !met.contains(*pair)).count() as u64;
            // In parts of a request, so that a long prefix counts.
            (values * NEW_VALUE + places * NEW_PLACES) * 1000 / draft.sequence.requests() as u64
        })
    };
    let mut heap: BinaryHeap<(u64, std::cmp::Reverse<usize>)> = waiting
        .iter()
        .enumerate()
        .filter_map(|(at, draft)| Some((gain(draft, &done, &met)?, std::cmp::Reverse(at))))
        .collect();
    let (mut chosen, mut over, mut requests) = (Vec::new(), Vec::new(), 0);
    while let Some((was, std::cmp::Reverse(at))) = heap.pop() {
        let draft = &waiting[at];
        let Some(is) = gain(draft, &done, &met) else { continue };
        // What was gained meanwhile only makes it less: it waits for its turn.
        if is < was && heap.peek().is_some_and(|next| next.0 > is) {
            heap.push((is, std::cmp::Reverse(at)));
            continue;
        }
        let pairs: Vec<Pair> = draft.pairs.iter().filter(|pair| !done.contains(*pair)).cloned().collect();
        if limits.requests.is_some_and(|most| requests + draft.sequence.requests() > most) {
            over.push(at);
            continue;
        }
        requests += draft.sequence.requests();
        done.extend(pairs.iter().cloned());
        met.extend(draft.places.iter().cloned());
        chosen.push(PlannedSequence { pairs, ..draft.sequence.clone() });
    }
    // A shorter sequence, which there was room for, may have covered what a longer one was for.
    let mut left = Left::default();
    let mut missing: HashSet<&Pair> = HashSet::new();
    for draft in over.into_iter().map(|at| &waiting[at]) {
        let asked = draft.pairs.iter().filter(|pair| draft.asked.contains(*pair) && !done.contains(*pair));
        let before = missing.len();
        missing.extend(asked);
        left.sequences += usize::from(missing.len() > before);
    }
    left.pairs = missing.len();
    (chosen, left)
}

struct Draft {
    sequence: PlannedSequence,
    /// The pairs that it covers and the suite does not.
    pairs: Vec<Pair>,
    /// The pairs of places that it covers.
    places: Vec<Pair>,
    /// The pairs that it was made for.
    asked: HashSet<Pair>,
}
