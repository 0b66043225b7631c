//! What a spider saw, what it did not, and why.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::crawl::budget::StopReason;

/// So many examples of what was passed over are named.
const EXAMPLES: usize = 5;

/// What a spider came to.
#[derive(Clone, Debug, Serialize)]
pub struct CrawlReport {
    /// Why it stopped.
    pub stopped: StopReason,
    /// How many requests it sent.
    pub requests: usize,
    /// How many forms it sent.
    pub pressed: usize,
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
pub(crate) struct SkipList(BTreeMap<&'static str, (usize, Vec<String>)>);

impl SkipList {
    pub(crate) fn add(&mut self, why: &'static str, what: &str) {
        let (count, examples) = self.0.entry(why).or_default();
        if examples.iter().any(|example| example == what) {
            return;
        }
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(what.to_owned());
        }
    }

    pub(crate) fn finish(self) -> Vec<Skipped> {
        self.0.into_iter().map(|(why, (count, examples))| Skipped { why, count, examples }).collect()
    }
}
