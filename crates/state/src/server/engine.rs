//! What the core needs of a database engine, and the words between the two.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::values::Values;
use crate::error::Result;

/// A connection to one database on a server.
///
/// restage's own tables, triggers and functions in the database are never part of what these tell.
pub(crate) trait Engine: Send {
    /// `postgres` or `mariadb`.
    fn kind(&self) -> &'static str;

    /// How long to wait for locks that the application holds.
    fn set_patience(&mut self, patience: Duration);

    /// Begins to note which rows are changed, by whomever. What was noted before, and what a run that was killed left
    /// behind, is gone. Connects where it is not connected, also where the server was restarted meanwhile.
    fn watch(&mut self) -> Result<()>;

    /// Removes everything of restage's own from the database.
    fn unwatch(&mut self) -> Result<()>;

    /// Waits until what was written would survive a crash of the server.
    fn flush(&mut self) -> Result<()>;

    /// Everything but rows and counters.
    fn schema(&mut self) -> Result<Schema>;

    /// Where ids go on: sequences, AUTO_INCREMENT. By name; the value is the engine's own text.
    fn counters(&mut self) -> Result<Counters>;

    /// What was changed since [`Engine::watch`] or [`Engine::forget_changes`]; `schema` is what the catalogue said then.
    fn changes(&mut self, schema: &Schema) -> Result<Changes>;

    /// What was changed up to now is known: from here on, only what changes next is noted.
    fn forget_changes(&mut self) -> Result<()>;

    /// About how many bytes a table's rows take; cheap, and may be far off.
    fn size(&mut self, table: &Table) -> Result<u64>;

    /// All rows of a table in the order in which they lie, or that of the key.
    fn scan(&mut self, table: &Table, each: &mut dyn FnMut(Values) -> Result<()>) -> Result<()>;

    /// Those rows of a table that are there now, of these keys, each once.
    fn rows(&mut self, table: &Table, keys: &BTreeSet<Values>) -> Result<Vec<Values>>;

    /// Makes the database what the goal says, and notes nothing of it: all of it or nothing, as far as the engine can.
    fn put_back(&mut self, goal: &Goal<'_>, source: &mut dyn Source) -> Result<Written>;
}

/// Everything of a database but rows and counters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Schema {
    /// The tables that hold rows.
    pub(crate) tables: Vec<Table>,
    /// All that it takes to make the database anew, tables included, in an order in which it can be made.
    pub(crate) objects: Vec<Object>,
    /// Changes whenever the catalogue does, by the engine's own cheap means; equal schemas may have different ones.
    pub(crate) mark: String,
}

impl Schema {
    /// A table by its name.
    pub(crate) fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Whether two databases are built the same.
    pub(crate) fn is_like(&self, other: &Schema) -> bool {
        self.tables == other.tables && self.objects == other.objects
    }
}

/// A table that holds rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Table {
    /// Its name, with its schema where that is not the usual one; unique in the database.
    pub(crate) name: String,
    /// The columns that are stored, in the order of [`Values`].
    pub(crate) columns: Vec<Column>,
    /// The places of the key's columns; empty where no key tells rows apart, and the table is kept as a whole.
    pub(crate) key: Vec<usize>,
}

impl Table {
    /// A row's key: its values in the key's columns.
    pub(crate) fn key_of(&self, row: &Values) -> Values {
        row.at(&self.key)
    }
}

/// A column that is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// Its type, in the engine's own words.
    pub(crate) kind: String,
}

/// Something of the schema: a table, a view, an index, a trigger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Object {
    /// `table`, `view`, `trigger`, in the engine's own words.
    pub(crate) kind: String,
    /// Unique among those of its kind.
    pub(crate) name: String,
    /// What makes it anew, in the engine's own words; equal objects have equal definitions.
    pub(crate) definition: String,
}

/// Where ids go on, by name.
pub(crate) type Counters = BTreeMap<String, String>;

/// What was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Keys of rows that were added, changed or removed, by table.
    pub(crate) keys: BTreeMap<String, BTreeSet<Values>>,
    /// Tables of which it is not known which rows changed: without a key, emptied, filled past the triggers.
    pub(crate) whole: BTreeSet<String>,
    /// Whether the schema may have changed.
    pub(crate) schema: bool,
    /// Whether the notes were tampered with: nothing is known.
    pub(crate) lost: bool,
}

/// What a database has to become.
pub(crate) struct Goal<'a> {
    /// As it has to be.
    pub(crate) schema: &'a Schema,
    /// As it is.
    pub(crate) current: &'a Schema,
    /// Rows to be as here: the row of that key, or none. Only tables that both schemas have in the same form.
    pub(crate) rows: &'a BTreeMap<String, BTreeMap<Values, Option<Values>>>,
    /// Tables to be emptied and filled from the source, beside those that have to be made anew. Only of `schema`.
    pub(crate) whole: &'a BTreeSet<String>,
    /// Where ids go on.
    pub(crate) counters: &'a Counters,
}

/// All rows of the tables as they have to be.
pub(crate) trait Source {
    /// Each row of a table, in the order in which they lay, where that is known.
    fn each_row(&mut self, table: &Table, each: &mut dyn FnMut(&Values) -> Result<()>) -> Result<()>;
}

/// What was written back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Rows written or removed.
    pub(crate) rows: u64,
    /// Bytes of them.
    pub(crate) bytes: u64,
    /// Tables, views and the like made, altered or dropped.
    pub(crate) objects: u64,
}
