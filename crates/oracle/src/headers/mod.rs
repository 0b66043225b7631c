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

use restage_model::{Difference, Headers, Place};

use crate::diff::collector::DifferenceCollector;
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
    let mut told = |name: &str, tell: &dyn Fn(&mut DifferenceCollector)| {
        let mut found = DifferenceCollector::by("Headers");
        tell(&mut found);
        out.extend(found.finish().into_iter().map(|difference| (name.to_owned(), difference)));
    };
    told("content-type", &|found| content_type(found, expected, actual));
    told("content-disposition", &|found| content_disposition(found, expected, actual));
    for name in PRESENT {
        told(name, &|found| presence(found, name, expected, actual));
    }
    for (name, shape) in LISTS {
        told(name, &|found| list(found, name, shape, expected, actual));
    }
    for name in families(expected, actual) {
        told(name, &|found| list(found, name, Shape::Commas, expected, actual));
    }
    told("www-authenticate", &|found| authentication(found, expected, actual));
    told("set-cookie", &|found| cookies::compare(found, expected, actual));
    out
}

/// The kind of content; its charset where both give one, as leaving it out is no change of content.
fn content_type(found: &mut DifferenceCollector, expected: &Headers, actual: &Headers) {
    let (was, is) = (expected.media_type(), actual.media_type());
    match (&was, &is) {
        (Some(was), Some(is)) if was != is => {
            found.changed(|| (header("content-type", None), was.clone(), is.clone()));
        }
        _ => presence(found, "content-type", expected, actual),
    }
    let charset =
        |headers: &Headers| Some(parameter(headers.get("content-type")?, "charset")?.to_ascii_lowercase());
    if let (Some(was), Some(is)) = (charset(expected), charset(actual))
        && was != is
    {
        found.changed(|| (header("content-type", Some("charset")), was.clone(), is.clone()));
    }
}

/// Whether the browser is to save it, and under which name.
fn content_disposition(found: &mut DifferenceCollector, expected: &Headers, actual: &Headers) {
    let name = "content-disposition";
    let (Some(was), Some(is)) = (expected.get(name), actual.get(name)) else {
        return presence(found, name, expected, actual);
    };
    let kind = |value: &str| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (kind_was, kind_is) = (kind(was), kind(is));
    if kind_was != kind_is {
        found.changed(|| (header(name, None), kind_was.clone(), kind_is.clone()));
    }
    let file = |value: &str| parameter(value, "filename*").or_else(|| parameter(value, "filename"));
    let (file_was, file_is) = (file(was), file(is));
    if file_was != file_is {
        let shown = |file: Option<String>| file.map(|name| readable(&name));
        found.add(|| (header(name, Some("filename")), shown(file_was), shown(file_is)));
    }
}

fn presence(found: &mut DifferenceCollector, name: &str, expected: &Headers, actual: &Headers) {
    match (expected.get(name), actual.get(name)) {
        (Some(was), None) => found.add(|| (header(name, None), Some(readable(was)), None)),
        (None, Some(is)) => found.add(|| (header(name, None), None, Some(readable(is)))),
        _ => {}
    }
}

fn list(found: &mut DifferenceCollector, name: &str, shape: Shape, expected: &Headers, actual: &Headers) {
    let (Some(_), Some(_)) = (expected.get(name), actual.get(name)) else {
        return presence(found, name, expected, actual);
    };
    let (was, is) = (Directives::of(expected.all(name), shape), Directives::of(actual.all(name), shape));
    for (directive, was, is) in was.changes(&is) {
        found.add(|| (header(name, directive.as_deref()), was, is));
    }
}

fn header(name: &str, part: Option<&str>) -> Place {
    Place::Header { name: name.to_owned(), part: part.map(str::to_owned) }
}

/// The members of the families that either side has.
fn families<'a>(expected: &'a Headers, actual: &'a Headers) -> BTreeSet<&'a str> {
    let names = expected.iter().chain(actual.iter()).map(|(name, _)| name);
    names.filter(|name| FAMILIES.iter().any(|family| name.starts_with(family))).collect()
}

/// How the server asks who one is; its realm and nonce are not looked at.
fn authentication(found: &mut DifferenceCollector, expected: &Headers, actual: &Headers) {
    let name = "www-authenticate";
    let (Some(_), Some(_)) = (expected.get(name), actual.get(name)) else {
        return presence(found, name, expected, actual);
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
        found.changed(|| (header(name, None), was, is));
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
