//! A colour, and a pattern of dashes, for each set of users that parts of a map are there for.
//!
//! What is there for everyone is grey. Each other set of users that occurs has a colour of its own; the first few also a pattern of
//! their own, so that they can be told apart without colour. Sets that occur least share the last.

use std::collections::{BTreeSet, HashMap};

use crate::site::SiteUser;

/// How a set of users is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Its contrast on white is 4.5 or more.
    pub(crate) colour: &'static str,
    /// Of the same colour, so light that black is well read on it.
    pub(crate) tint: &'static str,
    /// Lengths of dashes and gaps; empty for a line without gaps.
    pub(crate) dashes: &'static str,
}

const EVERYONE: Style = Style { colour: "#4b5563", tint: "#e8edf3", dashes: "" };
const SETS: [Style; 7] = [
    Style { colour: "#0b5fa5", tint: "#dcebf8", dashes: "7 3" },
    Style { colour: "#a84300", tint: "#fbe6d6", dashes: "2 2.5" },
    Style { colour: "#1b7339", tint: "#dcf1e2", dashes: "10 3 2 3" },
    Style { colour: "#7636a0", tint: "#efe3f6", dashes: "14 4" },
    Style { colour: "#a8123d", tint: "#f9e0e6", dashes: "5 2 1 2 1 2" },
    Style { colour: "#006a72", tint: "#d8f0f1", dashes: "" },
    Style { colour: "#665c00", tint: "#f3efd2", dashes: "" },
];
const OTHERS: Style = Style { colour: "#111827", tint: "#e5e7eb", dashes: "1 3" };

/// Which set of users something is for, by its place in the legend.
pub(crate) type UserSet = usize;

/// The set of everyone.
pub(crate) const FOR_ALL: UserSet = 0;

/// The sets of users of a map.
pub(crate) struct Palette {
    everyone: BTreeSet<String>,
    sets: HashMap<BTreeSet<String>, UserSet>,
    legend: Vec<(Style, String)>,
}

impl Palette {
    /// The palette of a map with these users, whose parts are for these sets of them.
    pub(crate) fn of<'a>(users: &[SiteUser], parts: impl Iterator<Item = &'a BTreeSet<String>>) -> Self {
        let everyone: BTreeSet<String> = users.iter().map(|user| user.name.clone()).collect();
        let mut palette =
            Self { everyone, sets: HashMap::new(), legend: vec![(EVERYONE, "everyone".to_owned())] };
        let mut counts: HashMap<&BTreeSet<String>, usize> = HashMap::new();
        for users in parts.filter(|users| !palette.is_for_all(users)) {
            *counts.entry(users).or_default() += 1;
        }
        let mut others: Vec<(&BTreeSet<String>, usize)> = counts.into_iter().collect();
        others.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        for (place, (users, _)) in others.into_iter().enumerate() {
            palette.sets.insert(users.clone(), (place + 1).min(SETS.len() + 1));
            if let Some(&style) = SETS.get(place) {
                let names: Vec<&str> = users.iter().map(String::as_str).collect();
                palette.legend.push((style, names.join(", ")));
            } else if place == SETS.len() {
                palette.legend.push((OTHERS, "other sets of users".to_owned()));
            }
        }
        palette
    }

    /// The set that a part of the map is for; where the map does not say, everyone.
    pub(crate) fn set(&self, users: &BTreeSet<String>) -> UserSet {
        if self.is_for_all(users) { FOR_ALL } else { self.sets.get(users).copied().unwrap_or(FOR_ALL) }
    }

    fn is_for_all(&self, users: &BTreeSet<String>) -> bool {
        users.is_empty() || !self.everyone.is_empty() && self.everyone.is_subset(users)
    }

    pub(crate) fn style(&self, set: UserSet) -> Style {
        self.legend[set].0
    }

    /// Each style, and for whom.
    pub(crate) fn legend(&self) -> &[(Style, String)] {
        &self.legend
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much lighter one colour is than another, as WCAG counts it.
    fn contrast(a: &str, b: &str) -> f64 {
        let light = |colour: &str| {
            let part = |at: usize| {
                let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Catches: a line that is hard to see on white, a label that is hard to read on its box, users that look the same in print.
    #[test]
    fn colours_can_be_seen_and_patterns_differ() {
        for style in SETS.iter().chain([&EVERYONE, &OTHERS]) {
            assert!(contrast(style.colour, "#ffffff") >= 4.5, "{}", style.colour);
            assert!(contrast(style.tint, "#111827") >= 7.0, "{}", style.tint);
        }
        let dashes: BTreeSet<&str> = SETS[..5].iter().map(|style| style.dashes).collect();
        assert_eq!(dashes.len(), 5);
        assert!(!dashes.contains(EVERYONE.dashes));
    }
}
