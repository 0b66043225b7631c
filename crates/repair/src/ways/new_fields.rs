//! Values for fields that are new: what the same user gave a field of this name, what other sessions did, what the form enumerates,
//! or a constant.

use restage_html::{Field, FieldKind, Form, InputType};
use restage_model::{ExchangeId, Param, Params};
use restage_site::{FilledFields, FormTarget, Submission, ValueSource, fill_fields, name_template};

use super::offer::Asked;
use crate::context::Context;
use crate::old::OldSession;

/// What is in the names of fields that want a value once more.
const AGAIN: &[&str] = &["confirm", "repeat", "again", "retype", "verify", "verification"];

/// A value for a field that is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NewValue {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) source: ValueSource,
}

/// What a form is filled in with where nobody recorded that: `given` are values that are meant for it.
pub(super) fn fill(
    context: &Context<'_>,
    session: &OldSession,
    at: usize,
    target: &FormTarget<'_>,
    given: &[(String, String)],
) -> FilledFields {
    let own = own_values(session, at, target.form, given);
    let user = session.session.name.as_str();
    let others = context.lookup.of_form(&target.node, user);
    let others = others.into_iter().find(|submission| submission.accepted);
    let mut fields = own;
    for (name, value) in others.iter().flat_map(|submission| &submission.fields) {
        if !fields.iter().any(|(known, _)| known == name) {
            fields.push((name.clone(), value.clone()));
        }
    }
    let exchange = others.map_or(session.steps[at].exchange.id, |submission| submission.exchange);
    let submission = Submission { exchange, user: user.to_owned(), accepted: true, fields };
    let submission = Some(&submission).filter(|submission| !submission.fields.is_empty());
    let mut filled = fill_fields(target.form, target.button, submission, context.lookup, context.constants);
    repeat(target.form, &mut filled.pairs);
    for field in target.form.fields.iter().filter(|field| field.kind == FieldKind::Checkbox && field.required)
    {
        if !filled.pairs.iter().any(|(name, _)| *name == field.name) {
            filled.pairs.push((field.name.clone(), field.value.clone()));
        }
    }
    filled
}

/// What the session itself gave fields of these names, in this step or the one nearest to it.
fn own_values(
    session: &OldSession,
    at: usize,
    form: &Form,
    given: &[(String, String)],
) -> Vec<(String, String)> {
    let mut order: Vec<usize> = (0..session.steps.len()).collect();
    order.sort_by_key(|other| other.abs_diff(at));
    let mut values: Vec<(String, String)> = given.to_vec();
    for field in form.fields.iter().filter(|field| field.kind != FieldKind::Hidden) {
        let name = name_template(&field.name);
        if values.iter().any(|(known, _)| name_template(known) == name) {
            continue;
        }
        let found = order.iter().find_map(|step| {
            let pairs = session.steps[*step].sent.pairs();
            pairs.into_iter().find(|(known, value)| name_template(known) == name && !value.is_empty())
        });
        values.extend(found.map(|(_, value)| (field.name.clone(), value)));
    }
    values
}

/// Gives fields that want a value once more what the field before them has.
fn repeat(form: &Form, pairs: &mut [(String, String)]) {
    for field in form.fields.iter().filter(|field| wants_again(field)) {
        let first = form.fields.iter().find(|other| other.input == field.input && !wants_again(other));
        let value = first.and_then(|first| pairs.iter().find(|(name, _)| *name == first.name).cloned());
        if let Some((_, value)) = value.filter(|(_, value)| !value.is_empty())
            && let Some(pair) = pairs.iter_mut().find(|(name, _)| *name == field.name)
        {
            pair.1 = value;
        }
    }
}

fn wants_again(field: &Field) -> bool {
    let name = field.name.to_ascii_lowercase();
    let is_secret = field.input == InputType::Password;
    AGAIN.iter().any(|word| name.contains(word))
        || is_secret && (name.ends_with('2') || name.starts_with("re"))
}

/// Gives new fields of a form values, in what is sent: those that have none, and none but them. What was given, and the recorded
/// requests that it comes from.
pub(super) fn give_values(
    asked: Asked<'_>,
    target: &FormTarget<'_>,
    fresh: &[&Field],
    params: &mut Params,
) -> (Vec<NewValue>, Vec<ExchangeId>) {
    // What a new field has when nobody touches it was given by nobody.
    let is_open =
        |(name, value): &(String, String)| value.is_empty() && fresh.iter().any(|f| f.name == *name);
    let given: Vec<(String, String)> = params.pairs().into_iter().filter(|pair| !is_open(pair)).collect();
    let filled = fill(asked.context, asked.session, asked.at, target, &given);
    let mut values = Vec::new();
    for field in fresh {
        let has_value = given.iter().any(|(name, value)| *name == field.name && !value.is_empty());
        let Some((_, value)) = filled.pairs.iter().find(|(name, _)| *name == field.name) else { continue };
        if has_value || value.is_empty() {
            continue;
        }
        let source = filled.sources.iter().find(|(name, _)| *name == field.name);
        let source = source.map_or(ValueSource::Constant, |(_, source)| *source);
        match params.0.iter_mut().find(|param| param.name() == field.name) {
            Some(param) => param.set_value(value),
            None => params.0.push(Param::new(&field.name, value)),
        }
        values.push(NewValue { name: field.name.clone(), value: value.clone(), source });
    }
    (values, filled.from)
}
