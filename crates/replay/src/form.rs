//! Which live form a recorded submission was of, and what a browser would send from it now.

use std::cmp::Reverse;

use restage_html::{Field, FieldKind, Form};
use restage_model::{Key, Params};
use url::Url;

use crate::ahead::Recorded;
use crate::filling::{Filled, fill, same_lines};
use crate::origin::Looks;
use crate::trail::Trail;
use crate::visit::{Visit, request_uri};

/// A submission as the live page makes it.
pub(crate) struct Submission {
    /// Where it goes.
    pub(crate) url: Url,
    /// What it carries: the query of a GET, the body of a POST.
    pub(crate) filled: Filled,
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
    trail: &Trail<'a>,
    recorded: &Recorded,
    sent: &Params,
) -> Vec<(&'a Visit, usize)> {
    let (method, wanted, pairs) = (recorded.exchange.request.method.as_str(), &recorded.url, sent.pairs());
    let mut found: Vec<(Fit, &Visit, usize)> = Vec::new();
    for visit in trail.in_order() {
        if let Some((form, tokens, hidden)) = recorded_form(visit, method, wanted, &pairs) {
            found.push((Fit { tokens, is_referer: trail.is_referer(visit), hidden }, visit, form));
        }
    }
    // Stable: among equals, the latest page stays first.
    found.sort_by_key(|(fit, ..)| Reverse(*fit));
    found.into_iter().map(|(_, visit, form)| (visit, form)).collect()
}

/// Finds the live counterpart of a submission of `sent` by a form of the recorded page, and fills it in as the user did.
pub(crate) fn submit(visit: &Visit, at: usize, wanted: &Url, sent: &Params) -> Submitted {
    let form = &visit.recorded_page().forms[at];
    let Some((place, why)) = live_form(visit, at) else {
        return Submitted::Gone(format!(
            "the page of step {} no longer has the form to {}",
            visit.number,
            wanted.path()
        ));
    };
    let live = &visit.live_page().forms[place];
    let Some(url) = visit.live_form_targets()[place].clone() else {
        return Submitted::Gone(format!("the form of step {} leads to `{}`", visit.number, live.action));
    };
    let filled = fill(form, live, sent, &format!("step {}", visit.number), place + 1, &why);
    let stale = (!filled.missing.is_empty()).then(|| {
        format!("the form of step {} no longer has the field {}", visit.number, filled.missing.join(", "))
    });
    Submitted::Offered(Box::new(Submission { url, filled, stale, why }))
}

/// The recorded form that was submitted: the one whose hidden values are those that were sent. Its place, and how
/// many of its tokens and of its hidden values were sent.
fn recorded_form(
    visit: &Visit,
    method: &str,
    wanted: &Url,
    pairs: &[(String, String)],
) -> Option<(usize, usize, usize)> {
    let sends = |name: &str, value: &str| pairs.iter().any(|(n, v)| n == name && same_lines(v, value));
    let mut best = None;
    for (at, form) in visit.recorded_page().forms.iter().enumerate() {
        let Some(url) = &visit.recorded.form_targets()[at] else { continue };
        let query_matches = method == "GET" || url.query() == wanted.query();
        if form.method != method
            || url.path() != wanted.path()
            || url.host_str() != wanted.host_str()
            || !query_matches
        {
            continue;
        }
        let known = pairs.iter().filter(|(name, _)| form.named(name).next().is_some()).count();
        if known == 0 && !pairs.is_empty() {
            continue;
        }
        if method == "GET" && !sends_all(form, pairs) {
            continue;
        }
        let own = form.fields.iter().filter(|f| f.kind == FieldKind::Hidden && sends(&f.name, &f.value));
        let (mut hidden, mut tokens) = (0, 0);
        for field in own {
            hidden += 1;
            tokens += usize::from(Looks::of(&field.value) == Some(Looks::Token));
        }
        let score = hidden * 100 + known + 1;
        if best.is_none_or(|(s, _)| score > s) {
            best = Some((score, (at, tokens, hidden)));
        }
    }
    best.map(|(_, found)| found)
}

/// Whether parameters are all that a form sends, and nothing else. With `GET`, a submission looks like a link: without
/// this, a link that has a parameter in common with a form would be taken for one.
fn sends_all(form: &Form, pairs: &[(String, String)]) -> bool {
    let can_send = |(name, value): &(String, String)| {
        form.named(name).any(|f| f.choices.is_empty() || f.choices.iter().any(|c| c.value == *value))
    };
    let is_sent = |field: &Field| {
        let always = matches!(field.kind, FieldKind::Hidden | FieldKind::Text | FieldKind::Select);
        !always || field.disabled || pairs.iter().any(|(name, _)| *name == field.name)
    };
    pairs.iter().all(can_send) && form.fields.iter().all(is_sent)
}

/// The live form that is the recorded one, and why: of the same shape, and among several of that shape the one with
/// the most values in common (a list of books has a form a book), then the one at the same place.
fn live_form(visit: &Visit, at: usize) -> Option<(usize, String)> {
    let (recorded, live) = (&visit.recorded_page().forms, &visit.live_page().forms);
    let wanted = &recorded[at];
    let shape = |target: &Option<Url>| target.as_ref().map(|u| Key::of("", &request_uri(u), ""));
    let wanted_shape = shape(&visit.recorded.form_targets()[at]);
    let alike = |forms: &[Form], targets: &[Option<Url>]| -> Vec<bool> {
        let pairs = forms.iter().zip(targets);
        pairs.map(|(f, t)| f.method == wanted.method && shape(t) == wanted_shape).collect()
    };
    let twin = alike(live, visit.live_form_targets());
    let place = alike(&recorded[..at], visit.recorded.form_targets()).iter().filter(|same| **same).count();
    let mut twins_before = 0;
    let mut best = None;
    for (index, form) in live.iter().enumerate() {
        let same_shape = twin[index];
        let distance = place.abs_diff(twins_before);
        twins_before += usize::from(same_shape);
        let same_id = wanted.id.is_some() && wanted.id == form.id;
        let named = wanted.fields.iter().filter(|f| form.named(&f.name).next().is_some()).count();
        // A form that changed its address is known by its fields.
        let same_fields =
            form.method == wanted.method && !wanted.fields.is_empty() && named == wanted.fields.len();
        if !same_shape && !same_id && !same_fields {
            continue;
        }
        let equal = wanted
            .fields
            .iter()
            .filter(|f| matches!(f.kind, FieldKind::Hidden | FieldKind::Submit))
            .filter(|f| form.named(&f.name).any(|g| g.value == f.value))
            .count();
        let same_address = usize::from(form.action == wanted.action);
        let likeness =
            usize::from(same_shape) * 1000 + usize::from(same_id) * 500 + same_address * 200 + named;
        let score = (likeness, equal, Reverse(distance));
        // The first of the best.
        if best.is_none_or(|(s, _)| score > s) {
            best = Some((score, index));
        }
    }
    let ((_, equal, _), index) = best?;
    let twins = twin.iter().filter(|same| **same).count();
    let why = match (twin[index], twins) {
        (true, 1) => "the only form to that address".to_owned(),
        (true, _) if equal > 0 => format!("of {twins} such forms the one with the same values"),
        (true, _) => format!("of {twins} such forms the one in the same place"),
        (false, _) => "the form with the same id or the same fields".to_owned(),
    };
    Some((index, why))
}
