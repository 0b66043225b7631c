//! Which form of a page a request is a submission of, and which form of another version of the page that is.

use std::cmp::Reverse;

use restage_html::{Field, FieldKind, Form};
use restage_model::Key;
use url::Url;

use crate::address::request_uri;
use crate::form_fill::same_lines;
use crate::loaded_page::LoadedPage;

/// A form that a request may be a submission of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedForm<'a> {
    /// Its place among the page's forms.
    pub at: usize,
    /// The values of its hidden fields that were sent.
    pub hidden: Vec<&'a str>,
}

/// A form of another version of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedForm {
    /// Its place among that page's forms.
    pub at: usize,
    /// Why that form.
    pub why: String,
}

/// The form that was submitted to `wanted` with these parameters: the one whose hidden values are those that were sent.
pub fn submitted_form<'a>(
    page: &'a LoadedPage,
    method: &str,
    wanted: &Url,
    pairs: &[(String, String)],
) -> Option<SubmittedForm<'a>> {
    let sends = |name: &str, value: &str| pairs.iter().any(|(n, v)| n == name && same_lines(v, value));
    let mut best = None;
    for (at, form) in page.forms().iter().enumerate() {
        let Some(url) = &page.form_targets()[at] else { continue };
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
        let hidden: Vec<&str> = own.map(|field| field.value.as_str()).collect();
        let score = hidden.len() * 100 + known + 1;
        if best.as_ref().is_none_or(|(s, _)| score > *s) {
            best = Some((score, SubmittedForm { at, hidden }));
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

/// The live form that is the recorded one: of the same shape, and among several of that shape the one with
/// the most values in common (a list of books has a form a book), then the one at the same place.
pub fn matching_form(recorded_page: &LoadedPage, at: usize, live_page: &LoadedPage) -> Option<MatchedForm> {
    let (recorded, live) = (recorded_page.forms(), live_page.forms());
    let wanted = recorded.get(at)?;
    let shape = |target: &Option<Url>| target.as_ref().map(|u| Key::of("", &request_uri(u), ""));
    let wanted_shape = shape(&recorded_page.form_targets()[at]);
    let alike = |forms: &[Form], targets: &[Option<Url>]| -> Vec<bool> {
        let pairs = forms.iter().zip(targets);
        pairs.map(|(f, t)| f.method == wanted.method && shape(t) == wanted_shape).collect()
    };
    let twin = alike(live, live_page.form_targets());
    let place = alike(&recorded[..at], recorded_page.form_targets()).iter().filter(|same| **same).count();
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
    Some(MatchedForm { at: index, why })
}
