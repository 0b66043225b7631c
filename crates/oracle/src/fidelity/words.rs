//! The words of a text that are the same every time: no dates, numbers, ids, tokens or addresses.

use std::collections::BTreeSet;

use restage_model::ValueShape;

use crate::noise::STAND_IN;
use crate::noise::values::atoms::dates;
use crate::page::calendar::{is_month, is_weekday};

/// Words that tell a time, or that a time is over, where no date is written: "a few seconds ago".
const OF_TIME: &[&str] = &[
    "ago",
    "now",
    "today",
    "yesterday",
    "tomorrow",
    "second",
    "seconds",
    "sec",
    "minute",
    "minutes",
    "min",
    "hour",
    "hours",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "am",
    "pm",
    "utc",
    "gmt",
];
/// A page says no more different words than are worth comparing.
const MOST: usize = 20_000;

/// Distinct words, in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words(BTreeSet<String>);

/// How the words of two answers differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordChange {
    pub(crate) of: usize,
    pub(crate) missing: Vec<String>,
    pub(crate) added: Vec<String>,
    pub(crate) live: usize,
}

impl Words {
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Self::default();
        words.add(text);
        words
    }

    /// Adds those of a text.
    pub(crate) fn add(&mut self, text: &str) {
        let mut at = 0;
        for date in dates(text) {
            self.add_undated(&text[at..date.start]);
            at = date.end;
        }
        self.add_undated(&text[at..]);
    }

    fn add_undated(&mut self, text: &str) {
        for chunk in text.split_whitespace() {
            if chunk.contains(STAND_IN) || !is_steady(chunk) {
                continue;
            }
            for word in chunk.split(|c: char| !c.is_alphanumeric()) {
                let lower = word.to_lowercase();
                let timely = OF_TIME.contains(&lower.as_str()) || is_month(&lower) || is_weekday(&lower);
                if !lower.is_empty() && !timely && self.0.len() < MOST {
                    self.0.insert(lower);
                }
            }
        }
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.0.retain(|word| keep(word));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether more than half of these words are among the others: the same title, but for a name in it.
    pub(crate) fn alike(&self, other: &Self) -> bool {
        let shared = self.0.intersection(&other.0).count();
        shared * 2 > self.0.len().max(other.0.len()) || self.0 == other.0
    }

    pub(crate) fn change_to(&self, live: &Self) -> WordChange {
        WordChange {
            of: self.0.len(),
            missing: self.0.difference(&live.0).cloned().collect(),
            added: live.0.difference(&self.0).cloned().collect(),
            live: live.0.len(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    #[cfg(test)]
    fn joined(&self) -> String {
        self.0.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// Whether a word tells of time: `today`, `expired`.
pub(crate) fn tells_time(word: &str) -> bool {
    OF_TIME.contains(&word)
        || word.starts_with("expire")
        || matches!(word, "morning" | "afternoon" | "evening" | "night" | "overdue" | "due" | "upcoming")
        || is_month(word)
        || is_weekday(word)
}

/// Whether a piece of text is the same every time, as far as its looks tell.
fn is_steady(chunk: &str) -> bool {
    if chunk.contains(['@', '\u{27e8}']) || chunk.contains("://") || chunk.contains(|c: char| c.is_numeric())
    {
        return false;
    }
    let bare = chunk.trim_matches(|c: char| !c.is_alphanumeric());
    !matches!(
        ValueShape::of(bare),
        ValueShape::Token
            | ValueShape::EncodedToken
            | ValueShape::CasedLetters
            | ValueShape::ShortId
            | ValueShape::Hash
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        Words::of(text).joined()
    }

    #[test]
    fn dates_numbers_tokens_and_addresses_are_no_words() {
        assert_eq!(said("Saved on 18 November 2026 at 10:31, 3 minutes ago."), "on saved");
        assert_eq!(said("Order 17 by ann@example.com: $12.50 http://127.0.0.1:8080/x"), "by order");
        assert_eq!(said("key 9f86d081884c7d659a2feaa0c55ad015 kept"), "kept key");
        assert_eq!(said("Ünïcode, too!"), "too ünïcode");
    }

    #[test]
    fn a_title_is_alike_but_for_a_name_in_it() {
        let alike = |a: &str, b: &str| Words::of(a).alike(&Words::of(b));
        assert!(alike("Order 17 of Ann - Shop", "Order 18 of Bob - Shop"));
        assert!(!alike("My account - Shop", "Log in - Shop"));
        assert!(!alike("Welcome ann", "Welcome stranger"));
    }
}
