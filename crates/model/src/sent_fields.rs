//! What a request sends besides its address, for people to read.

use serde_json::Value;

use crate::{Headers, Multipart, Params};

/// The names and values of a body: the fields of a form, of a file its name; of a JSON object its members, those that are no
/// single value as JSON. Nothing of any other body.
pub fn sent_fields(headers: &Headers, body: &[u8]) -> Vec<(String, String)> {
    match headers.media_type().as_deref() {
        Some("application/x-www-form-urlencoded") => Params::parse(&String::from_utf8_lossy(body)).pairs(),
        Some("multipart/form-data") => Multipart::fields(headers, body),
        Some(json) if json == "application/json" || json.ends_with("+json") => members(body),
        _ => Vec::new(),
    }
}

fn members(body: &[u8]) -> Vec<(String, String)> {
    let Ok(Value::Object(members)) = serde_json::from_slice(body) else { return Vec::new() };
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    members.into_iter().map(|(name, value)| (name, text(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(media_type: &str, body: &str) -> Vec<(String, String)> {
        let headers = [("Content-Type".to_owned(), media_type.to_owned())].into_iter().collect();
        sent_fields(&headers, body.as_bytes())
    }

    /// Catches: a step of which nobody can see what the user typed.
    #[test]
    fn forms_and_objects() {
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        assert_eq!(
            fields("application/x-www-form-urlencoded; charset=utf-8", "book=17&note=a+%26b"),
            pairs(&[("book", "17"), ("note", "a &b")])
        );
        let mut members =
            fields("application/json", r#"{"title": "Emma", "count": 2, "tags": ["a"], "sold": null}"#);
        // Their order is that of the reader of JSON.
        members.sort();
        assert_eq!(
            members,
            pairs(&[("count", "2"), ("sold", "null"), ("tags", "[\"a\"]"), ("title", "Emma")])
        );
        assert_eq!(fields("application/json", "[1]"), []);
        assert_eq!(fields("text/plain", "a=b"), []);
    }
}
