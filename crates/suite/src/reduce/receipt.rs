//! What a reduction leaves to be read later.

use serde::{Deserialize, Serialize};

/// How large a suite is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Its sessions.
    pub sessions: usize,
    /// The requests that a replay of it sends.
    pub requests: usize,
    /// The distinct requirements that it meets.
    pub requirements: usize,
}

/// How long a replay takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayTime {
    /// The run whose durations these are.
    pub run: String,
    /// Milliseconds of waiting for the application, before.
    pub before_ms: f64,
    /// And after.
    pub after_ms: f64,
}

/// What a reduction did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// The suite that was reduced.
    pub suite: String,
    /// How: `hgs`, `concept`, `greedy`, `every-nth --nth 2`.
    pub by: String,
    /// What was to be kept: `key`, `key-pairs`, …
    pub require: String,
    /// What ties were decided by, where that was not the order of the sessions.
    pub seed: Option<u64>,
    /// As it was.
    pub before: Size,
    /// As it is.
    pub after: Size,
    /// Sessions that are kept only because others need them.
    pub needed: usize,
    /// How many requirements are not met any more.
    pub lost: usize,
    /// The first of them.
    pub lost_ones: Vec<String>,
    /// How long replays take, where a run tells.
    pub time: Option<ReplayTime>,
}

impl Receipt {
    /// The share of replay time that is saved, from 0 to 1: by a run's durations, or else by the number of requests.
    pub fn saved(&self) -> f64 {
        let (before, after) = match &self.time {
            Some(time) => (time.before_ms, time.after_ms),
            None => (self.before.requests as f64, self.after.requests as f64),
        };
        if before > 0.0 { 1.0 - after / before } else { 0.0 }
    }
}
