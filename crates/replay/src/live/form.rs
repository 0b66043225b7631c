//! Which live form a recorded submission was of, and what a browser would send from it now.

use std::cmp::Reverse;

use restage_browser::{
    FilledForm, MatchedForm, button_target, fill_form, live_button, matching_form, submitted_form,
};
use restage_html::Form;
use restage_model::Params;
use url::Url;

use crate::live::history::History;
use crate::live::origin::Looks;
use crate::live::recorded::Recorded;
use crate::live::visit::Visit;

/// A submission as the live page makes it.
pub(crate) struct Submission {
    /// Where it goes.
    pub(crate) url: Url,
    /// What it carries: the query of a GET, the body of a POST.
    pub(crate) filled: FilledForm,
    /// What the live form lacks, where it lacks something.
    pub(crate) stale: Option<String>,
    /// Why that form.
    pub(crate) why: String,
}

/// What became of a recorded submission.
pub(crate) enum Submitted {
    /// The live page makes this of it.
    Offered(Box<Submission>),
    /// The live page no longer has the form.
    Gone(String),
}

/// How well a recorded form accounts for what was sent; the best is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// Tokens of it that were sent: a page that gives a new one each time is known by it.
    tokens: usize,
    /// What of the request it does not account for.
    unexplained: Reverse<usize>,
    /// Whether the request says that it came from this page.
    is_referer: bool,
    /// Hidden values of it that were sent.
    hidden: usize,
}

/// A form on a recorded page that a request may be a submission of.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    /// The page.
    pub(crate) visit: &'a Visit,
    /// The form's place on it.
    form: usize,
    /// The button that sent it elsewhere than the form itself says.
    button: Option<usize>,
    /// Whether it sends exactly what was sent.
    pub(crate) is_exact: bool,
}

/// The recorded forms that a request may be a submission of, the best first. Of two tabs with the same form, the one
/// whose values were sent.
pub(crate) fn best_forms<'a>(
    history: &History<'a>,
    recorded: &Recorded,
    sent: &Params,
) -> Vec<Candidate<'a>> {
    let (method, wanted, pairs) = (recorded.exchange.request.method.as_str(), recorded.url(), sent.pairs());
    let mut found: Vec<(Fit, Candidate<'a>)> = Vec::new();
    for visit in history.in_order() {
        if let Some(form) = submitted_form(&visit.recorded.page, method, wanted, &pairs) {
            let tokens = form.hidden.iter().filter(|v| Looks::of(v) == Some(Looks::Token)).count();
            let (is_referer, hidden) = (history.is_referer(visit), form.hidden.len());
            let fit = Fit { tokens, unexplained: Reverse(form.unexplained), is_referer, hidden };
            let is_exact = form.unexplained == 0;
            found.push((fit, Candidate { visit, form: form.at, button: form.button, is_exact }));
        }
    }
    // Stable: among equals, the latest page stays first.
    found.sort_by_key(|(fit, _)| Reverse(*fit));
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Finds the live counterpart of a submission of `sent` by a form of a recorded page, and fills it in as the user did.
pub(crate) fn submit(
    history: &History<'_>,
    candidate: Candidate<'_>,
    wanted: &Url,
    sent: &Params,
) -> Submitted {
    let Candidate { visit, form: at, button, .. } = candidate;
    let (was, is) = (&visit.recorded.page, visit.live_page());
    let form = &was.forms()[at];
    let gone = |what: &str| {
        let (step, to) = (visit.number, wanted.path());
        Submitted::Gone(format!("the page of step {step} no longer has the {what} to {to}"))
    };
    let pages = history.visits.iter().filter(|other| !std::ptr::eq(*other, visit));
    let known: Vec<&Form> = pages.flat_map(|other| other.recorded.page.forms()).collect();
    let Some(MatchedForm { at: place, why }) = matching_form(was, at, is, &known) else {
        return gone("form");
    };
    let live = &is.forms()[place];
    let target = match button {
        None => is.form_targets()[place].clone(),
        Some(button) => match live_button(form, live, button) {
            Some(button) => button_target(is, place, button),
            None => return gone("button"),
        },
    };
    let Some(url) = target else {
        return Submitted::Gone(format!("the form of step {} leads to `{}`", visit.number, live.action));
    };
    let filled = fill_form(form, live, sent, &format!("step {}", visit.number), place + 1, &why);
    let missing = filled.missing.join(", ");
    let stale =
        (!missing.is_empty()).then(|| format!("the form of step {} no longer has {missing}", visit.number));
    Submitted::Offered(Box::new(Submission { url, filled, stale, why }))
}
