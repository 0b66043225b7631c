//! What to try after something that did not come out as intended.

use super::candidate::{Candidate, Move};
use super::session_search::{Chosen, Search};
use crate::intent::Trouble;
use crate::ways::forms_between;

/// What it costs to go on by a form that was put in between, and for each that is less likely.
const FORM_BETWEEN: f64 = 1.4;
const LESS_LIKELY: f64 = 0.4;
/// To go on by a way of the map.
const GO_ON: f64 = 1.2;
/// So many forms in a row may have been put in between, and so many are tried each time.
const DEEPEST: usize = 3;
const FORMS: usize = 3;
/// So many ways on are tried.
const WAYS: usize = 2;

impl Search<'_, '_, '_> {
    /// What to try after a trial, from where it ended.
    pub(super) fn ways_on(&self, tried: &Chosen) -> Vec<Candidate> {
        let mut found = Vec::new();
        let candidate = &tried.candidate;
        let can_go_on = match &tried.verdict.trouble {
            None => !tried.verdict.is_good(),
            Some(
                Trouble::Redirect
                | Trouble::OtherPage
                | Trouble::Elsewhere
                | Trouble::FormAgain
                | Trouble::Stale(_),
            ) => true,
            Some(_) => false,
        };
        let done = candidate.moves.iter().any(Move::is_the_step);
        if !can_go_on || !done || tried.steps.is_empty() {
            return found;
        }
        found.extend(self.on_from_here(candidate));
        if candidate.forms_between() < DEEPEST && tried.verdict.trouble != Some(Trouble::FormAgain) {
            for (nth, form) in forms_between(self.before(self.at())).into_iter().take(FORMS).enumerate() {
                for with_values in [false, true] {
                    let cost =
                        FORM_BETWEEN + LESS_LIKELY * (2.0 * nth as f64 + f64::from(u8::from(with_values)));
                    found.push(candidate.and([Move::Between { form, with_values }], cost));
                }
            }
        }
        found
    }

    /// Ways of the map from where a trial ended to where the step should lead.
    fn on_from_here(&self, candidate: &Candidate) -> Vec<Candidate> {
        let network = self.context.planner.network();
        let here = self.walk.latest().filter(|latest| latest.answer.is_page());
        let Some(here) = here.and_then(|latest| network.place(&latest.node)) else { return Vec::new() };
        let mut found = Vec::new();
        for old in self.destinations(self.at()) {
            for (target, sure) in self.context.counterparts(&old).into_iter().take(1) {
                for way in network.ways(&[here], target, None, WAYS) {
                    let go = way.edges.iter().map(|edge| Move::Go { page: None, edge: *edge });
                    found.push(candidate.and(go, GO_ON + way.cost + 3.0 * (1.0 - sure)));
                }
            }
        }
        found
    }
}
