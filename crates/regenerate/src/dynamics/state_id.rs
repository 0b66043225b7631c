//! The paper's state identifier: what on the server one request defines and another one uses.

use std::fmt;

use serde::Serialize;

/// A piece of the server's state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(tag = "kind", content = "name", rename_all = "lowercase")]
pub enum StateId {
    /// A variable of the user's session on the server.
    Variable(String),
    /// The session as a whole: functions that begin, renew and end it.
    Session,
    /// A table.
    Table(String),
}

impl StateId {
    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self, Self::Table(_))
    }
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "session variable {name}"),
            Self::Session => f.write_str("the session"),
            Self::Table(name) => write!(f, "table {name}"),
        }
    }
}
