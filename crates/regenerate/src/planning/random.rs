//! Sequences drawn at random, to compare with: put together as the others are (paper 4, section 5.2).

use std::collections::HashSet;

use super::sequence::{PlannedSequence, PlannedUse, StepPlace};
use crate::dynamics::Dynamics;

/// So many distinct sequences: a session cut anywhere, then any request. Fewer where there are no more.
pub fn random_sequences(dynamics: &Dynamics, count: usize, seed: u64) -> Vec<PlannedSequence> {
    let cuts: Vec<StepPlace> =
        dynamics.steps().map(|((session, step), _)| StepPlace { session, step }).collect();
    let uses: Vec<PlannedUse> = dynamics
        .steps()
        .filter(|(_, step)| step.usable)
        .filter_map(|((session, step), _)| PlannedUse::of(dynamics, StepPlace { session, step }))
        .collect();
    let all = cuts.len() * uses.len();
    let mut random = fastrand::Rng::with_seed(seed);
    let drawn: Vec<usize> = if count >= all / 2 {
        let mut drawn: Vec<usize> = (0..all).collect();
        random.shuffle(&mut drawn);
        drawn.truncate(count);
        drawn
    } else {
        let mut seen = HashSet::new();
        std::iter::repeat_with(|| random.usize(0..all)).filter(|one| seen.insert(*one)).take(count).collect()
    };
    let sequence = |at: usize| PlannedSequence {
        cut: cuts[at / uses.len()],
        uses: vec![uses[at % uses.len()].clone()],
        pairs: Vec::new(),
    };
    drawn.into_iter().map(sequence).collect()
}
