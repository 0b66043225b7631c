//! Where in earlier answers a value was.

use restage_html::{FieldKind, Page};
use restage_model::Exchange;
use serde_json::Value;

use crate::export::script::ValueSource;
use crate::source::{ExchangeSource, SourceError};

/// The values in an answer that a script can read out of it, and where they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answered(Vec<(String, ValueSource)>);

impl Answered {
    /// Reads an answer.
    pub(crate) fn of(exchange: &Exchange, source: &dyn ExchangeSource) -> Result<Self, SourceError> {
        let Some(response) = &exchange.response else { return Ok(Self::default()) };
        let mut values = Vec::new();
        match response.headers.media_type().as_deref() {
            Some("text/html" | "application/xhtml+xml") => {
                page(&Page::of(&source.body(&response.body)?), &mut values);
            }
            Some(json) if json == "application/json" || json.ends_with("+json") => {
                if let Ok(value) = serde_json::from_slice(&source.body(&response.body)?) {
                    fields(&mut Vec::new(), &value, &mut values);
                }
            }
            _ => {}
        }
        Ok(Self(values))
    }
}

/// The last of the answers that held a value, and where.
pub(crate) fn origin(answered: &[Answered], value: &str) -> Option<(usize, ValueSource)> {
    answered.iter().enumerate().rev().find_map(|(step, answered)| {
        let (_, place) = answered.0.iter().find(|(held, _)| held == value)?;
        Some((step, place.clone()))
    })
}

fn page(page: &Page, values: &mut Vec<(String, ValueSource)>) {
    let inputs: Vec<_> =
        page.forms.iter().flat_map(|form| &form.fields).filter(|f| f.kind == FieldKind::Hidden).collect();
    for (place, field) in inputs.iter().enumerate() {
        let nth = inputs[..place].iter().filter(|other| other.name == field.name).count();
        values.push((field.value.clone(), ValueSource::Input(field.name.clone(), nth)));
    }
    for meta in &page.metas {
        values.push((meta.content.clone(), ValueSource::Meta(meta.name.clone())));
    }
}

/// Only objects: a place in a list is no place to rely on.
fn fields(path: &mut Vec<String>, value: &Value, values: &mut Vec<(String, ValueSource)>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                path.push(name.clone());
                fields(path, member, values);
                path.pop();
            }
        }
        Value::String(text) => values.push((text.clone(), ValueSource::Json(path.clone()))),
        _ => {}
    }
}
