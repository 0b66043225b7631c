//! Which oracle judges which pages.

use std::fmt;

use restage_model::{Key, key_without_values};
use serde::{Deserialize, Serialize};

use crate::body::json::JsonRules;
use crate::comparators::comparator::Comparator;
use crate::oracles::expression::Oracle;

/// A pattern over the text of keys: `*` stands for anything, `GET /book/*`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyPattern(String);

impl KeyPattern {
    /// A pattern.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// Whether a key is of it.
    pub fn matches(&self, key: &Key) -> bool {
        // What was written before a parameter was known to tell pages apart means all of them.
        self.matches_text(key.as_str()) || self.matches_text(&key.without_values())
    }

    /// Whether it is written as another is without values, and so means all of that one's pages.
    pub fn is_without_values(&self, other: &Self) -> bool {
        self.0 == key_without_values(&other.0)
    }

    /// Whether a key, as text, is of it.
    pub(crate) fn matches_text(&self, key: &str) -> bool {
        in_order(&self.0.split('*').collect::<Vec<_>>(), key)
    }
}

/// Whether a text begins with the first piece, ends with the last, and has the others in between, in order.
pub(crate) fn in_order(pieces: &[impl AsRef<str>], text: &str) -> bool {
    let mut pieces = pieces.iter().map(AsRef::as_ref);
    let Some(mut text) = text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let Some(last) = pieces.next_back() else { return text.is_empty() };
    for piece in pieces {
        // The earliest place is as good as any: more is left for what follows.
        let Some(at) = text.find(piece) else { return false };
        text = &text[at + piece.len()..];
    }
    text.ends_with(last)
}

impl fmt::Display for KeyPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which oracle judges which pages: that of the first rule that matches, or else the default.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleRules {
    /// The rules, in order.
    pub rules: Vec<(KeyPattern, Oracle)>,
    /// For all other pages.
    pub default: Oracle,
    /// What counts as the same in JSON.
    pub json: JsonRules,
    /// Whether the headers worth comparing are compared.
    pub headers: bool,
}

impl From<Oracle> for OracleRules {
    fn from(default: Oracle) -> Self {
        Self { rules: Vec::new(), default, json: JsonRules::default(), headers: true }
    }
}

impl OracleRules {
    /// The oracle of a page.
    pub fn of(&self, key: &Key) -> &Oracle {
        self.rules
            .iter()
            .find(|(pattern, _)| pattern.matches(key))
            .map_or(&self.default, |(_, oracle)| oracle)
    }

    /// The comparators that any of them asks and that are not of the 22.
    pub(crate) fn own_comparators(&self) -> Vec<Comparator> {
        let mut found: Vec<Comparator> = Vec::new();
        let oracles = self.rules.iter().map(|(_, oracle)| oracle).chain([&self.default]);
        for comparator in oracles.flat_map(Oracle::comparators) {
            if !Comparator::ALL.contains(&comparator) && !found.contains(&comparator) {
                found.push(comparator);
            }
        }
        found
    }
}

impl fmt::Display for OracleRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.default)?;
        match self.rules.len() {
            0 => Ok(()),
            1 => f.write_str(" (and 1 rule by key)"),
            n => write!(f, " (and {n} rules by key)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        let key = Key::of("GET", "/book/17/reviews?page=2", "");
        for pattern in
            ["GET /book/{n}/reviews?page", "GET /book/*", "*", "GET*reviews*", "*/book/*/*page", "G**e"]
        {
            assert!(KeyPattern::new(pattern).matches(&key), "{pattern}");
        }
        for pattern in
            ["", "GET /book", "POST /book/*", "*/books/*", "GET /book/*reviews", "*page*page", "*e*e*e*e*"]
        {
            assert!(!KeyPattern::new(pattern).matches(&key), "{pattern}");
        }
    }

    /// Catches: masks, oracles and ignored differences that are lost once a parameter is known to tell pages apart.
    #[test]
    fn a_pattern_without_a_value_means_all_values() {
        let mut rules = restage_model::KeyRules::default();
        rules.parameters.learnt = vec!["/doku.php?do".parse().unwrap()];
        let key = Key::by(&rules, "GET", "/doku.php?id=start&do=edit", "");
        for pattern in ["GET /doku.php?do&id", "GET /doku.php?do=edit&id", "GET /doku.php?do=*", "*do&id"] {
            assert!(KeyPattern::new(pattern).matches(&key), "{pattern}");
        }
        for pattern in ["GET /doku.php?do=revisions&id", "GET /doku.php?id", "GET /doku.php?do"] {
            assert!(!KeyPattern::new(pattern).matches(&key), "{pattern}");
        }
    }

    #[test]
    fn the_first_rule_that_matches_wins() {
        let oracle = |text: &str| text.parse::<Oracle>().unwrap();
        let rules = OracleRules {
            rules: vec![
                (KeyPattern::new("GET /book/*"), oracle("D")),
                (KeyPattern::new("GET *"), oracle("T")),
            ],
            ..oracle("C-WD").into()
        };
        let of = |method: &str, uri: &str| rules.of(&Key::of(method, uri, "")).to_string();
        assert_eq!([of("GET", "/book/1"), of("GET", "/x"), of("POST", "/x")], ["D", "T", "C-WD"]);
    }
}
