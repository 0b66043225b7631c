//! One definition or use of the server's state.

use std::fmt;

use serde::Serialize;

use super::{RowKeys, StateId};

/// So many words of a statement say which it is.
const WORDS: usize = 8;

/// Where in the application something is defined or used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum AccessLocation {
    /// A line of its source code.
    Line {
        /// Relative to the application's folder.
        file: String,
        /// From 1.
        line: u32,
    },
    /// A statement, its values left out. One line may send many, and who sends it is not always known.
    Statement {
        /// The file and line that sent it, as far as it is known.
        sent: Option<(String, u32)>,
        /// What it says, without values.
        shape: String,
    },
    /// Somewhere in what a request does: the code does not say where.
    Request(String),
}

impl fmt::Display for AccessLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { file, line } => write!(f, "{file}:{line}"),
            Self::Statement { sent, shape } => {
                if let Some((file, line)) = sent {
                    write!(f, "{file}:{line} ")?;
                }
                write!(f, "({})", shape.split_whitespace().take(WORDS).collect::<Vec<_>>().join(" "))
            }
            Self::Request(key) => f.write_str(key),
        }
    }
}

/// Definition or use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessKind {
    /// The state gets a value.
    Definition,
    /// Its value is asked for.
    Use,
}

/// A definition or use, as a request made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Of what.
    pub state: StateId,
    /// Which of the two.
    pub kind: AccessKind,
    /// Where.
    pub location: AccessLocation,
    /// A variable's value after the request, none where it is gone then; or a statement, its values in it.
    pub value: Option<String>,
    /// Which rows of a table.
    pub rows: RowKeys,
    /// Its place among the accesses of its request; none where nobody saw in which order they came.
    pub order: Option<u32>,
    /// How many earlier steps of its session defined the same state in the same place: a third loan has two before it.
    pub earlier: usize,
    /// Whether it came to nothing: a statement that was refused, or that changed no row.
    pub failed: bool,
}

impl Access {
    /// Whether the state has another value through it.
    pub fn defines(&self) -> bool {
        self.kind == AccessKind::Definition && !self.failed
    }

    /// Whether the state's value is asked for.
    pub fn uses(&self) -> bool {
        self.kind == AccessKind::Use && !self.failed
    }
}
