//! The response headers worth comparing: what kind of content it is, who may keep it how long, what protects
//! the page, and which cookies are set how.
//!
//! Values that change with every answer are not looked at, or only whether they are there: an entity tag, a
//! date, a cookie's value, a nonce. Where a redirect leads is Flist's. Lists in which order means nothing are
//! compared as sets.
//!
//! - `directives`: values that are lists, and what a list lost and gained;
//! - `cookies`: which cookies are set, and with which attributes.

mod cookies;
mod directives;

use std::collections::BTreeSet;

use restage_model::{Difference, Headers};

use crate::said::{Said, quoted};
use directives::{Directives, Shape};

/// Headers of which only counts whether they are there.
const PRESENT: [&str; 3] = ["expires", "etag", "location"];

/// Headers whose value is one word or a list, and how it is to be read.
const LISTS: [(&str, Shape); 10] = [
    ("cache-control", Shape::Commas),
    ("vary", Shape::Commas),
    ("strict-transport-security", Shape::Semicolons),
    ("content-security-policy", Shape::Policy),
    ("content-security-policy-report-only", Shape::Policy),
    ("x-frame-options", Shape::Commas),
    ("x-content-type-options", Shape::Commas),
    ("referrer-policy", Shape::Commas),
    ("permissions-policy", Shape::Features),
    ("x-xss-protection", Shape::Semicolons),
];

/// Families of headers, all of whose members are lists.
const FAMILIES: [&str; 2] = ["cross-origin-", "access-control-allow-"];

/// What differs between the headers of two responses, of what is worth comparing.
pub fn header_differences(expected: &Headers, actual: &Headers) -> Vec<Difference> {
    header_differences_by_name(expected, actual).into_iter().map(|(_, difference)| difference).collect()
}

/// The same, each with the header's name.
pub(crate) fn header_differences_by_name(expected: &Headers, actual: &Headers) -> Vec<(String, Difference)> {
    let mut out = Vec::new();
    let mut told = |name: &str, tell: &dyn Fn(&mut Said)| {
        let mut said = Said::by("Headers");
        tell(&mut said);
        out.extend(said.finish().into_iter().map(|difference| (name.to_owned(), difference)));
    };
    told("content-type", &|said| content_type(said, expected, actual));
    told("content-disposition", &|said| content_disposition(said, expected, actual));
    for name in PRESENT {
        told(name, &|said| presence(said, name, expected, actual));
    }
    for (name, shape) in LISTS {
        told(name, &|said| list(said, name, shape, expected, actual));
    }
    for name in families(expected, actual) {
        told(name, &|said| list(said, name, Shape::Commas, expected, actual));
    }
    told("www-authenticate", &|said| authentication(said, expected, actual));
    told("set-cookie", &|said| cookies::compare(said, expected, actual));
    out
}

/// The kind of content; its charset where both give one, as leaving it out is no change of content.
fn content_type(said: &mut Said, expected: &Headers, actual: &Headers) {
    let (was, is) = (expected.media_type(), actual.media_type());
    match (&was, &is) {
        (Some(was), Some(is)) if was != is => {
            said.tell(|| (format!("content type {was} became {is}"), was.clone(), is.clone()));
        }
        _ => presence(said, "content-type", expected, actual),
    }
    let charset =
        |headers: &Headers| Some(parameter(headers.get("content-type")?, "charset")?.to_ascii_lowercase());
    if let (Some(was), Some(is)) = (charset(expected), charset(actual))
        && was != is
    {
        said.tell(|| (format!("charset {was} became {is}"), was.clone(), is.clone()));
    }
}

/// Whether the browser is to save it, and under which name.
fn content_disposition(said: &mut Said, expected: &Headers, actual: &Headers) {
    let name = "content-disposition";
    let (Some(was), Some(is)) = (expected.get(name), actual.get(name)) else {
        return presence(said, name, expected, actual);
    };
    let kind = |value: &str| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (kind_was, kind_is) = (kind(was), kind(is));
    if kind_was != kind_is {
        said.tell(|| (format!("{name} {kind_was} became {kind_is}"), readable(was), readable(is)));
    }
    let file = |value: &str| parameter(value, "filename*").or_else(|| parameter(value, "filename"));
    let (file_was, file_is) = (file(was), file(is));
    if file_was != file_is {
        let shown =
            |file: &Option<String>| file.as_deref().map_or("none".to_owned(), |f| quoted(&readable(f)));
        said.tell(|| {
            let summary = format!("the file's name {} became {}", shown(&file_was), shown(&file_is));
            (summary, readable(was), readable(is))
        });
    }
}

fn presence(said: &mut Said, name: &str, expected: &Headers, actual: &Headers) {
    match (expected.get(name), actual.get(name)) {
        (Some(was), None) => said.tell(|| (format!("header {name} is gone"), readable(was), String::new())),
        (None, Some(is)) => said.tell(|| (format!("header {name} appeared"), String::new(), readable(is))),
        _ => {}
    }
}

fn list(said: &mut Said, name: &str, shape: Shape, expected: &Headers, actual: &Headers) {
    let (Some(_), Some(_)) = (expected.get(name), actual.get(name)) else {
        return presence(said, name, expected, actual);
    };
    let (was, is) = (Directives::of(expected.all(name), shape), Directives::of(actual.all(name), shape));
    for change in was.changes(&is) {
        said.tell(|| {
            let joined = |headers: &Headers| readable(&headers.all(name).collect::<Vec<_>>().join(", "));
            (format!("header {name}: {change}"), joined(expected), joined(actual))
        });
    }
}

/// The members of the families that either side has.
fn families<'a>(expected: &'a Headers, actual: &'a Headers) -> BTreeSet<&'a str> {
    let names = expected.iter().chain(actual.iter()).map(|(name, _)| name);
    names.filter(|name| FAMILIES.iter().any(|family| name.starts_with(family))).collect()
}

/// How the server asks who one is; its realm and nonce are not looked at.
fn authentication(said: &mut Said, expected: &Headers, actual: &Headers) {
    let name = "www-authenticate";
    let (Some(_), Some(_)) = (expected.get(name), actual.get(name)) else {
        return presence(said, name, expected, actual);
    };
    let schemes = |headers: &Headers| {
        let mut schemes = BTreeSet::new();
        for part in headers.all(name).flat_map(|value| value.split(',')) {
            let part = part.trim();
            let word = part.split_ascii_whitespace().next().unwrap_or_default();
            // A parameter of the challenge before has an equals sign in its first word.
            if !word.is_empty()
                && !word.contains('=')
                && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            {
                schemes.insert(word.to_ascii_lowercase());
            }
        }
        schemes
    };
    let (was, is) = (schemes(expected), schemes(actual));
    if was != is {
        let shown = |schemes: BTreeSet<String>| schemes.into_iter().collect::<Vec<_>>().join(", ");
        let (was, is) = (shown(was), shown(is));
        said.tell(|| (format!("authentication {was} became {is}"), was.clone(), is.clone()));
    }
}

/// A parameter of a value such as `attachment; filename="a;b.txt"`.
fn parameter(value: &str, name: &str) -> Option<String> {
    directives::split_outside_quotes(value, ';').into_iter().skip(1).find_map(|part| {
        let (key, value) = part.split_once('=')?;
        let value = value.trim();
        let bare = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value);
        key.trim().eq_ignore_ascii_case(name).then(|| bare.replace("\\\"", "\""))
    })
}

fn readable(value: &str) -> String {
    Headers::readable(value)
}

#[cfg(test)]
mod tests;
