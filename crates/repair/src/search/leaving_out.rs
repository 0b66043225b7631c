//! Steps that are left out: their page is there already, another page shows or offers what theirs did, or it is gone.
//!
//! What changes something, or is answered by a redirect, is never left out for the sake of what came after it: a user who logs out wants
//! to be logged out, wherever that leads her.

use std::collections::BTreeSet;

use restage_site::repair::Cause;

use super::candidate::{Candidate, Move};
use super::session_search::Search;
use crate::old::Act;
use crate::ways::offers;

/// From here on, an offer is what a later step needs.
const LIKELY: f64 = 0.6;
/// So much of what only a page said is said by a page that took it in; so many words at the least.
const SHOWN: f64 = 0.5;
const WORDS: usize = 3;
/// What it costs to leave out a step whose page is there already, one that another page shows, and one that another page offers more than.
const ALREADY_THERE: f64 = 0.6;
const SHOWN_ELSEWHERE: f64 = 2.2;
const NOT_NEEDED: f64 = 1.7;
/// The same where the page is still there: ways to it are looked for first.
const STILL_THERE: f64 = 6.5;
/// To leave out what is gone.
const GONE: f64 = 8.5;

impl Search<'_, '_, '_> {
    /// Leaving the step out, since its page is there already, or what it showed or led to is.
    pub(super) fn leaving_out(&self, at: usize) -> Vec<Candidate> {
        let step = &self.session.steps[at];
        let mut found = Vec::new();
        if !step.is_get() || matches!(step.act, Act::Script | Act::Resource) {
            return found;
        }
        found.extend(self.already_there(at));
        if !step.expected().is_page() || self.logs_out(at) {
            return found;
        }
        let is_gone = self.context.is_gone(&step.node);
        let shown = if is_gone { self.shown_on(at) } else { None };
        if let Some((page, node)) = &shown {
            let what = format!("{} is not needed: {node} shows what it showed", step.node);
            found.push(dropped(Cause::StepJoined, what, Some(*page), SHOWN_ELSEWHERE));
        }
        if let Some((page, has_form)) = self.offering_all_after(at) {
            let (cause, what) = match is_gone && !has_form && shown.is_none() {
                true => (
                    Cause::PageGone,
                    format!("{} is no longer there; another page offers what it led to", step.node),
                ),
                false => (
                    Cause::StepJoined,
                    format!("{} is not needed: another page offers what it led to", step.node),
                ),
            };
            let cost = if is_gone { NOT_NEEDED } else { STILL_THERE };
            found.push(dropped(cause, what, Some(page), cost));
        }
        found
    }

    /// Leaving out what is gone.
    pub(super) fn gone(&self, at: usize) -> Option<Candidate> {
        let step = &self.session.steps[at];
        if !self.context.is_gone(&step.node) && step.act != Act::Resource {
            return None;
        }
        let what = match step.act {
            Act::Form { .. } => format!("the form {} is no longer there", step.node),
            _ => format!("{} is no longer there", step.node),
        };
        Some(dropped(Cause::PageGone, what, None, GONE))
    }

    /// The answer before is the page itself that it sent the browser to.
    fn already_there(&self, at: usize) -> Option<Candidate> {
        let step = &self.session.steps[at];
        let latest =
            self.walk.latest().filter(|latest| latest.answer.is_page() && step.act == Act::Redirect)?;
        let verdict = self.verdict_of(at, &latest.answer, &latest.node, None, None);
        if verdict.trouble.is_some() || verdict.score < LIKELY {
            return None;
        }
        let what = format!("{} answers with the page of {} itself", latest.node, step.node);
        Some(dropped(Cause::StepJoined, what, self.walk.latest_page(), ALREADY_THERE))
    }

    /// A page that shows what the page of a step showed, and the page before it did not.
    fn shown_on(&self, at: usize) -> Option<(usize, String)> {
        let step = &self.session.steps[at];
        let before = step.from.map(|from| &self.session.steps[from].expected().words);
        let is_own = |word: &&String| !before.is_some_and(|before| before.contains(*word));
        let own: BTreeSet<String> = step.expected().words.iter().filter(is_own).cloned().collect();
        if own.len() < WORDS {
            return None;
        }
        let shown = |page: usize| self.context.weights.shared(&own, &self.walk.steps[page].answer.words);
        let pages = self.pages(at).into_iter().map(|(page, _)| page);
        let page = pages.into_iter().find(|page| shown(*page).is_some_and(|share| share >= SHOWN))?;
        Some((page, self.walk.steps[page].node.clone()))
    }

    /// A page, where pages offer all that was done on the page of a step; and whether a form is among it.
    fn offering_all_after(&self, at: usize) -> Option<(usize, bool)> {
        let pages = self.pages(at);
        let offering = |later: usize| {
            let is_likely = |page: usize| {
                offers(self.asked(later, page)).first().is_some_and(|offer| offer.score >= LIKELY)
            };
            pages.iter().map(|(page, _)| *page).find(|page| is_likely(*page))
        };
        let later: Vec<usize> = self.session.came_from(at).collect();
        let offered: Option<Vec<usize>> = later.iter().map(|later| offering(*later)).collect();
        let has_form = later.iter().any(|later| matches!(self.session.steps[*later].act, Act::Form { .. }));
        Some((*offered?.first()?, has_form))
    }
}

fn dropped(cause: Cause, what: String, shown_by: Option<usize>, cost: f64) -> Candidate {
    Candidate::new(vec![Move::Drop { cause, what, shown_by }], cost)
}
