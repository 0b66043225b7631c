//! What is asked of probes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One kind of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Want {
    /// Lines that ran, and with them functions.
    Lines,
    /// Branches that were taken: many times as dear as lines.
    Branches,
    /// The user's session on the server.
    Session,
    /// Statements to databases.
    Sql,
    /// Errors and warnings of the language.
    Errors,
    /// What led to each statement: the lines that called each other.
    Callers,
}

impl Want {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Lines, Self::Branches, Self::Session, Self::Sql, Self::Errors, Self::Callers];
    /// Those that cost little: what is asked for where nothing else is said.
    pub const USUAL: [Self; 4] = [Self::Lines, Self::Session, Self::Sql, Self::Errors];

    /// Its name in the protocol and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Branches => "branches",
            Self::Session => "session",
            Self::Sql => "sql",
            Self::Errors => "errors",
            Self::Callers => "callers",
        }
    }
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Want {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|want| want.name() == text).ok_or_else(|| {
            format!("no facts are called `{text}`: lines, branches, session, sql, errors or callers")
        })
    }
}
