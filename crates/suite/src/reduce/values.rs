//! The parameters of a request: of its query and of its body, be that a form, with files or without, or JSON.

use restage_model::{Multipart, Params, Request, ValueShape};
use serde_json::Value;

use crate::source::{ExchangeSource, SourceError, body_text};

/// What a token's value counts as.
const TOKEN: &str = "{token}";

/// Names and values, in order.
pub(crate) fn parameters(
    source: &dyn ExchangeSource,
    request: &Request,
) -> Result<Vec<(String, String)>, SourceError> {
    let mut all = Params::parse(request.query()).pairs();
    match request.headers.media_type().as_deref() {
        Some("application/x-www-form-urlencoded") => {
            all.extend(Params::parse(&body_text(source, &request.body)?).pairs());
        }
        Some("multipart/form-data") => {
            all.extend(Multipart::fields(&request.headers, &source.body(&request.body)?));
        }
        Some(json) if json == "application/json" || json.ends_with("+json") => {
            if let Ok(value) = serde_json::from_str(&body_text(source, &request.body)?) {
                json_fields("$", &value, &mut all);
            }
        }
        _ => {}
    }
    Ok(all)
}

/// A value, or what it counts as where it is drawn anew each time.
pub(crate) fn without_token(value: &str) -> &str {
    if is_token(value) { TOKEN } else { value }
}

/// Whether a value looks drawn anew each time.
pub(crate) fn is_token(value: &str) -> bool {
    let shape = ValueShape::of(value);
    shape.is_token() || shape == ValueShape::DateTime
}

/// The leaves of JSON by their path; places in arrays do not count.
fn json_fields(path: &str, value: &Value, into: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| json_fields(&format!("{path}.{name}"), value, into));
        }
        Value::Array(items) => items.iter().for_each(|item| json_fields(&format!("{path}[]"), item, into)),
        Value::String(text) => into.push((path.to_owned(), text.clone())),
        Value::Null => into.push((path.to_owned(), String::new())),
        other => into.push((path.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a body whose fields are not found, so that sessions that differ in them count as alike.
    #[test]
    fn fields_of_every_kind_of_body() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let mut fields = Vec::new();
        let json = serde_json::json!({ "a": { "b": [1, "x"] }, "n": null });
        json_fields("$", &json, &mut fields);
        assert_eq!(fields, [pair("$.a.b[]", "1"), pair("$.a.b[]", "x"), pair("$.n", "")]);
    }

    /// Catches tokens that make every session one of its own.
    #[test]
    fn tokens_count_as_one_value() {
        assert_eq!(without_token("d41d8cd98f00b204e9800998ecf8427e"), TOKEN);
        for value in
            ["1794786652123456", "the hobbit, or there and back", "anna@example.org", "2026-11-15", ""]
        {
            assert_eq!(without_token(value), value);
        }
    }
}
