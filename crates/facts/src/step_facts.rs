//! What the server did for one step.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::LineSet;

/// What a probe saw while a request was answered. What it could not see is missing, and `notes` says why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepFacts {
    /// What the request's header field `Restage-Step` said.
    pub step: String,
    /// `php 8.2.31`, `python 3.11.7`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub runtime: String,
    /// Lines that ran, by file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<String, LineSet>,
    /// Functions that ran, by file and first line, where the probe knows more than the lines tell.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub functions: BTreeMap<String, LineSet>,
    /// Branches that were taken, by file and id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub branches: BTreeMap<String, LineSet>,
    /// The user's session on the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionFacts>,
    /// Statements, in the order they were sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sql: Vec<SqlFact>,
    /// Errors, each once by type and location.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorFact>,
    /// What could not be seen, and why: `no branches: Xdebug is not installed`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl StepFacts {
    /// Adds what the same step did when it was sent again: a connection may end before the answer is there.
    pub fn join(&mut self, later: StepFacts) {
        if self.runtime.is_empty() {
            self.runtime = later.runtime;
        }
        for (mine, theirs) in [
            (&mut self.lines, later.lines),
            (&mut self.functions, later.functions),
            (&mut self.branches, later.branches),
        ] {
            for (file, set) in theirs {
                mine.entry(file).or_default().join(&set);
            }
        }
        match (&mut self.session, later.session) {
            (Some(mine), Some(theirs)) => {
                mine.after = theirs.after;
                for (names, more) in [(&mut mine.reads, theirs.reads), (&mut mine.writes, theirs.writes)] {
                    let new: Vec<String> = more.into_iter().filter(|name| !names.contains(name)).collect();
                    names.extend(new);
                }
            }
            (mine @ None, theirs) => *mine = theirs,
            (Some(_), None) => {}
        }
        self.sql.extend(later.sql);
        for error in later.errors {
            if !self.errors.contains(&error) {
                self.errors.push(error);
            }
        }
        for note in later.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

/// A user's session on the server: variables by name, nested keys joined by `.` (`cart.17.count`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionFacts {
    /// Before the request; none where there was no session yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<BTreeMap<String, String>>,
    /// After it; none where it was ended. Values as JSON; of objects and long values a hash, `#` in front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<BTreeMap<String, String>>,
    /// Variables that were read, where the probe sees it as it happens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// Variables that were written or removed, where the probe sees it as it happens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
}

/// A statement that was sent to a database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SqlFact {
    /// As it was sent.
    pub text: String,
    /// Values that were bound to it, as JSON.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bound: Vec<serde_json::Value>,
    /// Rows that it returned or changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Why the server refused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Where in the application it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The lines that called each other until it was sent, innermost first; of a prepared statement, until it was prepared. Only
    /// where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<(String, u32)>,
}

/// An error or warning of the language: an exception, a notice, a fatal error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorFact {
    /// `Warning`, `TypeError`, `OperationalError`.
    pub r#type: String,
    /// What it said.
    pub message: String,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a request that was sent twice and whose first effects are lost.
    #[test]
    fn what_a_step_did_in_two_attempts_is_joined() {
        let facts = |json: &str| serde_json::from_str::<StepFacts>(json).expect("facts");
        let mut first = facts(
            r#"{"step":"x","lines":{"a":[1]},"session":{"before":{"n":"1"},"after":{"n":"2"},"writes":["n"]},"sql":[{"text":"A"}],"notes":["slow"]}"#,
        );
        first.join(facts(
            r#"{"step":"x","lines":{"a":[2],"b":[1]},"session":{"before":{"n":"2"},"after":{"n":"3"},"writes":["n"]},"sql":[{"text":"B"}],"notes":["slow"]}"#,
        ));
        assert_eq!(first.lines["a"].len() + first.lines["b"].len(), 3);
        let session = first.session.expect("a session");
        assert_eq!(
            (session.before.expect("before")["n"].as_str(), session.after.expect("after")["n"].as_str()),
            ("1", "3")
        );
        assert_eq!((session.writes.len(), first.sql.len(), first.notes.len()), (1, 2, 1));
    }
}
