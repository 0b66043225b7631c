//! What is said of a statement.

use std::fmt;

use serde::{Serialize, Serializer};

/// Stands in a statement for what is not known. It is a letter in every dialect, so that a name may have it in it.
pub const UNKNOWN: char = '\u{a66e}';

/// Whose SQL it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// MySQL and MariaDB. Other dialects' statements are read too where they do not contradict.
    #[default]
    MySql,
    /// PostgreSQL.
    Postgres,
    /// SQLite.
    Sqlite,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Rows are read.
    Select,
    /// Rows are added.
    Insert,
    /// Rows are added, or take the place of those with the same key.
    Replace,
    /// Rows are changed.
    Update,
    /// Rows are removed.
    Delete,
    /// Rows are added, changed or removed by those of another table (`MERGE`).
    Merge,
    /// All rows are removed.
    Truncate,
    /// A table is made.
    Create,
    /// A table's columns change.
    Alter,
    /// A table is removed.
    Drop,
    /// A table's name or columns are asked for.
    Describe,
    /// Something else that concerns no table's rows: `SET`, `BEGIN`, a call of a procedure.
    Other,
    /// It begins with something unknown, or is no SQL.
    Unknown,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Select => "SELECT",
            Self::Insert => "INSERT",
            Self::Replace => "REPLACE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Merge => "MERGE",
            Self::Truncate => "TRUNCATE",
            Self::Create => "CREATE",
            Self::Alter => "ALTER",
            Self::Drop => "DROP",
            Self::Describe => "DESCRIBE",
            Self::Other => "other",
            Self::Unknown => "unknown",
        })
    }
}

/// A table's name as the statement has it, without quotes. Unknown parts are `*` when it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableName {
    /// The database or schema, where it is named.
    pub schema: Option<String>,
    /// The table.
    pub name: String,
}

impl TableName {
    /// A table without a schema.
    pub fn new(name: impl Into<String>) -> Self {
        Self { schema: None, name: name.into() }
    }

    /// Whether enough of the name is known to tell it from other tables.
    pub fn is_known(&self) -> bool {
        self.name.chars().any(|c| c != UNKNOWN && c.is_alphanumeric())
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(schema) = &self.schema {
            write!(f, "{}.", schema.replace(UNKNOWN, "*"))?;
        }
        f.write_str(&self.name.replace(UNKNOWN, "*"))
    }
}

impl Serialize for TableName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Where a key stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyRole {
    /// Rows with this value are meant: `WHERE column = value`.
    Condition,
    /// Rows get this value: `INSERT … VALUES`, `SET column = value`.
    Value,
}

/// A column and a literal value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Key {
    /// The table, where the statement says it or has only one.
    pub table: Option<TableName>,
    /// The column.
    pub column: String,
    /// The value as it is written, without quotes.
    pub value: String,
    /// Where it stands.
    pub role: KeyRole,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// What is done.
    pub operation: Operation,
    /// The tables whose rows it uses, each once, in the order of the statement.
    pub reads: Vec<TableName>,
    /// The tables that it defines, each once.
    pub writes: Vec<TableName>,
    /// Whether the parser failed, and this was found by a scan of the statement's words.
    pub guessed: bool,
    /// Columns and literal values, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<Key>,
}

impl Statement {
    pub(super) fn new(operation: Operation) -> Self {
        Self { operation, reads: Vec::new(), writes: Vec::new(), guessed: false, keys: Vec::new() }
    }

    /// Whether it is a definition of a table.
    pub fn is_definition(&self) -> bool {
        !self.writes.is_empty()
    }

    /// Whether it is a use of a table.
    pub fn is_use(&self) -> bool {
        !self.reads.is_empty()
    }

    /// Whether all its tables are known.
    pub fn is_known(&self) -> bool {
        self.operation != Operation::Unknown && self.reads.iter().chain(&self.writes).all(TableName::is_known)
    }

    pub(super) fn read(&mut self, table: TableName) {
        if !self.reads.contains(&table) {
            self.reads.push(table);
        }
    }

    pub(super) fn write(&mut self, table: TableName) {
        if !self.writes.contains(&table) {
            self.writes.push(table);
        }
    }
}
