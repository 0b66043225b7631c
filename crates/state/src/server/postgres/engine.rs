//! PostgreSQL as an engine of the state.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::change_tracking::{self, Notes};
use super::connection::Connection;
use super::counters::Sequences;
use super::restore::{Own, put_back};
use super::{catalogue, rows, statistics, tables};
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;
use crate::server::engine::{Changes, Counters, Engine, Goal, Schema, Source, Table, Written};
use crate::server::values::Values;

/// A PostgreSQL database.
pub(in crate::server) struct Postgres {
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
    pub(in crate::server) fn new(spec: &DatabaseSpec) -> Result<Self> {
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
            .transaction("watch the tables", "", |connection| change_tracking::follow(connection, stamps))?;
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
        let followed = change_tracking::begin(&mut self.connection)?;
        statistics::gather(&mut self.connection, followed.stamps.keys());
        self.views = followed.views;
        self.stamps = followed.stamps;
        self.names = followed.names;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let action = "write to the disk";
        if !self.connection.is_open() {
            let said = "the connection was lost".to_owned();
            return Err(Error::ServerAway { database: self.connection.shown().to_owned(), said });
        }
        self.sequences.settle(&mut self.connection)?;
        // What was committed before is in the log before this, which is on the disk when this is committed. Not every account may
        // make temporary tables.
        let small = [
            "CREATE TEMP TABLE restage_flush () ON COMMIT DROP",
            "COMMENT ON SCHEMA restage_watch IS 'what restage notes while it works on this database'",
        ];
        let mut done = Ok(());
        for sql in small {
            let begin = "SET LOCAL synchronous_commit = on";
            done = self
                .connection
                .transaction(action, begin, |connection| connection.run(action, sql).map(|_| ()));
            if !matches!(done, Err(Error::Server { .. })) {
                break;
            }
        }
        done
    }

    fn unwatch(&mut self) -> Result<()> {
        self.stamps.clear();
        self.connection.run("remove restage's notes", "SET synchronous_commit = on")?;
        change_tracking::remove(&mut self.connection)
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
        let Some(mark) = change_tracking::take(&mut self.connection, &mut self.notes)? else {
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
        let (written, followed) = put_back(&mut self.connection, goal, source, own)?;
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
