//! Header values that are lists of directives: `no-store, max-age=60`.

use std::collections::{BTreeMap, BTreeSet};

use restage_model::{Headers, shortened};

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `no-store, max-age=60`
    Commas,
    /// `max-age=31536000; includeSubDomains`
    Semicolons,
    /// `camera=(), geolocation=(self "https://a.example")`: the words in parentheses are a set.
    Features,
    /// `default-src 'self'; img-src *`: the words behind a directive are a set, nonces are not looked at.
    Policy,
}

/// The directives of a header by name, each with its words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Directives(BTreeMap<String, BTreeSet<String>>);

impl Directives {
    /// Reads all headers of a name.
    pub(super) fn of<'a>(values: impl Iterator<Item = &'a str>, shape: Shape) -> Self {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (at, value) in values.enumerate() {
            let separator = if matches!(shape, Shape::Commas | Shape::Features) { ',' } else { ';' };
            for part in split_outside_quotes(value, separator) {
                let (name, words) = directive(part.trim(), shape);
                if name.is_empty() {
                    continue;
                }
                // Each policy holds on its own: one header more is not the same as its directives in the first.
                let name = if shape == Shape::Policy && at > 0 {
                    format!("{name} of policy {}", at + 1)
                } else {
                    name
                };
                found.entry(name).or_default().extend(words);
            }
        }
        Self(found)
    }

    /// What another list lost, gained, or has with other words: each directive with its words in both. Where one took
    /// another's place (DENY became SAMEORIGIN), no directive is named.
    pub(super) fn changes(&self, other: &Self) -> Vec<(Option<String>, Option<String>, Option<String>)> {
        let mut changes = Vec::new();
        let joined =
            |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let names: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        for name in names {
            let (was, is) = (self.0.get(name), other.0.get(name));
            if was != is {
                changes.push((Some(name.clone()), was.map(joined), is.map(joined)));
            }
        }
        if self.0.len() == 1 && other.0.len() == 1 && changes.len() == 2 {
            let only = |list: &Self| {
                let all = list.0.iter().map(|(name, words)| format!("{name} {}", joined(words)));
                all.map(|shown| shortened(shown.trim_end())).collect::<String>()
            };
            return vec![(None, Some(only(self)), Some(only(other)))];
        }
        changes
    }
}

fn directive(part: &str, shape: Shape) -> (String, BTreeSet<String>) {
    let (name, rest) = match shape {
        Shape::Policy => part.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((part, "")),
        _ => part.split_once('=').unwrap_or((part, "")),
    };
    let words: BTreeSet<String> = match shape {
        Shape::Policy | Shape::Features => rest
            .trim_matches(|c: char| matches!(c, '(' | ')') || c.is_ascii_whitespace())
            .split_ascii_whitespace()
            .map(without_nonce)
            .collect(),
        _ if rest.trim().is_empty() => BTreeSet::new(),
        _ => BTreeSet::from([rest.trim().trim_matches('"').to_ascii_lowercase()]),
    };
    (Headers::readable(name.trim()).to_ascii_lowercase(), words)
}

/// A nonce is another for every answer.
fn without_nonce(word: &str) -> String {
    if word.starts_with("'nonce-") { "'nonce-…'".to_owned() } else { Headers::readable(word) }
}

/// The parts of a value; a separator in quotation marks does not separate.
pub(super) fn split_outside_quotes(value: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in value.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if c == separator && !quoted => {
                parts.push(&value[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&value[from..]);
    parts
}
