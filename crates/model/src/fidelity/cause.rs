//! What made a session leave its path, and what to do about it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What most likely made a session leave its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// A login was refused, with a stand-in or with another password than the data has.
    RefusedLogin,
    /// The user had logged in before the recording began.
    LoggedInBefore,
    /// The application's clock shows another time than when it was recorded.
    Clock,
    /// The application makes ids of whole seconds, and a replay is faster than a user.
    WholeSeconds,
    /// Other sessions did something meanwhile.
    MetSessions,
    /// The application's data is not what it was when the session was recorded.
    Data,
    /// The application answered with an error.
    ErrorPage,
    /// The application did not answer.
    Unanswered,
    /// Requests were sent as recorded, without live values, because that was asked for.
    SentAsRecorded,
}

/// What most likely made a session leave its path, for people: one sentence each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Which.
    #[serde(rename = "cause")]
    pub kind: CauseKind,
    /// The step that it began with: a login that was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_at: Option<BeganAt>,
    /// What happened.
    pub explanation: String,
    /// What to do about it.
    pub remedy: String,
}

/// The step that a cause began with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeganAt {
    /// The step, from 1.
    pub step: u32,
    /// What was asked: `POST`.
    pub method: String,
    /// For what, without its query.
    pub path: String,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.explanation)
    }
}
