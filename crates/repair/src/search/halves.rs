//! A session that becomes two, where nothing else helps: the second half logs in again, and goes on from there.

use restage_replay::ReplayError;
use restage_site::repair::Cause;

use super::session_search::{Chosen, Search};
use crate::live::Planned;

/// So many steps in a row that did not come out as intended make it worth while to begin anew.
const IN_A_ROW: usize = 2;

/// The second half of a session.
pub(crate) struct SecondHalf {
    /// The first step of the old session that is in it.
    pub(crate) at: usize,
    /// What logs its user in again.
    pub(crate) login: Vec<Planned>,
}

/// Where a session is to become two, and what the second half begins with; none where it need not.
pub(crate) fn second_half(search: &Search<'_, '_, '_>, chosen: &[Chosen]) -> Option<SecondHalf> {
    let is_lost = |chosen: &Chosen| !comes_out(chosen);
    // What only seems to be gone, as nothing comes out any more, belongs to it.
    let begins = |at: &usize| {
        let run: Vec<&Chosen> = chosen[*at..].iter().take_while(|chosen| is_lost(chosen)).collect();
        run.len() >= IN_A_ROW && run.iter().any(|chosen| !chosen.is_good())
    };
    let at = (1..chosen.len()).find(begins)?;
    Some(SecondHalf { at, login: search.login_steps(chosen, at) })
}

/// Tries the second half of a session after its first; what was chosen for its steps, where more of them come out as intended.
pub(crate) fn repair_in_halves(
    search: &mut Search<'_, '_, '_>,
    chosen: &[Chosen],
) -> Result<Option<(SecondHalf, Vec<Chosen>)>, ReplayError> {
    let Some(half) = second_half(search, chosen) else { return Ok(None) };
    let first: Vec<Chosen> = chosen[..half.at].to_vec();
    search.begin_half(&first, &half)?;
    while search.at() < search.session.steps.len() {
        search.take_step()?;
    }
    let goods = |chosen: &[Chosen]| chosen.iter().filter(|chosen| comes_out(chosen)).count();
    let second: Vec<Chosen> = search.chosen[half.at..].to_vec();
    Ok((goods(&second) > goods(&chosen[half.at..])).then_some((half, second)))
}

/// Whether a step comes out as intended, and was not given up as gone.
fn comes_out(chosen: &Chosen) -> bool {
    let is_gone = chosen.repairs.iter().any(|repair| repair.cause == Cause::PageGone);
    chosen.is_good() && !is_gone
}

impl Search<'_, '_, '_> {
    /// The steps that logged the user in before a step, with the pages that led there.
    fn login_steps(&self, chosen: &[Chosen], before: usize) -> Vec<Planned> {
        let steps = &self.session.steps;
        let Some(login) = (0..before).rev().find(|at| steps[*at].logs_in(steps) && chosen[*at].is_good())
        else {
            return Vec::new();
        };
        let mut chain = vec![login];
        while let Some(from) = steps[chain[chain.len() - 1]].from {
            chain.push(from);
        }
        // What is left out has its page shown by the one before it.
        let mut first = chain[chain.len() - 1];
        while first > 0 && chosen[first].steps.is_empty() {
            first -= 1;
        }
        chain.push(first);
        chain.extend(self.session.follower(login).filter(|at| *at < before));
        chain.sort_unstable();
        chain.dedup();
        chain.iter().flat_map(|at| chosen[*at].steps.clone()).collect()
    }
}
