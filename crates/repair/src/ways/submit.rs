//! Forms of a page that a user may have meant, filled in as she did.

use std::collections::BTreeSet;

use restage_browser::{FilledForm, LoadedPage, fill_form, matching_form, request_uri};
use restage_html::{Field, FieldKind, Form, InputType};
use restage_model::{Param, Params};
use restage_site::repair::{Cause, FieldCounterpart, Repair};
use restage_site::{FormTarget, ValueSource, form_targets};

use super::address::{address_words, values};
use super::click::{holds, in_place_of_button, why};
use super::field_matching::{Renames, new_fields, typed, ways_to_fill};
use super::form_likeness::{held, likeness, visible};
use super::label::same_label;
use super::new_fields::{NewValue, give_values};
use super::offer::{Asked, Offer};
use super::request::{FormBody, edited};
use crate::old::Act;

/// What a guess at a field, and values for new ones, take away from how likely an offer is.
const OTHER_WAY: f64 = 0.06;
const WITH_VALUES: f64 = 0.03;
/// What it adds that the browser's own matching means this form of the same page, or that it holds the same values.
const MATCHED: f64 = 0.05;

/// The forms.
pub(super) fn offers(asked: Asked<'_>) -> Vec<Offer> {
    let Some(page) = asked.loaded() else { return Vec::new() };
    let step = asked.step();
    let sent = step.sent.pairs();
    let unknown;
    let old = match step.form(&asked.session.steps) {
        Some(form) => form,
        None => {
            unknown = as_form(&sent);
            &unknown
        }
    };
    let matched = matched(asked, page);
    let mut found = Vec::new();
    for target in form_targets(asked.context.rules, page) {
        if !is_button(old, &sent, &target) {
            continue;
        }
        let sure = asked.context.sameness(&step.node, &target.node);
        let known = known_fields(asked, &target);
        for (nth, renames) in ways_to_fill(old, &sent, target.form, &known).into_iter().enumerate() {
            let path = step.recorded.url.path();
            let mut score = likeness((old, step.method(), path), &target, &renames, sure);
            score += MATCHED * held(target.form, &sent);
            score += if matched == Some(target.at) { MATCHED } else { 0.0 };
            score = score.min(0.99) - OTHER_WAY * nth as f64;
            found.extend(filled_in(asked, old, &target, &renames, score));
        }
    }
    found.extend(in_place_of_button(asked, old));
    found
}

/// Buttons in place of a link, as releases have them that let no link change anything: what is all of a form, and says what the link
/// said, or leads where it led.
pub(super) fn buttons(asked: Asked<'_>) -> Vec<Offer> {
    let (Act::Link { text }, Some(page)) = (&asked.step().act, asked.loaded()) else { return Vec::new() };
    let wanted = asked.step().recorded.uri();
    let own_values = values(asked.context.rules, &wanted);
    let targets = form_targets(asked.context.rules, page);
    let says = |target: &FormTarget<'_>| target.button.is_some_and(|button| same_label(&button.text, text));
    let is_bare = |target: &&FormTarget<'_>| visible(target.form).is_empty();
    let saying = targets.iter().filter(is_bare).filter(|target| says(target)).count();
    let mut found = Vec::new();
    for target in targets.iter().filter(is_bare) {
        let leads_there = address_words(&request_uri(&target.url)) == address_words(&wanted);
        let score = match (says(target), leads_there) {
            (true, true) => 0.95,
            (false, true) => 0.85,
            // One of a list: that which is about the same.
            (true, false) if saying == 1 || holds(&about(asked, target), &own_values) => 0.7,
            _ => continue,
        };
        found.extend(filled_in(asked, &as_form(&[]), target, &Vec::new(), score));
    }
    found
}

/// The values that a form holds: those of its address, and of its hidden fields.
fn about(asked: Asked<'_>, target: &FormTarget<'_>) -> Vec<String> {
    let mut held = values(asked.context.rules, &request_uri(&target.url));
    let hidden = target.form.fields.iter().filter(|field| field.kind == FieldKind::Hidden);
    held.extend(hidden.map(|field| field.value.clone()));
    held
}

/// A form that nobody recorded, as far as what was sent tells.
fn as_form(sent: &[(String, String)]) -> Form {
    let field = |(name, _): &(String, String)| Field {
        name: name.clone(),
        kind: FieldKind::Text,
        value: String::new(),
        checked: false,
        choices: Vec::new(),
        disabled: false,
        multiple: false,
        input: if restage_redact::is_password_name(name) { InputType::Password } else { InputType::Text },
        required: false,
        least: None,
        most: None,
        longest: None,
    };
    Form { fields: sent.iter().map(field).collect(), ..Form::default() }
}

/// The form that the browser's own matching means, where the page is the one that the user was on.
fn matched(asked: Asked<'_>, page: &LoadedPage) -> Option<usize> {
    let Act::Form { at } = asked.step().act else { return None };
    let was = asked.session.steps[asked.step().from?].recorded.page.as_ref()?;
    if !asked.is_own_page() {
        return None;
    }
    matching_form(was, at, page, &[]).map(|found| found.at)
}

/// Whether a way to send a form is the one by the button that was pressed; the first, where no button says so.
fn is_button(old: &Form, sent: &[(String, String)], target: &FormTarget<'_>) -> bool {
    let Some(button) = target.button else { return true };
    let form = target.form;
    let is_sent = |b: &&restage_html::Button| {
        !b.name.is_empty() && sent.iter().any(|(name, value)| *name == b.name && *value == b.value)
    };
    let pressed = old.buttons.iter().find(is_sent);
    let same = |b: &restage_html::Button| match pressed {
        Some(was) => b.text == was.text && !b.text.is_empty() || b.name == was.name && b.value == was.value,
        None => old.buttons.iter().any(|was| was.name.is_empty() && was.text == b.text),
    };
    match form.buttons.iter().find(|b| same(b)) {
        Some(found) => found == button,
        None => form.buttons.first() == Some(button),
    }
}

/// Which of its fields the maps know under other names.
fn known_fields(asked: Asked<'_>, target: &FormTarget<'_>) -> Vec<FieldCounterpart> {
    let Some(place) = asked.context.planner.network().place(&target.node) else { return Vec::new() };
    let change = asked.context.planner.parameters(&asked.step().node, place);
    let pair = |renamed: restage_site::repair::RenamedParameter| FieldCounterpart {
        was: renamed.was,
        is: renamed.is,
        confidence: renamed.confidence,
    };
    change.renamed.into_iter().map(pair).collect()
}

/// A form filled in: as a browser would leave its new fields, and with values for them.
fn filled_in(
    asked: Asked<'_>,
    old: &Form,
    target: &FormTarget<'_>,
    renames: &Renames,
    score: f64,
) -> Vec<Offer> {
    let (was, sent) = renamed(old, &asked.step().sent, renames);
    let FilledForm { mut params, .. } = fill_form(&was, target.form, &sent, "", 1, "");
    let gone = replace_choices(target.form, &mut params);
    take_hidden(old, target.form, &mut params);
    let is_renamed = |field: &&&Field| renames.iter().any(|(_, is, _)| *is == field.name);
    let fresh: Vec<&Field> =
        new_fields(old, target.form).into_iter().filter(|field| !is_renamed(&field)).collect();
    let pairs = params.pairs();
    let is_empty = |field: &&&Field| !pairs.iter().any(|(n, v)| *n == field.name && !v.is_empty());
    let open: Vec<&Field> = fresh.iter().filter(is_empty).copied().collect();
    let mut found = Vec::new();
    let outcome = Outcome { renames, gone: &gone, fresh: &fresh };
    if !open.iter().any(|field| field.required) {
        found.push(offer(asked, old, target, &outcome, params.clone(), &[], score));
    }
    if !open.is_empty() {
        let (values, _) = give_values(asked, target, &open, &mut params);
        if !values.is_empty() {
            found.push(offer(asked, old, target, &outcome, params, &values, score - WITH_VALUES));
        }
    }
    found
}

/// A form, and what was sent, under the names that the live form has.
fn renamed(old: &Form, sent: &Params, renames: &Renames) -> (Form, Params) {
    let now = |name: &str| renames.iter().find(|(was, _, _)| was == name).map(|(_, is, _)| is.clone());
    let mut form = old.clone();
    for field in &mut form.fields {
        if let Some(name) = now(&field.name) {
            field.name = name;
        }
    }
    let param = |param: &Param| match now(&param.name()) {
        Some(name) => Param::new(&name, &param.value()),
        None => param.clone(),
    };
    (form, Params(sent.0.iter().map(param).collect()))
}

/// Puts what the live form offers in place of choices that it no longer has; the names of the fields, with what was chosen.
fn replace_choices(live: &Form, params: &mut Params) -> Vec<(String, String)> {
    let mut gone = Vec::new();
    for param in &mut params.0 {
        let (name, value) = (param.name(), param.value());
        let fields: Vec<&Field> = live.named(&name).collect();
        let offered: Vec<&str> = fields
            .iter()
            .flat_map(|field| match field.kind {
                FieldKind::Select => field.choices.iter().map(|choice| choice.value.as_str()).collect(),
                FieldKind::Radio => vec![field.value.as_str()],
                _ => Vec::new(),
            })
            .collect();
        if offered.is_empty() || offered.contains(&value.as_str()) {
            continue;
        }
        let untouched = fields.iter().find_map(|field| field.untouched()).filter(|value| !value.is_empty());
        let first = offered.iter().copied().find(|value| !value.is_empty());
        if let Some(other) = untouched.or(first) {
            param.set_value(other);
            gone.push((name, value));
        }
    }
    gone
}

/// Where nobody knows the old form, what the live one hides is the live one's.
fn take_hidden(old: &Form, live: &Form, params: &mut Params) {
    for param in &mut params.0 {
        let name = param.name();
        let was_hidden = old.named(&name).any(|field| field.kind == FieldKind::Hidden);
        let hidden = live.named(&name).find(|field| field.kind == FieldKind::Hidden);
        if let Some(field) = hidden.filter(|field| !was_hidden && !field.value.is_empty()) {
            param.set_value(&field.value);
        }
    }
}

/// What became of the fields of a form.
struct Outcome<'a> {
    renames: &'a Renames,
    gone: &'a [(String, String)],
    fresh: &'a [&'a Field],
}

fn offer(
    asked: Asked<'_>,
    old: &Form,
    target: &FormTarget<'_>,
    outcome: &Outcome<'_>,
    params: Params,
    values: &[NewValue],
    score: f64,
) -> Offer {
    let step = asked.step();
    let mut repairs = repairs(asked, old, target, outcome, values, score);
    let recorded = (&step.exchange.request.headers, step.body.as_slice());
    let body = FormBody::of(target, &params, Some(recorded));
    let mut request = edited(&step.exchange, body.body, asked.live(), &why(&repairs));
    target.method.clone_into(&mut request.method);
    request.uri = body.uri;
    match body.content_type {
        Some(content_type) => request.headers.set("content-type", content_type),
        None => request.headers.remove("content-type"),
    }
    let now = format!("{} {}", request.method, request.uri);
    if let Some(repair) = repairs.first_mut() {
        repair.changed.push((step.line(), now));
    }
    let fields = params.pairs().into_iter().map(|(name, _)| name).collect::<BTreeSet<String>>();
    let fields = visible(target.form).intersection(&fields).cloned().collect();
    Offer { request, form: Some(target.node.clone()), fields, score, repairs }
}

/// What is repaired by sending a form in place of the old one.
fn repairs(
    asked: Asked<'_>,
    old: &Form,
    target: &FormTarget<'_>,
    outcome: &Outcome<'_>,
    values: &[NewValue],
    score: f64,
) -> Vec<Repair> {
    let step = asked.step();
    let mut found = Vec::new();
    let mut tell =
        |cause, what: String, sure: f64| found.push(Repair::new(cause, asked.at, what, sure * score));
    for (was, is, sure) in outcome.renames.iter().filter(|(was, ..)| step.names().contains(was)) {
        tell(Cause::ParameterRenamed, format!("`{was}` is called `{is}` now"), *sure);
    }
    let is_kept = |name: &String| {
        let is_renamed = outcome.renames.iter().any(|(was, ..)| was == name);
        is_renamed || target.form.named(name).next().is_some() || old.named(name).next().is_none()
    };
    let was_typed: BTreeSet<String> = typed(old, &step.sent.pairs()).collect();
    for name in step.names().iter().filter(|name| !is_kept(name)) {
        let lost = if was_typed.contains(name) { ": what was typed into it is not sent" } else { "" };
        tell(Cause::ParameterRemoved, format!("`{name}` is no longer asked for{lost}"), 1.0);
    }
    for (name, value) in outcome.gone {
        tell(Cause::ChoiceGone, format!("`{name}` no longer offers `{value}`"), 0.7);
    }
    for field in outcome.fresh {
        let what = match values.iter().find(|value| value.name == field.name) {
            Some(new) => format!("`{}` is new, and is {}", field.name, told(new, field)),
            None => format!("`{}` is new, and is left as the page has it", field.name),
        };
        tell(Cause::ParameterAdded, what, 0.9);
    }
    let hidden = target.form.fields.iter().filter(|f| f.kind == FieldKind::Hidden);
    for field in hidden.filter(|f| old.named(&f.name).next().is_none() && !old.fields.is_empty()) {
        tell(Cause::ParameterAdded, format!("`{}` is new, and is taken from the page", field.name), 1.0);
    }
    if let Act::Link { text } = &step.act {
        let what = format!("the link \"{text}\" to {} is a form now: {}", step.node, target.node);
        tell(Cause::SentOtherwise, what, 1.0);
    } else if target.url.path() != step.recorded.url.path() {
        tell(Cause::PageMoved, format!("{} is {} now", step.node, target.node), 1.0);
    }
    found.extend(asked.moved(&format!("the form {}", step.node), Cause::FormMoved, score));
    if found.is_empty() && target.url.query() != step.recorded.url.query() && target.method != "GET" {
        let what = format!("the form {} is sent to {} now", target.node, request_uri(&target.url));
        found.push(Repair::new(Cause::FormMoved, asked.at, what, score));
    }
    if found.is_empty() {
        let what = format!(
            "{} has the form {} with other values, or in another place",
            asked.live().node,
            target.node
        );
        found.push(Repair::new(Cause::FormMoved, asked.at, what, score));
    }
    found
}

/// A value that was given, and where it comes from. A secret is not told.
fn told(value: &NewValue, field: &Field) -> String {
    let source = match value.source {
        ValueSource::Page => "as the page has it",
        ValueSource::Form => "as sessions sent it with this form",
        ValueSource::Name => "as sessions sent it under this name",
        ValueSource::Choice => "one of its choices",
        ValueSource::Constant => "a constant",
    };
    let is_secret = field.input == InputType::Password || restage_redact::is_password_name(&field.name);
    if is_secret { source.to_owned() } else { format!("`{}`, {source}", value.value) }
}
