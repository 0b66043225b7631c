//! Values in header fields: tokens in fields of their own, cookies, and what a redirect's address carries.

use restage_model::{Headers, Params, SetCookie};

use super::value::Looks;
use super::value_index::{HeldValue, ValueIndex, Variant};

/// Fields that say how a response came, and hold nothing that is sent back.
const NOT_VALUES: &[&str] = &[
    "age",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-security-policy",
    "content-type",
    "date",
    "etag",
    "expires",
    "keep-alive",
    "last-modified",
    "link",
    "server",
    "set-cookie",
    "strict-transport-security",
    "transfer-encoding",
    "vary",
    "via",
    "x-powered-by",
];

/// Adds the values of a response's header fields.
pub(super) fn collect(status: u16, headers: &Headers, index: &mut ValueIndex) {
    for (name, value) in headers.iter() {
        match name {
            "location" if (300..400).contains(&status) || status == 201 => {
                location(&Headers::readable(value), index);
            }
            _ if NOT_VALUES.contains(&name) => {}
            _ => {
                if Looks::of(value) == Some(Looks::Token) {
                    index.add(HeldValue::new(format!("header {name}"), name, value));
                }
            }
        }
    }
    for cookie in headers.all("set-cookie").filter_map(SetCookie::parse) {
        for (variant, value) in Variant::all(&cookie.value) {
            if Looks::of(&value) == Some(Looks::Token) {
                let place = format!("cookie {}", cookie.name);
                index.add(HeldValue { variant, cookie: true, ..HeldValue::new(place, &cookie.name, &value) });
            }
        }
    }
}

/// Adds what a redirect's address carries: ids in its path, its parameters, and those behind its `#`.
fn location(address: &str, index: &mut ValueIndex) {
    let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let mut add = |place: String, name: &str, value: &str, in_path: bool| {
        index.add(HeldValue { redirect: true, in_path, ..HeldValue::new(place, name, value) });
    };
    for (name, value) in in_path(path) {
        add(format!("redirect: path after {name}"), &name, value, true);
    }
    for (from, said) in [(query, "parameter"), (fragment.trim_start_matches(['/', '?', '!']), "fragment")] {
        for param in Params::parse(from).0 {
            // A fragment may be the value itself: `/#hWhrYg`.
            let (name, value) = (param.name(), param.value());
            let (name, value) = if value.is_empty() { (String::new(), name) } else { (name, value) };
            add(format!("redirect: {said} {name}"), &name, &value, false);
        }
    }
}

/// The ids and tokens in a path, each with the segment before it: `/post/17/edit` has 17 after `post`.
pub(super) fn in_path(path: &str) -> Vec<(String, &str)> {
    let path = path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, p)| p));
    let mut found = Vec::new();
    let mut before = "";
    for segment in path.split('/').filter(|s| !s.is_empty()) {
        // `/note/17.json` is note 17.
        let stem = segment.split_once('.').map_or(segment, |(stem, _)| stem);
        if Looks::of(stem).is_some() {
            found.push((before.to_owned(), stem));
        } else {
            before = segment;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(fields: &[(&str, &str)]) -> ValueIndex {
        let headers = fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let mut index = ValueIndex::default();
        collect(302, &headers, &mut index);
        index
    }

    #[test]
    fn what_a_redirect_carries() {
        let found =
            index(&[("location", "http://app/post/17/edit?token=ab12cd34ef&n=3#access_token=9f8e7d6c5b")]);
        let place = |value: &str| found.of_value(value).next().map(|h| h.place.clone());
        assert_eq!(place("17").as_deref(), Some("redirect: path after post"));
        assert_eq!(place("ab12cd34ef").as_deref(), Some("redirect: parameter token"));
        assert_eq!(place("9f8e7d6c5b").as_deref(), Some("redirect: fragment access_token"));
    }

    #[test]
    fn tokens_in_fields_and_cookies_but_no_dates() {
        let found = index(&[
            ("x-csrf-token", "0a1b2c3d4e"),
            ("etag", "\"5f6a7b8c9d\""),
            ("set-cookie", "XSRF-TOKEN=eyJpdiI6Ijk4NyJ9%3D; path=/"),
        ]);
        assert!(found.of_value("0a1b2c3d4e").next().is_some());
        assert!(found.of_value("\"5f6a7b8c9d\"").next().is_none());
        let decoded = found.of_value("eyJpdiI6Ijk4NyJ9=").next().unwrap();
        assert_eq!((decoded.variant, decoded.cookie), (Variant::Decoded, true));
    }
}
