//! Rules that let a kind of difference pass on some pages.

use std::fmt;

use restage_model::{Difference, Key, OldWording};

use crate::judging::pattern::DifferencePattern;
use crate::oracles::rules::KeyPattern;

/// What rules call that which is no page: what a session left behind.
pub const STATE_AND_LOG: &str = "state and log";

/// A kind of difference that does not matter on some pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoreRule {
    /// The pages; [`STATE_AND_LOG`] for what sessions leave behind.
    pub keys: Vec<KeyPattern>,
    /// The comparator that sees it; any where none is named.
    pub seen_by: Option<String>,
    /// Which.
    pub difference: DifferencePattern,
}

impl IgnoreRule {
    /// Whether it lets a difference of a page pass.
    pub fn matches(&self, key: &Key, difference: &Difference) -> bool {
        self.keys.iter().any(|pattern| pattern.matches(key)) && self.lets_pass(difference)
    }

    /// Whether it lets a difference in what a session left behind pass.
    pub fn matches_aftermath(&self, difference: &Difference) -> bool {
        self.keys.iter().any(|key| key.matches_text(STATE_AND_LOG)) && self.lets_pass(difference)
    }

    /// Whether it lets pass what was told in these words by the first format.
    pub(crate) fn matches_sentence(&self, key: &Key, old: &OldWording) -> bool {
        self.keys.iter().any(|pattern| pattern.matches(key))
            && self.seen_by.as_ref().is_none_or(|by| *by == old.seen_by)
            && self.difference.matches_sentence(&old.sentence)
    }

    /// Whether it lets a difference pass on its pages.
    fn lets_pass(&self, difference: &Difference) -> bool {
        self.seen_by.as_ref().is_none_or(|by| difference.is_seen_by(by))
            && self.difference.matches(difference)
    }
}

impl fmt::Display for IgnoreRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<String> = self.keys.iter().map(ToString::to_string).collect();
        write!(f, "{}: {}", keys.join(", "), self.difference)?;
        self.seen_by.as_ref().map_or(Ok(()), |by| write!(f, " (seen by {by})"))
    }
}
