//! What the analysis found. Everything has a place: a file, a line and a column.

use std::sync::Arc;

use serde::Serialize;

use crate::sql::{Operation, TableName};

/// A place in a file. Lines and columns count from 1, columns in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Location {
    /// The file, as its source was called.
    pub file: Arc<str>,
    /// The line: that of the call, of the variable.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Where a session variable is accessed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct VariableAccess {
    /// The place.
    #[serde(flatten)]
    pub location: Location,
    /// The keys below the variable's own, as far as they are known; `*` stands for what is not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

/// A session variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// The first key in the session's array; `*` in it stands for what is not known. Nothing for the array as a whole.
    pub name: Option<String>,
    /// Where it gets a value, is changed or goes away.
    pub definitions: Vec<VariableAccess>,
    /// Where it is used otherwise.
    pub uses: Vec<VariableAccess>,
}

/// A function of PHP that works on the session as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionFunction {
    /// Its name.
    pub name: String,
    /// Where it is called to define the session.
    pub definitions: Vec<Location>,
    /// Where it is called to use it.
    pub uses: Vec<Location>,
}

/// Where a table is accessed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct TableAccess {
    /// The place.
    #[serde(flatten)]
    pub location: Location,
    /// What is done.
    pub operation: Operation,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Its name; `*` in it stands for what is not known, such as a prefix that is set when the application is installed.
    pub name: String,
    /// Where rows of it are written, or it is made, changed or removed.
    pub definitions: Vec<TableAccess>,
    /// Where it is read.
    pub uses: Vec<TableAccess>,
}

/// A statement as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundStatement {
    /// The statement; `*` stands for what is not known.
    pub sql: String,
    /// What it does.
    pub operation: Operation,
    /// The tables that it uses.
    pub reads: Vec<TableName>,
    /// The tables that it defines.
    pub writes: Vec<TableName>,
    /// Whether the parser failed, and this was found by a scan of its words.
    pub guessed: bool,
    /// Whether a table's name was not followed all the way: it is what the statement's table was computed from.
    pub derived: bool,
}

/// A call after which a statement goes to a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DatabaseCall {
    /// The place where the statement is known: not that of the function of PHP, where wrappers lead to it.
    #[serde(flatten)]
    pub location: Location,
    /// What is called there.
    pub calls: String,
    /// The statements that it may be.
    pub statements: Vec<FoundStatement>,
    /// Whether it may be others too, which are not known.
    pub partial: bool,
}

/// What could not be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UnresolvedKind {
    /// The statement or its table.
    Statement,
    /// The table, or all of the statement, comes from outside of the program: a request, a file, a row. Only a run can tell.
    Dynamic,
    /// It may be no call of a database at all: the object's class is not known, nor is a statement.
    Doubtful,
    /// The name of a session variable.
    Variable,
}

/// Something that could not be found out, and its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unresolved {
    /// The place.
    #[serde(flatten)]
    pub location: Location,
    /// What it is.
    pub kind: UnresolvedKind,
    /// What is called there.
    pub calls: String,
    /// What is known of it; `*` stands for the rest.
    pub known: String,
}

/// A file that could not be read, or not all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The place; line 0 where it is the file as a whole.
    #[serde(flatten)]
    pub location: Location,
    /// What is wrong, and what to do.
    pub message: String,
}

/// How many calls of databases were resolved to their tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CallCounts {
    /// All calls that send a statement.
    pub all: usize,
    /// Those whose statement and tables are known.
    pub resolved: usize,
    /// Those of the resolved that are known by a scan of words or by what the table's name was computed from alone.
    pub guessed: usize,
    /// Those of all whose table or statement comes from outside of the program, and is in no source.
    pub dynamic: usize,
    /// Calls that may be none of databases; not counted in `all`.
    pub doubtful: usize,
}

impl CallCounts {
    /// Of the calls whose table is in the source, those that were resolved, in percent; nothing where there are none.
    pub fn share(&self) -> Option<f64> {
        let all = self.all - self.dynamic;
        (all > 0).then(|| 100.0 * self.resolved as f64 / all as f64)
    }
}

/// What the analysis found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Analysis {
    /// How many files were read.
    pub files: usize,
    /// How many lines they have.
    pub lines: usize,
    /// The session variables, by name.
    pub variables: Vec<Variable>,
    /// The functions on the session as a whole, by name.
    pub functions: Vec<SessionFunction>,
    /// The tables, by name.
    pub tables: Vec<Table>,
    /// How many calls of databases were resolved.
    pub calls: CallCounts,
    /// The calls of databases.
    pub database_calls: Vec<DatabaseCall>,
    /// What could not be found out.
    pub unresolved: Vec<Unresolved>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}
