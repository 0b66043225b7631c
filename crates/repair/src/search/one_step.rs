//! One step of a session: as it is, or else the best of what there is to try.

use restage_replay::ReplayError;

use super::candidate::{Candidate, Move};
use super::session_search::{Chosen, Search};
use crate::intent::Trouble;
use crate::old::Act;

/// So much is tried for one step.
const MOST: usize = 18;
/// After something that will do, so much more is tried where it costs about as much.
const MORE: usize = 3;
const ABOUT_AS_MUCH: f64 = 0.8;
/// After something that was accepted and leads elsewhere, so much more is tried.
const MORE_AFTER_ELSEWHERE: usize = 12;
/// What cost is worth beside how well something came out.
const COST: f64 = 0.03;

impl Search<'_, '_, '_> {
    /// Chooses what stands for the next step.
    pub(super) fn take_step(&mut self) -> Result<(), ReplayError> {
        let at = self.at();
        let mut as_is = None;
        if self.can_stay(at) {
            let tried = self.try_out(&Candidate::new(vec![Move::AsIs], 0.0))?;
            if tried.is_good() && tried.repairs.is_empty() {
                let mut chosen = tried;
                // Should a login turn out not to have been one, there is something else to try.
                if self.session.steps[at].logs_in(&self.session.steps) {
                    chosen.left = vec![Candidate::new(Vec::new(), 0.0)];
                }
                return self.choose(chosen, true);
            }
            as_is = Some(tried);
        }
        let mut open = Vec::new();
        if let Some(tried) = &as_is {
            open.extend(self.ways_on(tried));
        }
        self.return_to_chosen()?;
        open.extend(self.candidates());
        self.try_all(open, as_is)
    }

    /// Tries candidates, the cheapest first, and chooses the best.
    pub(super) fn try_all(
        &mut self,
        mut open: Vec<Candidate>,
        as_is: Option<Chosen>,
    ) -> Result<(), ReplayError> {
        // What was accepted and leads elsewhere, should nothing better be found.
        let mut elsewhere = as_is.as_ref().filter(|tried| is_elsewhere(tried)).cloned();
        let mut best: Option<(f64, Chosen)> =
            as_is.filter(Chosen::is_good).map(|tried| (worth(&tried), tried));
        let mut is_last = false;
        let (mut tried, mut more, mut more_after_elsewhere) = (0, 0, 0);
        while tried < MOST && self.tries < self.most_tries {
            open.sort_by(|a, b| b.cost.total_cmp(&a.cost));
            let Some(next) = open.pop() else { break };
            if let Some((_, good)) = &best {
                if more >= MORE || next.cost > good.candidate.cost + ABOUT_AS_MUCH {
                    open.push(next);
                    break;
                }
                more += 1;
            }
            if elsewhere.is_some() && best.is_none() {
                // What was taken is not left out.
                if next.leaves_out() {
                    continue;
                }
                if more_after_elsewhere >= MORE_AFTER_ELSEWHERE {
                    open.push(next);
                    break;
                }
                more_after_elsewhere += 1;
            }
            tried += 1;
            let outcome = self.try_out(&next)?;
            for candidate in self.ways_on(&outcome) {
                if !open.contains(&candidate) {
                    open.push(candidate);
                }
            }
            is_last = false;
            if elsewhere.is_none() && is_elsewhere(&outcome) {
                elsewhere = Some(outcome.clone());
            }
            if outcome.is_good() && best.as_ref().is_none_or(|(known, _)| worth(&outcome) > *known) {
                is_last = true;
                let is_sure = outcome.verdict.is_sure() || outcome.steps.is_empty();
                best = Some((worth(&outcome), outcome));
                if is_sure {
                    break;
                }
            }
        }
        if best.is_none()
            && let Some(taken) = elsewhere
        {
            let again = self.try_out(&taken.candidate)?;
            if is_elsewhere(&again) {
                let mut chosen = Chosen { verdict: again.verdict.clone().settled(), ..again };
                chosen.repairs.push(self.told_elsewhere(self.at()));
                chosen.left = open;
                return self.choose(chosen, true);
            }
        }
        match best {
            Some((_, mut chosen)) => {
                chosen.left = open;
                let at = self.at();
                let tag = chosen.candidate.tag(&self.walk);
                let node = self.session.steps[at].node.clone();
                let from = self.origin_node(at);
                self.memory.note(&node, &from, tag);
                self.choose(chosen, is_last)
            }
            None => {
                let mut kept = self.keep_as_is()?;
                kept.left = open;
                self.choose(kept, true)
            }
        }
    }

    /// Whether a step can be sent as it was recorded: the page that it came from is there.
    fn can_stay(&self, at: usize) -> bool {
        let step = &self.session.steps[at];
        let from_page = step.from.is_none_or(|from| self.walk.page_of(from).is_some());
        from_page && !self.is_known_under_another_name(at)
    }

    /// Whether nobody knows what the old version answered, and the maps know the step under another name.
    fn is_known_under_another_name(&self, at: usize) -> bool {
        let step = &self.session.steps[at];
        let answer_is_known = step.expected().body.is_some() || step.expected().status == 0;
        let node = &step.node;
        !answer_is_known
            && !matches!(step.act, Act::Redirect)
            && self.context.planner.network().place(node).is_none()
            && self.context.counterparts(node).first().is_some_and(|(_, sure)| *sure >= 0.6)
    }
}

fn worth(tried: &Chosen) -> f64 {
    tried.verdict.score - COST * tried.candidate.cost
}

fn is_elsewhere(tried: &Chosen) -> bool {
    tried.verdict.trouble == Some(Trouble::Elsewhere)
}

/// Whether a step failed since the user is not logged in.
pub(super) fn is_logged_out(chosen: &Chosen) -> bool {
    matches!(chosen.verdict.trouble, Some(Trouble::Login | Trouble::Error(401 | 403)))
}
