//! What was sent was accepted, and another page comes of it than on the old version.
//!
//! What a user does with a form is sending it. A new version that takes it and goes on to another page (to a list where there was the
//! form, to a page that says good-bye where there was the home page) has done what she wanted. Since a page that was put in between
//! looks the same from afar, this counts only where nothing better was found, and it is told.

use std::collections::BTreeSet;

use restage_oracle::find_errors;
use restage_site::repair::{Cause, Repair};
use restage_spider::is_logout;

use super::session_search::Search;
use crate::intent::{Trouble, Verdict, filled_in};
use crate::live::LiveStep;
use crate::old::{Act, OldStep};
use crate::seen_answer::SeenAnswer;

/// How sure it is that what was accepted was what the user wanted.
const SURE: f64 = 0.6;

impl Search<'_, '_, '_> {
    /// The verdict on what was done for a step, where that was accepted and leads elsewhere: as it was, where it was not.
    pub(super) fn or_accepted(&self, at: usize, done: &[LiveStep], verdict: Verdict) -> Verdict {
        let leads_elsewhere =
            matches!(verdict.trouble, Some(Trouble::Redirect | Trouble::OtherPage | Trouble::Login));
        let is_accepted = leads_elsewhere && self.is_accepted(at, done) && self.was_accepted(at);
        if is_accepted { Verdict { trouble: Some(Trouble::Elsewhere), ..verdict } } else { verdict }
    }

    fn is_accepted(&self, at: usize, done: &[LiveStep]) -> bool {
        let Some(own) = done.iter().find(|step| step.planned.of == Some(at)) else { return false };
        let Some(last) = done.last().filter(|last| last.answer.is_page()) else { return false };
        let is_well =
            |step: &LiveStep| step.failed.is_none() && !step.answer.is_error() && step.stale.is_none();
        let prints_no_error = last.answer.body.as_ref().is_none_or(|body| find_errors(body).is_empty());
        let asks_to_log_in = last.answer.asks_password() && !self.logs_out(at);
        let is_form = own.planned.form.is_some() && own.planned.method != "GET";
        (is_form || self.follows(at, own))
            && done.iter().all(is_well)
            && prints_no_error
            && !asks_to_log_in
            && !has_form(&last.answer, &own.planned.fields)
    }

    /// Whether a request is where the answer before it sends the browser, as the step was on the old version.
    fn follows(&self, at: usize, own: &LiveStep) -> bool {
        let is_own = |step: &LiveStep| std::ptr::eq(step, own);
        let before = self.walk.steps.iter().position(is_own).and_then(|place| place.checked_sub(1));
        let sent_to = before.and_then(|before| self.walk.steps[before].answer.redirect.as_deref());
        self.session.steps[at].act == Act::Redirect && sent_to == Some(own.answer.uri().as_str())
    }

    /// Whether the old version took what was sent. One that shows the form again, and says something beside it, did not.
    fn was_accepted(&self, at: usize) -> bool {
        let steps = &self.session.steps;
        let step = &steps[at];
        let follower = self.session.follower(at).map(|later| steps[later].expected());
        let answer = follower.unwrap_or_else(|| step.expected());
        if step.expected().is_error() || answer.is_error() {
            return false;
        }
        let Some(form) = step.form(steps) else { return true };
        if !has_form(answer, &filled_in(form)) {
            return true;
        }
        let before = step.from.map(|from| &steps[from].expected().words);
        let typed = step.sent.pairs().into_iter().flat_map(|(_, value)| restage_oracle::steady_words(&value));
        let typed: BTreeSet<String> = typed.collect();
        let is_new =
            |word: &&String| !before.is_some_and(|before| before.contains(*word)) && !typed.contains(*word);
        !answer.words.iter().any(|word| is_new(&word))
    }

    /// Whether a step logs its user out, as far as words tell.
    pub(super) fn logs_out(&self, at: usize) -> bool {
        let steps = &self.session.steps;
        let step: &OldStep = &steps[at];
        let of_text = match &step.act {
            Act::Link { text } => is_logout(text),
            // Where the answer to a logout sends the browser.
            Act::Redirect => step.from.is_some_and(|from| from < at && self.logs_out(from)),
            Act::Form { .. } => {
                let buttons = step.form(steps).map(|form| form.buttons.as_slice()).unwrap_or_default();
                buttons.len() == 1 && is_logout(&buttons[0].text)
            }
            _ => false,
        };
        of_text || is_logout(step.recorded.url.path()) || step.recorded.url.query().is_some_and(is_logout)
    }

    /// What is told of a step that was accepted and leads elsewhere.
    pub(super) fn told_elsewhere(&self, at: usize) -> Repair {
        let step = &self.session.steps[at];
        let now = match self.walk.latest() {
            Some(latest) if latest.planned.of == Some(at) && step.act != Act::Redirect => {
                "a page of its own".to_owned()
            }
            Some(latest) => latest.node.clone(),
            None => String::new(),
        };
        let what = match self.destinations(at).into_iter().find(|was| *was != step.node) {
            Some(was) => format!("{} leads to {now}, and led to {was}", step.node),
            None if step.act == Act::Redirect => {
                format!("the browser is sent to {now}, and was to {}", step.node)
            }
            None => format!("{} is accepted, and leads to {now}", step.node),
        };
        Repair::new(Cause::LeadsElsewhere, at, what, SURE)
    }
}

/// Whether a page has a form with fields of these names.
fn has_form(answer: &SeenAnswer, names: &BTreeSet<String>) -> bool {
    let forms = answer.page.iter().flat_map(|page| page.forms());
    !names.is_empty() && forms.map(filled_in).any(|other| names.is_subset(&other))
}
