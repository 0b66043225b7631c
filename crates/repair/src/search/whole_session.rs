//! All of a session. Where a step finds that nobody is logged in, the login before it is done another way.

use restage_replay::ReplayError;

use super::candidate::Candidate;
use super::one_step::is_logged_out;
use super::session_search::{Chosen, Search};

/// So often a login is done another way.
const LOGINS: usize = 6;

/// Goes through all of a session; what was chosen for each of its steps.
pub(crate) fn repair_session(search: &mut Search<'_, '_, '_>) -> Result<Vec<Chosen>, ReplayError> {
    let mut best: Option<(f64, Vec<Chosen>)> = None;
    let mut again = 0;
    while search.at() < search.session.steps.len() {
        search.take_step()?;
        let failed = search.chosen.last().is_some_and(is_logged_out);
        if failed
            && again < LOGINS
            && search.tries < search.most_tries
            && let Some(login) = search.login_to_do_again()
        {
            again += 1;
            let score = search.score();
            if best.as_ref().is_none_or(|(known, _)| score > *known) {
                best = Some((score, search.chosen.clone()));
            }
            search.do_again(login)?;
        }
    }
    // Should another login have led nowhere, the first one is as good.
    let score = search.score();
    match best {
        Some((known, chosen)) if known > score && chosen.len() == search.session.steps.len() => Ok(chosen),
        _ => Ok(std::mem::take(&mut search.chosen)),
    }
}

impl Search<'_, '_, '_> {
    /// The latest step that logs in and for which there is something left to try.
    fn login_to_do_again(&self) -> Option<usize> {
        let steps = &self.session.steps;
        (0..self.chosen.len()).rev().find(|at| steps[*at].logs_in(steps) && !self.chosen[*at].left.is_empty())
    }

    /// Takes back all from a step on, and does that step another way.
    fn do_again(&mut self, at: usize) -> Result<(), ReplayError> {
        let mut left = std::mem::take(&mut self.chosen[at].left);
        let tried = self.chosen[at].candidate.clone();
        self.take_back(at);
        self.return_to_chosen()?;
        // What was sent as it is had nothing else looked for.
        if left.iter().any(|candidate| candidate.moves.is_empty()) {
            left = self.candidates();
        }
        left.retain(|candidate: &Candidate| *candidate != tried);
        self.try_all(left, None)
    }
}
