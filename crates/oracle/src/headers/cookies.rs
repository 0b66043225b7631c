//! Which cookies a response sets and deletes, and with which attributes. Their values are not looked at.

use std::collections::{BTreeMap, BTreeSet};

use restage_model::{Headers, Moment, Place, SetCookie, ValueShape};

use crate::diff::collector::DifferenceCollector;

/// How a response sets a cookie.
#[derive(Debug, PartialEq, Eq)]
struct Setting {
    deletes: bool,
    http_only: bool,
    secure: bool,
    same_site: Option<String>,
    path: Option<String>,
}

impl Setting {
    fn of(header: &str, now: Moment) -> Option<(String, Self)> {
        let cookie = SetCookie::parse_at(header, now)?;
        let mut setting = Self {
            deletes: cookie.removes,
            http_only: false,
            secure: false,
            same_site: None,
            path: cookie.path,
        };
        for part in header.split(';').skip(1) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match name.trim().to_ascii_lowercase().as_str() {
                "httponly" => setting.http_only = true,
                "secure" => setting.secure = true,
                "samesite" => setting.same_site = Some(capitalised(value.trim())),
                _ => {}
            }
        }
        Some((steady(&Headers::readable(&cookie.name)), setting))
    }

    /// What is done with the cookie.
    fn deed(&self) -> String {
        if self.deletes { "deleted" } else { "set" }.to_owned()
    }
}

pub(super) fn compare(found: &mut DifferenceCollector, expected: &Headers, actual: &Headers) {
    let (before, after) = (settings(expected), settings(actual));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let (was, is) = (before.get(name), after.get(name));
        for (attribute, was, is) in changes(was, is) {
            let attribute = attribute.map(str::to_owned);
            found.add(|| (Place::Cookie { name: name.clone(), attribute }, was, is));
        }
    }
}

/// A name without the hash that some applications put into it, which is other on every port and host.
fn steady(name: &str) -> String {
    let longest = name.split(|c: char| !c.is_ascii_hexdigit()).max_by_key(|run| run.len()).filter(|run| {
        let shape = ValueShape::of(run);
        run.len() >= 16 && matches!(shape, ValueShape::Number | ValueShape::Hash | ValueShape::Token)
    });
    longest.map_or_else(|| name.to_owned(), |run| name.replace(run, "*"))
}

/// The cookies by name. Of several settings of one, the last holds.
fn settings(headers: &Headers) -> BTreeMap<String, Setting> {
    // Whether one is deleted is told by the server's clock: a run may be of another day.
    let now = headers.get("date").and_then(Moment::from_http_date).unwrap_or_else(Moment::now);
    headers.all("set-cookie").filter_map(|header| Setting::of(header, now)).collect()
}

/// What changed of a cookie: an attribute, or none for whether it is set at all; as it was and as it is.
type Changed = (Option<&'static str>, Option<String>, Option<String>);

fn changes(was: Option<&Setting>, is: Option<&Setting>) -> Vec<Changed> {
    let (was, is) = match (was, is) {
        (Some(was), Some(is)) if was.deletes == is.deletes => (was, is),
        (None, None) => return Vec::new(),
        (was, is) => return vec![(None, was.map(Setting::deed), is.map(Setting::deed))],
    };
    let path = |setting: &Setting| setting.path.clone().map(|p| Headers::readable(&p));
    let flag = |on: bool| on.then(String::new);
    let mut changes = vec![(Some("Path"), path(was), path(is))];
    // A cookie that is being deleted needs no protection.
    if !was.deletes {
        changes.push((Some("HttpOnly"), flag(was.http_only), flag(is.http_only)));
        changes.push((Some("Secure"), flag(was.secure), flag(is.secure)));
        changes.push((Some("SameSite"), was.same_site.clone(), is.same_site.clone()));
    }
    changes.retain(|(_, was, is)| was != is);
    changes
}

/// `lax` and `LAX` are `Lax`.
fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars.map(|c| c.to_ascii_lowercase())).collect()
}
