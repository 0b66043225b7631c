//! Live values: a recorded request as the live application would have the browser send it.
//!
//! Where a recorded request came from is found in the recorded responses before it: a redirect, a form, a link. Its
//! counterpart in the live ones then says what to send. What came from nowhere was typed, and is sent as recorded, but
//! for values that an earlier response held (a script sent them along).

use restage_browser::{Click, FilledForm, Payload, matching_link, matching_resource, request_uri};
use restage_model::{Params, Substitution};

use crate::live::form::{Candidate, Submission, Submitted, best_forms, submit};
use crate::live::history::History;
use crate::live::made::offered_now;
use crate::live::recorded::Recorded;
use crate::live::redirect::{Followed, redirected};
use crate::live::substitution::Substituter;
use crate::live::visit::Visit;

/// A request ready to be sent, but for its header fields.
#[derive(Default)]
pub(crate) struct Prepared {
    pub(crate) uri: String,
    pub(crate) body: Vec<u8>,
    pub(crate) substitutions: Vec<Substitution>,
    pub(crate) stale: Option<String>,
}

impl Prepared {
    /// A request as it was recorded.
    pub(crate) fn as_recorded(recorded: &Recorded) -> Self {
        Self { uri: recorded.exchange.request.uri.clone(), body: recorded.body.clone(), ..Self::default() }
    }

    /// Sends it elsewhere.
    pub(crate) fn addressed(mut self, uri: String, source: String, why: String) -> Self {
        if uri != self.uri {
            let recorded = std::mem::replace(&mut self.uri, uri.clone());
            self.substitutions.push(Substitution {
                target: "address".to_owned(),
                recorded,
                live: uri,
                source,
                why,
            });
        }
        self
    }
}

/// Whether a request is the submission of a form that has nothing to send.
fn is_empty_form(recorded: &Recorded) -> bool {
    let media_type = recorded.exchange.request.headers.media_type();
    recorded.body.is_empty() && media_type.as_deref() == Some("application/x-www-form-urlencoded")
}

/// Makes the live request for a recorded one.
pub(crate) fn prepare(recorded: &Recorded, history: &History<'_>) -> Prepared {
    let as_recorded = || Prepared::as_recorded(recorded);
    match redirected(history.visits, recorded) {
        Followed::Offered(uri, step, why) => {
            let source = format!("step {step}: where it redirects to");
            return as_recorded().addressed(uri, source, why.to_owned());
        }
        Followed::Gone(why) => return Prepared { stale: Some(why), ..as_recorded() },
        Followed::NotARedirect => {}
    }
    let payload = Payload::of(&recorded.exchange.request.headers, &recorded.body);
    let is_get = recorded.exchange.request.method == "GET";
    let sent = match &payload {
        _ if is_get => Some(Params::parse(recorded.exchange.request.query())).filter(|p| !p.0.is_empty()),
        Payload::Nothing if is_empty_form(recorded) => Some(Params::default()),
        payload => payload.params(),
    };
    if let Some(prepared) = offered_now(recorded, history, sent.as_ref(), &payload) {
        return prepared;
    }
    // Only the page that the user was on can be said to lack something; an older one may hold the same address by
    // chance.
    let from = history.page_before();
    let was_here = |visit: &Visit| from.is_some_and(|from| std::ptr::eq(from, visit));
    let (mut stale, mut gone_link) = (None, None);
    let forms = sent.as_ref().map(|sent| best_forms(history, recorded, sent)).unwrap_or_default();
    let submit_one = |form: Candidate<'_>| match submit(history, form, recorded.url(), sent.as_ref()?) {
        Submitted::Offered(submission) => {
            Some(Ok(submitted(recorded, history, form.visit, *submission, &payload)))
        }
        Submitted::Gone(why) => Some(Err(why)),
    };
    for form in forms.iter().filter(|_| !is_get) {
        match submit_one(*form) {
            Some(Ok(prepared)) => return prepared,
            // An older page that still has the form is not the page that she was on.
            Some(Err(why)) if was_here(form.visit) => {
                stale = Some(why);
                break;
            }
            Some(Err(why)) if form.is_exact => {
                stale.get_or_insert(why);
            }
            Some(Err(_)) | None => {}
        }
    }
    // A link and a form that is sent by GET look alike: the page that the user was on decides.
    for visit in history.in_order().iter().filter(|_| is_get) {
        let form = forms.iter().find(|form| std::ptr::eq(form.visit, *visit));
        match form.and_then(|form| submit_one(*form)) {
            Some(Ok(prepared)) => return prepared,
            Some(Err(why)) if was_here(visit) => stale = Some(why),
            Some(Err(_)) | None => {}
        }
        if !visit.recorded.page.may_lead_to(&recorded.uri) {
            if stale.is_some() {
                break;
            }
            continue;
        }
        let (was, is) = (&visit.recorded.page, visit.live_page());
        match matching_link(was, is, &recorded.uri) {
            Click::Offered(uri, why) => {
                return as_recorded().addressed(uri, format!("step {}: its link", visit.number), why);
            }
            Click::Gone(text) if was_here(visit) => {
                gone_link.get_or_insert_with(|| {
                    let (step, to) = (visit.number, &recorded.uri);
                    format!("the page of step {step} no longer has the link \"{text}\" to {to}")
                });
            }
            Click::Gone(_) => {}
            Click::NotALink => {}
        }
        if let Some((uri, why)) = matching_resource(was, is, &recorded.uri) {
            return as_recorded().addressed(uri, format!("step {}: what it shows", visit.number), why);
        }
        // An older page that still has it is not the page that she was on.
        if stale.is_some() || gone_link.is_some() && history.is_referer(visit) {
            break;
        }
    }
    let stale = stale.or(gone_link);
    let mut prepared = as_recorded();
    let mut substituter = Substituter::new(history, &prepared.uri);
    prepared.uri = substituter.address(&prepared.uri);
    match payload {
        Payload::Nothing => {}
        Payload::Json(text) => {
            if let Some(live) = substituter.json("JSON", &text) {
                prepared.body = live.into_bytes();
            }
        }
        form => {
            let mut params = form.params().unwrap_or_default();
            if substituter.params("form field", &mut params, &[]) {
                prepared.body = form.fill(&params);
            }
        }
    }
    prepared.stale = stale.or(substituter.gone);
    prepared.substitutions = substituter.substitutions;
    prepared
}

/// A form's submission as a request. What a script put into the form is traced further.
fn submitted(
    recorded: &Recorded,
    history: &History<'_>,
    visit: &Visit,
    submission: Submission,
    payload: &Payload,
) -> Prepared {
    let is_get = recorded.exchange.request.method == "GET";
    let Submission { mut url, filled: FilledForm { mut params, settled, substitutions, .. }, stale, why } =
        submission;
    let mut substituter = Substituter::new(history, &recorded.exchange.request.uri);
    substituter.params("form field", &mut params, &settled);
    let mut prepared = Prepared::as_recorded(recorded);
    if is_get {
        url.set_query(Some(&params.encode()));
    } else {
        // Parts that did not change stay as they are, to the byte.
        match payload {
            Payload::Multipart(form) if form.params() == params => {}
            payload => prepared.body = payload.fill(&params),
        }
    }
    let same_path = url.path() == recorded.url().path();
    prepared = prepared.addressed(request_uri(&url), format!("step {}: its form", visit.number), why);
    // What a GET carries is told field by field.
    if is_get && same_path {
        prepared.substitutions.clear();
    }
    prepared.substitutions.extend(substitutions);
    prepared.substitutions.append(&mut substituter.substitutions);
    prepared.stale = stale.or(substituter.gone);
    prepared
}

#[cfg(test)]
#[path = "tests/mod.rs"]
mod tests;
