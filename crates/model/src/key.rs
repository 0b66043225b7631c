//! A request's canonical name.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Params, PathTemplates, ValueShape};

/// Method, path template and sorted parameter names: `/book/17?x=1` and `/book/9?x=2` share
/// `GET /book/{n}?x`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(String);

impl Key {
    /// The key of a request. `form` is its URL-encoded body; empty where it has none.
    pub fn of(method: &str, uri: &str, form: &str) -> Self {
        Self::by(&PathTemplates::default(), method, uri, form)
    }

    /// The key of a request whose path may be one of these templates.
    pub fn by(templates: &PathTemplates, method: &str, uri: &str, form: &str) -> Self {
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        let mut names = Params::parse(query).names();
        names.extend(Params::parse(form).names());
        // A value without a name, as scripts add against caches: `/ping?1794786652`.
        for name in
            names.iter_mut().filter(|n| matches!(ValueShape::of(n), ValueShape::Number | ValueShape::Empty))
        {
            "{n}".clone_into(name);
        }
        names.sort();
        names.dedup();
        let mut key = match templates.of(path) {
            Some(template) => format!("{method} {template}"),
            None => format!("{method} {}", path_template(path)),
        };
        if !names.is_empty() {
            key.push('?');
            key.push_str(&names.join("&"));
        }
        Self(key)
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

/// The path with its ids replaced: `{n}` for a number, `{id}` for a UUID, a hash or a token.
fn path_template(path: &str) -> String {
    let segments: Vec<&str> = path.split('/').map(segment_template).collect();
    segments.join("/")
}

pub(crate) fn segment_template(segment: &str) -> &str {
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

    #[test]
    fn ids_but_not_slugs() {
        let key = |path: &str| Key::of("GET", path, "").as_str().to_owned();
        assert_eq!(key("/o/3f2504e0-4f89-41d3-9a0c-0305e82c3301"), "GET /o/{id}");
        assert_eq!(key("/o/d41d8cd98f00b204e9800998ecf8427e/x"), "GET /o/{id}/x");
        assert_eq!(key("/news/the-winter-of-2026-in-pictures"), "GET /news/the-winter-of-2026-in-pictures");
        assert_eq!(key("/v2/books.php"), "GET /v2/books.php");
    }
}
