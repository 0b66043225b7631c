//! Which live form a recorded submission was of, and what a browser would send from it now.

use std::cmp::Reverse;

use restage_browser::{FilledForm, MatchedForm, fill_form, matching_form, submitted_form};
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
    /// Whether the request says that it came from this page.
    is_referer: bool,
    /// Hidden values of it that were sent.
    hidden: usize,
}

/// The recorded forms that a request may be a submission of, a page and a place on it, the best first. Of two tabs with
/// the same form, the one whose values were sent.
pub(crate) fn best_forms<'a>(
    history: &History<'a>,
    recorded: &Recorded,
    sent: &Params,
) -> Vec<(&'a Visit, usize)> {
    let (method, wanted, pairs) = (recorded.exchange.request.method.as_str(), recorded.url(), sent.pairs());
    let mut found: Vec<(Fit, &Visit, usize)> = Vec::new();
    for visit in history.in_order() {
        if let Some(form) = submitted_form(&visit.recorded.page, method, wanted, &pairs) {
            let tokens = form.hidden.iter().filter(|v| Looks::of(v) == Some(Looks::Token)).count();
            let (is_referer, hidden) = (history.is_referer(visit), form.hidden.len());
            found.push((Fit { tokens, is_referer, hidden }, visit, form.at));
        }
    }
    // Stable: among equals, the latest page stays first.
    found.sort_by_key(|(fit, ..)| Reverse(*fit));
    found.into_iter().map(|(_, visit, form)| (visit, form)).collect()
}

/// Finds the live counterpart of a submission of `sent` by a form of the recorded page, and fills it in as the user did.
pub(crate) fn submit(visit: &Visit, at: usize, wanted: &Url, sent: &Params) -> Submitted {
    let form = &visit.recorded.page.forms()[at];
    let Some(MatchedForm { at: place, why }) = matching_form(&visit.recorded.page, at, visit.live_page())
    else {
        return Submitted::Gone(format!(
            "the page of step {} no longer has the form to {}",
            visit.number,
            wanted.path()
        ));
    };
    let live = &visit.live_page().forms()[place];
    let Some(url) = visit.live_page().form_targets()[place].clone() else {
        return Submitted::Gone(format!("the form of step {} leads to `{}`", visit.number, live.action));
    };
    let filled = fill_form(form, live, sent, &format!("step {}", visit.number), place + 1, &why);
    let stale = (!filled.missing.is_empty()).then(|| {
        format!("the form of step {} no longer has the field {}", visit.number, filled.missing.join(", "))
    });
    Submitted::Offered(Box::new(Submission { url, filled, stale, why }))
}
