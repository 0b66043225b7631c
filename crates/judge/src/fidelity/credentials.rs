//! Which requests prove who the user is.

use std::collections::HashSet;

use restage_model::{Multipart, Params, Step, ValueShape};
use restage_redact::{PasswordFields, Redactor, is_password_name};
use restage_store::{Store, StoreError};
use serde_json::Value;

/// What a request proved who the user is with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Credential {
    /// What stands for a secret that the recording does not have.
    StandIn,
    /// A password.
    Password,
}

impl Credential {
    /// That of a step's request, where it has one.
    pub(crate) fn of(
        store: &Store,
        step: &Step,
        stand_ins: &HashSet<u64>,
        fields: &PasswordFields,
    ) -> Result<Option<Self>, StoreError> {
        let is_made = |value: &str| stand_ins.contains(&Redactor::hash(value));
        if let Some(given) = step.sent.headers.get("authorization")
            && given.to_ascii_lowercase().starts_with("basic ")
        {
            let made = given.split_once(' ').is_some_and(|(_, value)| is_made(value)) || is_made(given);
            return Ok(Some(if made { Self::StandIn } else { Self::Password }));
        }
        if matches!(step.sent.method.as_str(), "GET" | "HEAD" | "OPTIONS") {
            return Ok(None);
        }
        let typed = typed(store, step)?;
        let path = step.sent.uri.split('?').next().unwrap_or_default();
        let passwords: Vec<&String> = typed
            .iter()
            .filter(|(name, value)| !value.is_empty() && (is_password_name(name) || fields.has(path, name)))
            .map(|(_, value)| value)
            .collect();
        match passwords.as_slice() {
            [] => {}
            [value] => return Ok(Some(if is_made(value) { Self::StandIn } else { Self::Password })),
            // Typed twice, it is a new one: an account is made, or its password changed.
            _ => return Ok(None),
        }
        // A field that neither its name nor a page says is a password: a rule of the project does.
        let secret = |value: &str| {
            let shape = ValueShape::of(value);
            is_made(value) && !value.contains('@') && !shape.is_token() && shape != ValueShape::Number
        };
        Ok(typed.iter().any(|(_, value)| secret(value)).then_some(Self::StandIn))
    }
}

/// What a request's body holds: names and values of a form, or of JSON.
pub(crate) fn typed(store: &Store, step: &Step) -> Result<Vec<(String, String)>, StoreError> {
    let body = store.body(&step.sent.body)?;
    if let Ok(value) = serde_json::from_slice::<Value>(&body)
        && (value.is_object() || value.is_array())
    {
        let mut typed = Vec::new();
        of_json("", &value, &mut typed);
        return Ok(typed);
    }
    let params = Multipart::parse(&step.sent.headers, &body)
        .map_or_else(|| Params::parse(&String::from_utf8_lossy(&body)), |form| form.params());
    Ok(params.pairs())
}

fn of_json(name: &str, value: &Value, typed: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => typed.push((name.to_owned(), text.clone())),
        Value::Array(entries) => entries.iter().for_each(|entry| of_json(name, entry, typed)),
        Value::Object(members) => members.iter().for_each(|(name, member)| of_json(name, member, typed)),
        _ => {}
    }
}

/// Where the pages of some steps, as recorded and as they are, have password fields.
pub(crate) fn password_fields(store: &Store, steps: &[Step]) -> Result<PasswordFields, StoreError> {
    let mut fields = PasswordFields::default();
    for step in steps {
        let recorded =
            store.exchange(step.exchange)?.response.map(|response| (response.headers, response.body));
        let live = step.answer.received().map(|live| (live.headers.clone(), live.body));
        for (headers, body) in recorded.into_iter().chain(live) {
            if headers.media_type().is_some_and(|kind| kind.ends_with("html")) {
                fields.learn(&step.sent.uri, &store.body(&body)?);
            }
        }
    }
    Ok(fields)
}
