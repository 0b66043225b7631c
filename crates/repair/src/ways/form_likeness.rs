//! How likely a form of the new version is the one that a user sent on the old one.

use std::collections::BTreeSet;

use restage_html::{Field, FieldKind, Form, InputType};
use restage_site::FormTarget;

use super::field_matching::Renames;

/// What fields, the address, buttons, the name and the method tell.
const FIELDS: f64 = 0.55;
const ADDRESS: f64 = 0.15;
const BUTTONS: f64 = 0.15;
const NAME: f64 = 0.1;
const METHOD: f64 = 0.05;
/// What each field that the old form had not takes away, and the most that all of them do.
const EACH_NEW: f64 = 0.04;
const ALL_NEW: f64 = 0.2;

/// How likely a live form is the old one, from 0 to 1. `path` is where the old one was sent, `sure` how sure the maps are.
pub(super) fn likeness(
    (old, method, path): (&Form, &str, &str),
    target: &FormTarget<'_>,
    renames: &Renames,
    sure: Option<f64>,
) -> f64 {
    let live = target.form;
    let (was, is) = (visible(old), visible(live));
    let now =
        |name: &String| renames.iter().find(|(was, _, _)| was == name).map_or(1.0, |(_, _, sure)| *sure);
    let kept: f64 = was
        .iter()
        .filter(|name| is.contains(*name) || renames.iter().any(|(was, _, _)| was == *name))
        .map(|name| if is.contains(name) { 1.0 } else { now(name) })
        .sum();
    let fields = match was.len() {
        0 => hidden_kept(old, live),
        count => kept / count as f64,
    };
    let fresh =
        is.iter().filter(|name| !was.contains(*name) && !renames.iter().any(|(_, is, _)| is == *name));
    let fresh = (fresh.count() as f64 * EACH_NEW).min(ALL_NEW);
    let labels = |form: &Form| -> BTreeSet<String> {
        let shown =
            |b: &restage_html::Button| if b.text.is_empty() { b.value.clone() } else { b.text.clone() };
        form.buttons
            .iter()
            .map(shown)
            .map(|text| text.to_lowercase())
            .filter(|text| !text.is_empty())
            .collect()
    };
    let (buttons, live_buttons) = (labels(old), labels(live));
    let same_buttons = match buttons.is_empty() || live_buttons.is_empty() {
        true => 0.5,
        false => f64::from(u8::from(!buttons.is_disjoint(&live_buttons))),
    };
    let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    let same_name = same(&old.id, &live.id) || same(&old.name, &live.name);
    let same_path = target.url.path() == path;
    let share = |yes: bool| f64::from(u8::from(yes));
    let mut score = FIELDS * fields
        + ADDRESS * share(same_path)
        + BUTTONS * same_buttons
        + NAME * share(same_name)
        + METHOD * share(target.method == method)
        - fresh;
    // A form with nothing to fill in is known by its address or its button.
    if was.is_empty() && !same_path && same_buttons < 1.0 && !same_name {
        score *= 0.5;
    }
    if asks_secret(old) != asks_secret(live) {
        score *= 0.4;
    }
    if target.method != method {
        score *= 0.8;
    }
    match sure {
        Some(sure) => score.max(0.5 + 0.45 * sure),
        None => score.clamp(0.0, 1.0),
    }
}

fn is_visible(field: &Field) -> bool {
    !matches!(field.kind, FieldKind::Hidden | FieldKind::Submit)
}

/// The names of the fields that one fills in.
pub(crate) fn visible(form: &Form) -> BTreeSet<String> {
    form.fields.iter().filter(|field| is_visible(field)).map(|field| field.name.clone()).collect()
}

/// How many hidden fields' names are still there.
fn hidden_kept(old: &Form, live: &Form) -> f64 {
    let names = |form: &Form| -> BTreeSet<String> {
        let hidden = form.fields.iter().filter(|field| field.kind == FieldKind::Hidden);
        hidden.map(|field| field.name.clone()).collect()
    };
    let (was, is) = (names(old), names(live));
    let more = visible(live).len() as f64;
    let kept = if was.is_empty() { 1.0 } else { was.intersection(&is).count() as f64 / was.len() as f64 };
    (kept - 0.3 * more).max(0.0)
}

fn asks_secret(form: &Form) -> bool {
    form.fields.iter().any(|field| field.input == InputType::Password)
}

/// How many hidden values of a live form were sent, of those that tell rows of a list apart; from 0 to 1.
pub(super) fn held(live: &Form, sent: &[(String, String)]) -> f64 {
    let hidden: Vec<&Field> = live
        .fields
        .iter()
        .filter(|field| field.kind == FieldKind::Hidden && !field.value.is_empty())
        .filter(|field| !restage_model::ValueShape::of(&field.value).is_token())
        .collect();
    let is_sent = |field: &&&Field| sent.iter().any(|(n, v)| *n == field.name && *v == field.value);
    if hidden.is_empty() { 0.0 } else { hidden.iter().filter(is_sent).count() as f64 / hidden.len() as f64 }
}
