//! PostgreSQL.
//!
//! Everything is text: PostgreSQL reads what it writes, under settings that are always the same. The notes of changed rows
//! are in a schema of their own, `restage_watch`; nothing else is added but two triggers a table. A restore is one
//! transaction, schema changes included.
//!
//! - `connection`, `refusal`: the connection, its settings, and what a refusal means;
//! - `catalogue`, `tables`: what the database is built of, as statements that make it; the tables that hold rows;
//! - `watch`: the notes, and the triggers that write them;
//! - `rows`, `copy`, `copy_text`: reading rows;
//! - `counters`: sequences;
//! - `put_back`: a restore; `build` its schema, `fill` whole tables, `changed_rows` and `bound` single rows,
//!   `quiet` what must not fire meanwhile;
//! - `statistics`: by which the server chooses how to run a query;
//! - `databases`: making and removing a database.

mod bound;
mod build;
mod catalogue;
mod changed_rows;
mod connection;
mod copy;
mod copy_text;
mod counters;
mod databases;
mod fill;
mod put_back;
mod quiet;
mod refusal;
mod rows;
mod statistics;
mod tables;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use self::connection::Connection;
use self::counters::Sequences;
pub(super) use self::databases::{create, drop_database};
use self::put_back::Own;
use self::watch::Notes;
use super::address::DatabaseSpec;
use super::engine::{Changes, Counters, Engine, Goal, Schema, Source, Table, Written};
use super::values::Values;
use crate::error::Result;

/// A PostgreSQL database.
pub(super) struct Postgres {
    connection: Connection,
    /// Tables as they are watched: their stamps, by name.
    stamps: BTreeMap<String, String>,
    /// Names of tables by oid.
    names: BTreeMap<i64, String>,
    /// The files of materialized views.
    views: BTreeMap<String, String>,
    /// Materialized views that were refreshed since the watching began: every restore refreshes them.
    refreshed: BTreeSet<String>,
    /// Notes taken out of the database that are not yet forgotten.
    notes: Notes,
    /// Tables found changed past the triggers.
    whole: BTreeSet<String>,
    /// The schema as it was last read.
    schema: Option<Schema>,
    sequences: Sequences,
}

impl Postgres {
    pub(super) fn new(spec: &DatabaseSpec) -> Result<Self> {
        Ok(Self {
            connection: Connection::new(spec)?,
            stamps: BTreeMap::new(),
            names: BTreeMap::new(),
            views: BTreeMap::new(),
            refreshed: BTreeSet::new(),
            notes: Notes::default(),
            whole: BTreeSet::new(),
            schema: None,
            sequences: Sequences::default(),
        })
    }

    /// Puts triggers on tables that are new, or whose triggers are not as they were.
    fn follow(&mut self) -> Result<BTreeSet<String>> {
        let stamps = &self.stamps;
        let followed = self
            .connection
            .transaction("watch the tables", "", |connection| watch::follow(connection, stamps))?;
        let is_new = |view: &&String| self.views.get(*view) != followed.views.get(*view);
        let refreshed: Vec<String> = followed.views.keys().filter(is_new).cloned().collect();
        self.refreshed.extend(refreshed);
        self.views = followed.views;
        self.stamps = followed.stamps;
        self.names = followed.names;
        Ok(followed.whole)
    }

    fn forget(&mut self) {
        self.notes = Notes::default();
        self.whole.clear();
    }
}

impl Engine for Postgres {
    fn kind(&self) -> &'static str {
        "postgres"
    }

    fn set_patience(&mut self, patience: Duration) {
        self.connection.set_patience(patience);
    }

    fn watch(&mut self) -> Result<()> {
        self.forget();
        let followed = watch::begin(&mut self.connection)?;
        statistics::gather(&mut self.connection, followed.stamps.keys());
        self.views = followed.views;
        self.stamps = followed.stamps;
        self.names = followed.names;
        Ok(())
    }

    fn unwatch(&mut self) -> Result<()> {
        self.stamps.clear();
        watch::remove(&mut self.connection)
    }

    fn schema(&mut self) -> Result<Schema> {
        let mark = catalogue::mark(&mut self.connection)?;
        if let Some(known) = self.schema.as_ref().filter(|known| known.mark == mark) {
            return Ok(known.clone());
        }
        let schema = catalogue::schema(&mut self.connection)?;
        self.schema = Some(schema.clone());
        Ok(schema)
    }

    fn counters(&mut self) -> Result<Counters> {
        self.sequences.read(&mut self.connection)
    }

    fn changes(&mut self, schema: &Schema) -> Result<Changes> {
        let lost = Changes { lost: true, ..Changes::default() };
        if !self.connection.is_open() {
            return Ok(lost);
        }
        let Some(mark) = watch::take(&mut self.connection, &mut self.notes)? else {
            return Ok(lost);
        };
        // The mark begins with when the server was started: notes do not survive a crash.
        if mark.split(' ').next() != schema.mark.split(' ').next() {
            return Ok(lost);
        }
        let mut changes = Changes { schema: mark != schema.mark, ..Changes::default() };
        if changes.schema {
            let whole = self.follow()?;
            self.whole.extend(whole);
        }
        changes.whole.extend(self.whole.iter().cloned());
        changes.whole.extend(self.notes.whole.iter().filter_map(|oid| self.names.get(oid)).cloned());
        for (oid, keys) in &self.notes.keys {
            // A table that is gone needs no rows.
            if let Some(name) = self.names.get(oid) {
                changes.keys.insert(name.clone(), keys.clone());
            }
        }
        Ok(changes)
    }

    fn forget_changes(&mut self) -> Result<()> {
        self.forget();
        Ok(())
    }

    fn size(&mut self, table: &Table) -> Result<u64> {
        let name = tables::qualified(&table.name).replace('\'', "''");
        let sql = format!("SELECT pg_table_size('{name}'::regclass)");
        let rows = self.connection.run("ask for the size of a table", &sql)?;
        Ok(rows.first().and_then(|row| row.get(0)?.parse().ok()).unwrap_or_default())
    }

    fn scan(&mut self, table: &Table, each: &mut dyn FnMut(Values) -> Result<()>) -> Result<()> {
        rows::scan(&mut self.connection, table, each)
    }

    fn rows(&mut self, table: &Table, keys: &BTreeSet<Values>) -> Result<Vec<Values>> {
        rows::at(&mut self.connection, table, keys)
    }

    fn put_back(&mut self, goal: &Goal<'_>, source: &mut dyn Source) -> Result<Written> {
        let own = Own { stamps: &self.stamps, refreshed: &self.refreshed, sequences: &mut self.sequences };
        let (written, followed) = put_back::put_back(&mut self.connection, goal, source, own)?;
        if let Some(followed) = followed {
            statistics::gather(&mut self.connection, followed.whole.iter());
            self.views = followed.views;
            self.stamps = followed.stamps;
            self.names = followed.names;
        }
        self.forget();
        Ok(written)
    }
}
