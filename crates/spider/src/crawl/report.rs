//! What a spider saw, what it did not, and why.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::crawl::budget::StopReason;

/// So many examples of what was passed over are named.
const EXAMPLES: usize = 5;
/// So much of a name is shown.
const LONGEST: usize = 120;

/// What a spider came to.
#[derive(Clone, Debug, Serialize)]
pub struct CrawlReport {
    /// Why it stopped.
    pub stopped: StopReason,
    /// How many requests it sent.
    pub requests: usize,
    /// How many forms it sent.
    pub pressed: usize,
    /// How many requests of scripts, and addresses that users typed, it tried as sessions show them.
    pub tried: usize,
    /// How often the application's data was restored.
    pub restores: usize,
    /// Who it was logged in as.
    pub users: Vec<String>,
    /// Users that it could not be logged in as, and why.
    pub not_logged_in: BTreeMap<String, String>,
    /// What it passed over, by why.
    pub skipped: Vec<Skipped>,
    /// Pages and forms that something leads to, and that it did not look at.
    pub unseen: Vec<String>,
}

/// What was passed over for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Why.
    pub why: &'static str,
    /// How much.
    pub count: usize,
    /// Some of it.
    pub examples: Vec<String>,
}

/// How far a spider is.
#[derive(Clone, Copy, Debug)]
pub struct CrawlProgress<'a> {
    /// Who it is logged in as.
    pub user: &'a str,
    /// How many requests it sent.
    pub requests: usize,
    /// Pages and forms known so far.
    pub nodes: usize,
    /// Ways between them.
    pub edges: usize,
}

/// Counts what is passed over.
#[derive(Debug, Default)]
pub(crate) struct SkipList(BTreeMap<&'static str, Passed>);

#[derive(Debug, Default)]
struct Passed {
    known: HashSet<String>,
    examples: Vec<String>,
}

impl SkipList {
    pub(crate) fn add(&mut self, why: &'static str, what: &str) {
        let passed = self.0.entry(why).or_default();
        if passed.known.insert(what.to_owned()) && passed.examples.len() < EXAMPLES {
            passed.examples.push(shortened(what));
        }
    }

    /// What was passed over for one of these reasons.
    pub(crate) fn of<'a>(&'a self, whys: &'a [&'static str]) -> impl Iterator<Item = &'a String> {
        whys.iter().filter_map(|why| self.0.get(why)).flat_map(|passed| &passed.known)
    }

    pub(crate) fn finish(self) -> Vec<Skipped> {
        let told = |(why, passed): (&'static str, Passed)| Skipped {
            why,
            count: passed.known.len(),
            examples: passed.examples,
        };
        self.0.into_iter().map(told).collect()
    }
}

/// A name as it is told: forms of many fields have long ones.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a link on every page that counts as often as there are pages; a name that fills the screen.
    #[test]
    fn each_counts_once_and_is_told_in_short() {
        let mut skipped = SkipList::default();
        for n in 0..30 {
            skipped.add("a trap", &format!("GET /{}", n % 10));
        }
        skipped.add("a trap", &"x".repeat(5000));
        skipped.add("other", &"ü".repeat(5000));
        let told = skipped.finish();
        assert_eq!((told[0].count, told[0].examples.len()), (11, EXAMPLES));
        assert_eq!(told[1].examples[0].chars().count(), LONGEST + 1);
    }
}
