//! Sessions, and named lists of them.

use serde::{Deserialize, Serialize};

use crate::{ExchangeId, Moment};

/// One user's exchanges in order: a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its name: `s` and the number of its first exchange, so that it stays when others are added.
    pub name: String,
    /// How the user was told from others: `cookie:PHPSESSID`, `ip+agent`, …
    pub by: String,
    /// The client's address.
    pub client: String,
    /// When it began.
    pub from: Moment,
    /// When its last request began.
    pub to: Moment,
    /// The exchanges that are replayed.
    pub exchanges: Vec<ExchangeId>,
    /// Exchanges that belong to it and are kept out of the replay (images, styles, scripts, fonts).
    pub left_out: Vec<ExchangeId>,
}

/// Names a stored suite. A suite is immutable: when `recorded` grows, it becomes another suite of
/// the same name, and runs made on the old one still know what they replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SuiteId(pub i64);

/// A named, ordered, immutable list of sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// Its name in the store.
    pub id: SuiteId,
    /// The name users give it: `recorded`.
    pub name: String,
    /// When it was made.
    pub created: Moment,
    /// How it came about: `recorded`, or the command that made it.
    pub origin: String,
    /// Its sessions, in order of first access.
    pub sessions: Vec<Session>,
}

impl Suite {
    /// How many requests a replay of it sends.
    pub fn steps(&self) -> usize {
        self.sessions.iter().map(|s| s.exchanges.len()).sum()
    }
}
