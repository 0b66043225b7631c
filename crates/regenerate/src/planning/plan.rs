//! Sequences for the pairs that a suite does not cover (paper 4, algorithms 1, 2 and 3).

use std::collections::{BTreeMap, HashSet};

use super::aim::{Aiming, plain};
use super::candidates::{Candidates, Chosen, OfState, Taken};
use super::choice::Choice;
use super::context::{Contexts, Known, known};
use super::gain::{Limits, by_gain};
use super::sequence::{PlannedSequence, PlannedUse, StepPlace, Tried};
use crate::dynamics::{Dynamics, StateId, StepDynamics};
use crate::pairs::{Criterion, DefinitionMark, Pair, UseMark, observed_pairs};

/// After so many requests that use what was defined, a sequence ends, and another one has the others.
const LONGEST: usize = 40;

/// Sequences, and what they are for.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The sequences, those that are expected to gain most first.
    pub sequences: Vec<PlannedSequence>,
    /// How many pairs the suite covers already.
    pub covered: usize,
    /// How many pairs the sequences are for.
    pub planned: usize,
    /// Pairs whose sequences the limits have no room for.
    pub over_limit: usize,
    /// Sequences that the limits have no room for.
    pub sequences_over_limit: usize,
    /// Pairs of which every way to put them together was tried.
    pub given_up: usize,
}

/// Plans sequences for the pairs of a suite that it does not cover. What was tried already is not planned again.
pub fn plan(
    dynamics: &Dynamics,
    criterion: Criterion,
    tried: &Tried,
    limits: Limits,
    choice: Choice,
) -> Plan {
    let candidates = Candidates::of(dynamics, criterion, choice.by_rows);
    let covered: HashSet<Pair> = dynamics
        .sessions
        .iter()
        .flat_map(|session| observed_pairs(&session.steps, criterion).into_keys())
        .collect();
    let none = HashSet::new();
    let skipped = if choice.skip_covered { &covered } else { &none };
    let contexts = Contexts::of(dynamics);
    let taken = Taken::default();
    let mut drafts = Drafts { dynamics, candidates: &candidates, tried, skipped, criterion, contexts, taken };
    let mut sequences = Vec::new();
    let mut given_up = 0;
    for (state, of_state) in &candidates.states {
        let found = drafts.of_state(state, of_state);
        sequences.extend(found.0);
        given_up += found.1;
    }
    let (sequences, left) = by_gain(dynamics, criterion, skipped, sequences, limits);
    Plan {
        planned: sequences.iter().map(|sequence| sequence.pairs.len()).sum(),
        sequences,
        covered: covered.len(),
        over_limit: left.pairs,
        sequences_over_limit: left.sequences,
        given_up,
    }
}

struct Drafts<'a, 'd> {
    dynamics: &'d Dynamics,
    candidates: &'a Candidates<'d>,
    tried: &'a Tried,
    /// Pairs that nothing is planned for.
    skipped: &'a HashSet<Pair>,
    criterion: Criterion,
    contexts: Contexts<'d>,
    taken: Taken,
}

impl<'d> Drafts<'_, 'd> {
    /// Sequences for all pairs of a state, and how many pairs there is none left for.
    fn of_state(&mut self, state: &StateId, of_state: &OfState<'d>) -> (Vec<PlannedSequence>, usize) {
        let (mut sequences, mut given_up) = (Vec::new(), 0);
        let in_a_row = self.criterion.is_by_value() && state.is_table();
        for (definition, definers) in &of_state.definers {
            let mut chosen: Vec<(Pair, Chosen<'d>)> = Vec::new();
            for (usage, users) in &of_state.users {
                let met = pair(state, definition, usage);
                if self.skipped.contains(&met) {
                    continue;
                }
                let Some(best) = self.candidates.best(definers, users, self.tried, &self.taken) else {
                    given_up += 1;
                    continue;
                };
                let other_rows = in_a_row && best.other_rows;
                let pair = Pair { usage: UseMark { other_rows, ..usage.clone() }, ..met };
                if !self.skipped.contains(&pair) {
                    self.taken.note(&best, !in_a_row);
                    chosen.push((pair, best));
                }
            }
            if in_a_row {
                sequences.extend(self.one_after_another(state, chosen));
            } else {
                sequences.extend(chosen.into_iter().filter_map(|(pair, chosen)| {
                    let uses = self.uses(&chosen, &known(&chosen.definer.step.after))?;
                    Some(PlannedSequence { cut: chosen.definer.place, uses, pairs: vec![pair] })
                }));
            }
        }
        (sequences, given_up)
    }

    /// What stands behind a definition: the use, and before it what aims it at the definition's rows.
    fn uses(&self, chosen: &Chosen<'d>, now: &Known<'d>) -> Option<Vec<PlannedUse>> {
        let Chosen { user, aiming, .. } = chosen;
        let aim = aiming.as_ref().map(|aiming| aiming.aim().clone());
        let aimed = |usage: PlannedUse| usage.aimed(self.dynamics, aim);
        let Some(Aiming::Variable(name, aim)) = aiming else {
            let usage = self.contexts.planned_use(user.place, user.access, now, None)?;
            return Some(vec![aimed(usage)]);
        };
        let use_with =
            |now: &Known<'d>| self.contexts.planned_use(user.place, user.access, now, Some(name)).map(aimed);
        if now.get(name).is_some_and(|value| plain(value) == aim.to) {
            return Some(vec![use_with(now)?]);
        }
        let state = &user.access.state;
        let stays = |step: &StepDynamics| step.usable && !step.redefines(state);
        let may = |place: StepPlace| {
            let page = |page: &usize| self.dynamics.step(place.session, *page).is_some_and(stays);
            self.dynamics
                .step(place.session, place.step)
                .is_some_and(|step| stays(step) && step.pages.iter().all(page))
        };
        let setter = self.candidates.setters.setter(name, &aim.to, may)?;
        let step = self.dynamics.step(setter.place.session, setter.place.step)?;
        let setting = match step.accesses.iter().find(|access| access.uses()) {
            Some(access) => self.contexts.planned_use(setter.place, access, now, None)?,
            None => PlannedUse::of(self.dynamics, setter.place)?,
        };
        let then = self.contexts.after(&setting, now.clone());
        let setting = PlannedUse { leads: true, ..setting.aimed(self.dynamics, setter.aim) };
        Some(vec![setting, use_with(&then)?])
    }

    /// All uses behind one definition (algorithm 3). What defines the table once more comes last, and there is one of those in a sequence;
    /// what changes the user's session comes late, since the uses after it may be another user's.
    fn one_after_another(
        &self,
        state: &StateId,
        mut chosen: Vec<(Pair, Chosen<'d>)>,
    ) -> Vec<PlannedSequence> {
        let changes_user = |chosen: &Chosen<'_>| {
            let changes = chosen.user.step.accesses.iter().any(|a| a.defines() && !a.state.is_table());
            (matches!(chosen.aiming, Some(Aiming::Variable(..))), changes)
        };
        chosen.sort_by_key(|(_, chosen)| {
            let user = &chosen.user;
            (chosen.definer.place, user.step.redefines(state), changes_user(chosen), user.place)
        });
        let mut sequences: Vec<PlannedSequence> = Vec::new();
        let mut is_over = true;
        let mut now = BTreeMap::new();
        for (pair, chosen) in chosen {
            let (definer, user) = (&chosen.definer, &chosen.user);
            let goes_on =
                |last: &PlannedSequence| !is_over && last.cut == definer.place && length(last) < LONGEST;
            if !sequences.last().is_some_and(goes_on) {
                now = known(&definer.step.after);
            }
            let Some(mut uses) = self.uses(&chosen, &now) else { continue };
            let aim = chosen.aiming.as_ref().map(Aiming::aim);
            let is_same = |usage: &PlannedUse| usage.place == user.place && usage.aim.as_ref() == aim;
            match sequences.last_mut() {
                Some(last) if last.cut == definer.place && last.uses.last().is_some_and(is_same) => {
                    last.pairs.push(pair);
                }
                Some(last) if goes_on(last) => {
                    now = uses.iter().fold(now, |now, usage| self.contexts.after(usage, now));
                    last.uses.append(&mut uses);
                    last.pairs.push(pair);
                }
                _ => {
                    now = uses.iter().fold(now, |now, usage| self.contexts.after(usage, now));
                    sequences.push(PlannedSequence { cut: definer.place, uses, pairs: vec![pair] });
                }
            }
            is_over = user.step.redefines(state);
        }
        sequences
    }
}

fn length(sequence: &PlannedSequence) -> usize {
    sequence.uses.iter().map(PlannedUse::requests).sum()
}

fn pair(state: &StateId, definition: &DefinitionMark, usage: &UseMark) -> Pair {
    Pair { state: state.clone(), definition: definition.clone(), usage: usage.clone() }
}
