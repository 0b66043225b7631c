//! The parameters of a request: of its query and of its body, be that a form, with files or without, or JSON.

use restage_model::{Params, Request, ValueShape};
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
    let content_type = request.headers.get("content-type").unwrap_or_default();
    match request.headers.media_type().as_deref() {
        Some("application/x-www-form-urlencoded") => {
            all.extend(Params::parse(&body_text(source, &request.body)?).pairs());
        }
        Some("multipart/form-data") => {
            let boundary = content_type.split_once("boundary=").map_or("", |(_, b)| b);
            let boundary = boundary.split(';').next().unwrap_or_default().trim_matches([' ', '"']);
            all.extend(multipart_fields(&body_text(source, &request.body)?, boundary));
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

/// The fields of a multipart form. A file counts by its name alone: what is in it is no parameter.
fn multipart_fields(body: &str, boundary: &str) -> Vec<(String, String)> {
    if boundary.is_empty() {
        return Vec::new();
    }
    let delimiter = format!("--{boundary}");
    let parts = body.split(&delimiter).skip(1);
    parts
        .filter_map(|part| {
            let (head, value) = part.split_once("\r\n\r\n")?;
            let name = quoted(head, "; name=\"")?;
            let value = match quoted(head, "; filename=\"") {
                Some(file) => file,
                None => value.strip_suffix("\r\n").unwrap_or(value),
            };
            Some((name.to_owned(), value.to_owned()))
        })
        .collect()
}

fn quoted<'a>(head: &'a str, before: &str) -> Option<&'a str> {
    head.split_once(before)?.1.split('"').next()
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
        let body = "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nDune\r\n--x\r\nContent-Disposition: \
                    form-data; name=\"cover\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n\u{1}\r\n--x--\r\n";
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(multipart_fields(body, "x"), [pair("title", "Dune"), pair("cover", "a.png")]);
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
