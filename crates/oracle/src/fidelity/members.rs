//! What a JSON body has: its members, how many entries its lists have, what it says yes and no to, its words.

use std::collections::BTreeMap;

use restage_model::{Departure, ValueShape};
use serde_json::Value;

use super::words::Words;

/// Deeper values are not looked at.
const DEEP: usize = 60;

/// What a JSON body has.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// What is at each path; entries of a list share one: `$.items[].id`.
    kinds: BTreeMap<String, &'static str>,
    lists: BTreeMap<String, usize>,
    flags: BTreeMap<String, bool>,
    pub(crate) words: Words,
}

impl Members {
    pub(crate) fn of(value: &Value) -> Self {
        let mut members = Self::default();
        members.read(value, "$", 0);
        members
    }

    fn read(&mut self, value: &Value, path: &str, depth: usize) {
        let kind = match value {
            // Nothing there: as if it were left out.
            Value::Null => return,
            Value::Bool(_) => "a truth value",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.kinds.insert(path.to_owned(), kind);
        if depth > DEEP {
            return;
        }
        match value {
            Value::Bool(is) if !path.contains("[]") => {
                self.flags.insert(path.to_owned(), *is);
            }
            Value::String(text) => self.words.add(text),
            Value::Array(entries) => {
                *self.lists.entry(path.to_owned()).or_default() += entries.len();
                let path = format!("{path}[]");
                entries.iter().for_each(|entry| self.read(entry, &path, depth + 1));
            }
            Value::Object(members) => {
                for (name, member) in members {
                    self.read(member, &format!("{path}.{}", steady(name)), depth + 1);
                }
            }
            _ => {}
        }
    }

    /// What of this recorded body the live one lacks, the most telling first.
    pub(crate) fn departure(&self, live: &Self) -> Option<Departure> {
        let is_error = |path: &&String| {
            let name = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
            matches!(name.as_str(), "error" | "errors" | "exception") && !self.kinds.contains_key(*path)
        };
        if let Some(path) = live.kinds.keys().find(is_error)
            && live.lists.get(path) != Some(&0)
            && live.flags.get(path) != Some(&false)
        {
            return Some(Departure::ErrorMember { member: path.clone() });
        }
        let empty = self.lists.iter().find_map(|(of, &was)| {
            let is = live.lists.get(of).copied().unwrap_or(0);
            let lost = (was > 0 && is == 0) || (was >= 4 && is * 2 < was);
            lost.then(|| Departure::Entries { of: of.clone(), was, is })
        });
        empty.or_else(|| self.missing_member(live)).or_else(|| {
            self.flags.iter().find_map(|(path, was)| {
                let is = *live.flags.get(path)?;
                (is != *was).then(|| Departure::Flag { member: path.clone(), is })
            })
        })
    }

    /// A member outside of lists is there each time; of entries, some have what others lack.
    fn missing_member(&self, live: &Self) -> Option<Departure> {
        let missing = |(path, kind): &(&String, &&str)| live.kinds.get(*path) != Some(*kind);
        let of_entry = |(path, _): &(&String, &&str)| path.contains("[]") || path.contains("{}");
        let outside = self.kinds.iter().find(|member| missing(member) && !of_entry(member));
        if let Some((path, _)) = outside {
            return Some(Departure::Member { member: path.clone() });
        }
        let of_entries: Vec<_> = self.kinds.iter().filter(of_entry).collect();
        let mut lost = of_entries.iter().filter(|member| missing(member));
        let (first, others) = (lost.next()?, lost.count());
        ((others + 1) * 3 > of_entries.len()).then(|| Departure::Member { member: first.0.clone() })
    }
}

/// A member's name; that of an id is any.
fn steady(name: &str) -> &str {
    let is_id = !matches!(ValueShape::of(name), ValueShape::Word | ValueShape::Slug | ValueShape::Text)
        && (name.contains(|c: char| c.is_ascii_digit()) || name.is_empty());
    if is_id { "{}" } else { name }
}
