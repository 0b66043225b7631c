//! Which cookies a response sets and deletes, and with which attributes. Their values are not looked at.

use std::collections::{BTreeMap, BTreeSet};

use restage_model::{Headers, Moment, SetCookie, ValueShape};

use crate::said::{Said, shortened};

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

    /// Its attributes as a server would write them; its value left out.
    fn shown(&self) -> String {
        let mut parts = vec![if self.deletes { "deleted".to_owned() } else { "set".to_owned() }];
        parts.extend(self.path.as_ref().map(|path| format!("Path={path}")));
        parts.extend(self.same_site.as_ref().map(|site| format!("SameSite={site}")));
        parts.extend(self.secure.then(|| "Secure".to_owned()));
        parts.extend(self.http_only.then(|| "HttpOnly".to_owned()));
        parts.join("; ")
    }
}

pub(super) fn compare(said: &mut Said, expected: &Headers, actual: &Headers) {
    let (before, after) = (settings(expected), settings(actual));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let (was, is) = (before.get(name), after.get(name));
        for change in changes(was, is) {
            said.tell(|| {
                let shown = |setting: Option<&Setting>| setting.map(Setting::shown).unwrap_or_default();
                (format!("cookie {} {change}", shortened(name)), shown(was), shown(is))
            });
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

fn changes(was: Option<&Setting>, is: Option<&Setting>) -> Vec<String> {
    let (was, is) = match (was, is) {
        (None, None) => return Vec::new(),
        (None, Some(is)) => {
            return vec![if is.deletes { "is now deleted" } else { "is now set" }.to_owned()];
        }
        (Some(was), None) => {
            return vec![if was.deletes { "is no longer deleted" } else { "is no longer set" }.to_owned()];
        }
        (Some(was), Some(is)) => (was, is),
    };
    match (was.deletes, is.deletes) {
        (false, true) => return vec!["is deleted instead of set".to_owned()],
        (true, false) => return vec!["is set instead of deleted".to_owned()],
        _ => {}
    }
    let mut changes = Vec::new();
    let path = |setting: &Setting| setting.path.clone().map(|p| Headers::readable(&p));
    changes.extend(attribute("Path", path(was), path(is)));
    // A cookie that is being deleted needs no protection.
    if !was.deletes {
        changes.extend(flag("HttpOnly", was.http_only, is.http_only));
        changes.extend(flag("Secure", was.secure, is.secure));
        changes.extend(attribute("SameSite", was.same_site.clone(), is.same_site.clone()));
    }
    changes
}

fn flag(name: &str, was: bool, is: bool) -> Option<String> {
    match (was, is) {
        (true, false) => Some(format!("lost {name}")),
        (false, true) => Some(format!("gained {name}")),
        _ => None,
    }
}

fn attribute(name: &str, was: Option<String>, is: Option<String>) -> Option<String> {
    match (was, is) {
        (Some(was), None) => Some(format!("lost {name}={was}")),
        (None, Some(is)) => Some(format!("gained {name}={is}")),
        (Some(was), Some(is)) if was != is => Some(format!("{name} {was} became {is}")),
        _ => None,
    }
}

/// `lax` and `LAX` are `Lax`.
fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars.map(|c| c.to_ascii_lowercase())).collect()
}
