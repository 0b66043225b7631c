//! A request's canonical name.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use crate::{KeyRules, Multipart, Params, Request, ValueShape};

/// What would read as something else in a key, or in a pattern of keys.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'&').add(b'=').add(b'?').add(b'*');

/// Method, path template and sorted parameter names: `/book/17?x=1` and `/book/9?x=2` share
/// `GET /book/{n}?x`. A parameter that tells pages apart has its value: `GET /doku.php?do=edit&id`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(String);

impl Key {
    /// The key of a request. `form` is its URL-encoded body; empty where it has none.
    pub fn of(method: &str, uri: &str, form: &str) -> Self {
        Self::by(&KeyRules::default(), method, uri, form)
    }

    /// The key of a request by these rules.
    pub fn by(rules: &KeyRules, method: &str, uri: &str, form: &str) -> Self {
        Self::made(rules, method, uri, &Params::parse(form).pairs(), &[])
    }

    /// The key of a request by these rules. `body` reads its body, and is called where that says something.
    pub fn of_request<E>(
        rules: &KeyRules,
        request: &Request,
        body: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Self, E> {
        let media_type = request.headers.media_type();
        let (mut form, mut fields) = (Vec::new(), Vec::new());
        match media_type.as_deref() {
            Some("application/x-www-form-urlencoded") => {
                form = Params::parse(&String::from_utf8_lossy(&body()?)).pairs();
            }
            // Of other bodies a value alone belongs to a key, and only where it tells pages apart.
            Some(other) if !rules.parameters.is_empty() && has_fields(other) => {
                fields = body_fields(request, &body()?);
            }
            _ => {}
        }
        Ok(Self::made(rules, &request.method, &request.uri, &form, &fields))
    }

    fn made(
        rules: &KeyRules,
        method: &str,
        uri: &str,
        form: &[(String, String)],
        fields: &[(String, String)],
    ) -> Self {
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        let template: Cow<'_, str> = rules.path_name(path);
        let mut names: Vec<String> = Vec::new();
        let named = |name: &str, value: &str| {
            let names_page = rules.parameters.names_page(path, &template, name, value);
            names_page.then(|| format!("{name}={}", utf8_percent_encode(value, ESCAPED)))
        };
        for (name, value) in Params::parse(query).pairs().iter().chain(form) {
            names.push(match ValueShape::of(name) {
                // A value without a name, as scripts add against caches: `/ping?1794786652`.
                ValueShape::Number | ValueShape::Empty => "{n}".to_owned(),
                _ => named(name, value).unwrap_or_else(|| name.clone()),
            });
        }
        names.extend(fields.iter().filter_map(|(name, value)| named(name, value)));
        names.sort();
        names.dedup();
        let mut key = format!("{method} {template}");
        if !names.is_empty() {
            key.push('?');
            key.push_str(&names.join("&"));
        }
        Self(key)
    }

    /// The key without values, as it was before any parameter was known to tell pages apart: `GET /doku.php?do&id`.
    pub fn without_values(&self) -> Cow<'_, str> {
        key_without_values(&self.0)
    }

    /// A key as it is shown, where a part of it is not for everybody's eyes.
    pub fn shown_as(text: String) -> Self {
        Self(text)
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text of a key without values.
pub fn key_without_values(key: &str) -> Cow<'_, str> {
    match key.split_once('?') {
        Some((path, names)) if names.contains('=') => {
            let mut names: Vec<&str> =
                names.split('&').map(|name| name.split_once('=').map_or(name, |(name, _)| name)).collect();
            names.sort_unstable();
            names.dedup();
            Cow::Owned(format!("{path}?{}", names.join("&")))
        }
        _ => Cow::Borrowed(key),
    }
}

impl KeyRules {
    /// What a key calls a path.
    pub fn path_name<'a>(&'a self, path: &'a str) -> Cow<'a, str> {
        match self.templates.of(path) {
            Some(template) => Cow::Borrowed(template.as_str()),
            None => Cow::Owned(path_template(path)),
        }
    }
}

/// Whether a body of this type has fields that are no URL-encoded form.
fn has_fields(media_type: &str) -> bool {
    media_type == "multipart/form-data" || media_type == "application/json" || media_type.ends_with("+json")
}

/// The names and values of a request's body: a form's, with files or without, or of JSON the texts on top.
pub fn body_fields(request: &Request, body: &[u8]) -> Vec<(String, String)> {
    match request.headers.media_type().as_deref() {
        Some("application/x-www-form-urlencoded") => Params::parse(&String::from_utf8_lossy(body)).pairs(),
        Some("multipart/form-data") => Multipart::fields(&request.headers, body),
        Some(json) if has_fields(json) => match serde_json::from_slice(body) {
            Ok(serde_json::Value::Object(fields)) => {
                let text = |value: serde_json::Value| value.as_str().map(str::to_owned);
                fields.into_iter().filter_map(|(name, value)| Some((name, text(value)?))).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The path with its ids replaced: `{n}` for a number, `{id}` for a UUID, a hash or a token.
fn path_template(path: &str) -> String {
    let segments: Vec<&str> = path.split('/').map(segment_template).collect();
    segments.join("/")
}

pub(super) fn segment_template(segment: &str) -> &str {
    match ValueShape::of(segment) {
        ValueShape::Number => "{n}",
        ValueShape::Token => "{id}",
        _ => segment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_parameters() {
        assert_eq!(Key::of("GET", "/book/17?x=1", ""), Key::of("GET", "/book/9?x=2", ""));
        assert_eq!(Key::of("GET", "/book/17?x=1", "").as_str(), "GET /book/{n}?x");
        assert_eq!(Key::of("POST", "/cart?b=1", "csrf=1&a=2").as_str(), "POST /cart?a&b&csrf");
    }

    #[test]
    fn a_number_for_a_parameter_is_no_name() {
        let key = |uri: &str| Key::of("GET", uri, "").as_str().to_owned();
        assert_eq!(key("/ping.php?id=start&1794786652"), "GET /ping.php?id&{n}");
        assert_eq!(key("/list?0=a&1=b"), "GET /list?{n}");
    }

    /// Catches: pages of a front controller under one key, values that are data in a key, and a key whose values cannot be
    /// told from its names.
    #[test]
    fn page_parameters_bring_their_values() {
        let mut rules = KeyRules::default();
        rules.parameters.learnt = vec!["/doku.php?do".parse().unwrap(), "/rpc?method".parse().unwrap()];
        rules.parameters.listed = vec!["step".parse().unwrap()];
        let key = |uri: &str, form: &str| Key::by(&rules, "GET", uri, form);
        assert_eq!(key("/doku.php?id=start&do=edit", "").as_str(), "GET /doku.php?do=edit&id");
        assert_eq!(key("/doku.php?id=start&do=17", "").as_str(), "GET /doku.php?do&id");
        assert_eq!(key("/doku.php?id=start", "do=a%26b%3D*").as_str(), "GET /doku.php?do=a%26b%3D%2A&id");
        assert_eq!(key("/doku.php?do=a%26b&do=c", "x=1").without_values(), "GET /doku.php?do&x");
        assert_eq!(key("/other.php?do=edit", "").as_str(), "GET /other.php?do");
        assert_eq!(key("/setup?step=2", "").as_str(), "GET /setup?step=2");
        let request = |media_type: &str| Request {
            method: "POST".to_owned(),
            uri: "/rpc".to_owned(),
            headers: [("content-type".to_owned(), media_type.to_owned())].into_iter().collect(),
            body: crate::BodyRef::default(),
        };
        let of = |media_type: &str, body: &str| {
            Key::of_request(&rules, &request(media_type), || Ok::<_, ()>(body.as_bytes().to_vec())).unwrap()
        };
        let json = of("application/json", "{\"method\": \"user.login\", \"id\": \"x\"}");
        assert_eq!(json.as_str(), "POST /rpc?method=user.login");
        let form = "--b\r\nContent-Disposition: form-data; name=\"method\"\r\n\r\nupload\r\n--b--\r\n";
        assert_eq!(of("multipart/form-data; boundary=b", form).as_str(), "POST /rpc?method=upload");
        rules.parameters.data = vec!["/doku.php?do".parse().unwrap()];
        assert_eq!(Key::by(&rules, "GET", "/doku.php?do=edit", "").as_str(), "GET /doku.php?do");
    }

    #[test]
    fn ids_but_not_slugs() {
        let key = |path: &str| Key::of("GET", path, "").as_str().to_owned();
        assert_eq!(key("/o/3f2504e0-4f89-41d3-9a0c-0305e82c3301"), "GET /o/{id}");
        assert_eq!(key("/o/d41d8cd98f00b204e9800998ecf8427e/x"), "GET /o/{id}/x");
        assert_eq!(key("/news/the-winter-of-2026-in-pictures"), "GET /news/the-winter-of-2026-in-pictures");
        assert_eq!(key("/v2/books.php"), "GET /v2/books.php");
    }
}
