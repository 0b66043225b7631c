//! MariaDB and MySQL as an engine of the state.

use std::collections::BTreeSet;
use std::time::Duration;

use super::catalogue::{Glance, TABLE};
use super::change_tracking::{self, Numbers};
use super::connection::Connection;
use super::recently_altered::Recent;
use super::schema::{self, Remembered};
use super::tracked_changes::{self, Canaries, Note};
use super::{counters, keys, rows, sql};
use crate::error::Result;
use crate::server::address::DatabaseSpec;
use crate::server::engine::{Changes, Counters, Engine, Goal, Schema, Source, Table, Written};
use crate::server::values::Values;

/// A database on a MariaDB or MySQL server.
pub(in crate::server) struct MariaDb {
    pub(super) server: Connection,
    pub(super) remembered: Remembered,
    pub(super) recent: Recent,
    pub(super) numbers: Numbers,
    pub(super) canaries: Canaries,
    /// The word that stands in the notes while they are those of this run.
    pub(super) guard: String,
    /// What the notes said when they were last asked.
    pub(super) read: BTreeSet<Note>,
    /// What was noted between that and their emptying: it counts for the next time.
    pub(super) carried: BTreeSet<Note>,
    /// The catalogue as a restore left it, for the question that follows it.
    pub(super) glance: Option<Glance>,
    /// The sequences as they were when their caches were last emptied.
    pub(super) settled: Counters,
    /// Tables of which rows changed since canaries were chosen.
    pub(super) stirred: BTreeSet<String>,
}

impl MariaDb {
    pub(in crate::server) fn new(spec: &DatabaseSpec) -> Result<Self> {
        Ok(Self {
            server: Connection::new(spec)?,
            remembered: Remembered::default(),
            recent: Recent::default(),
            numbers: Numbers::default(),
            canaries: Canaries::default(),
            guard: String::new(),
            read: BTreeSet::new(),
            carried: BTreeSet::new(),
            glance: None,
            settled: Counters::new(),
            stirred: BTreeSet::new(),
        })
    }

    /// Sees to it that everything is watched that is there now.
    pub(super) fn ensure(&mut self, glance: Glance) -> Result<()> {
        let schema = self.remembered.schema(&mut self.server, &glance)?;
        change_tracking::ensure(&mut self.server, &mut self.numbers, &schema, &glance)?;
        self.canaries.retain(&schema);
        self.canaries.read_parts(&mut self.server, &glance)?;
        let unknown = schema.tables.iter().filter(|table| !self.canaries.has(&table.name));
        let unknown: Vec<&Table> = unknown.collect();
        self.canaries.choose(&mut self.server, &self.numbers, unknown.into_iter())
    }

    /// Chooses canaries anew where rows changed.
    pub(super) fn settle(&mut self) -> Result<()> {
        let stirred = std::mem::take(&mut self.stirred);
        if stirred.is_empty() {
            return Ok(());
        }
        let tables: Vec<Table> =
            stirred.iter().filter_map(|table| self.remembered.table(table)).cloned().collect();
        self.canaries.choose(&mut self.server, &self.numbers, tables.iter())
    }

    /// Empties the notes; the transaction is open.
    pub(super) fn take_notes(&mut self) -> Result<BTreeSet<Note>> {
        let taken = tracked_changes::take(&mut self.server)?;
        Ok(taken.difference(&self.read).cloned().collect())
    }

    fn keys_noted(&self, schema: &Schema, notes: &BTreeSet<Note>, changes: &mut Changes) {
        for (number, note) in notes {
            let Some(table) = self.numbers.table(*number).and_then(|name| schema.table(name)) else {
                continue;
            };
            match note.as_deref().and_then(|note| keys::from_note(table, note)) {
                Some(key) if !table.key.is_empty() => {
                    changes.keys.entry(table.name.clone()).or_default().insert(key);
                }
                _ => {
                    changes.whole.insert(table.name.clone());
                }
            }
        }
    }
}

impl Engine for MariaDb {
    fn kind(&self) -> &'static str {
        "mariadb"
    }

    fn set_patience(&mut self, patience: Duration) {
        self.server.set_patience(patience);
    }

    fn watch(&mut self) -> Result<()> {
        self.server.connect()?;
        self.glance = None;
        self.remembered = Remembered::default();
        self.recent = Recent::default();
        self.numbers = Numbers::default();
        self.canaries = Canaries::default();
        self.read.clear();
        self.carried.clear();
        self.settled.clear();
        self.stirred.clear();
        self.guard = change_tracking::make_notes(&mut self.server)?;
        let glance = Glance::take(&mut self.server, &mut self.recent)?;
        self.ensure(glance)
    }

    fn flush(&mut self) -> Result<()> {
        let action = "write to the disk";
        let lines = self.server.ask(action, "SELECT @@innodb_flush_log_at_trx_commit")?;
        if lines.first().is_some_and(|line| schema::text(line, 0) != "1") {
            // A server that is set to write later can be told to do so now by an account with the right to; others have chosen.
            let _ = self.server.run(action, "FLUSH NO_WRITE_TO_BINLOG ENGINE LOGS");
        }
        Ok(())
    }

    fn unwatch(&mut self) -> Result<()> {
        self.server.connect()?;
        let glance = Glance::take(&mut self.server, &mut self.recent)?;
        change_tracking::remove(&mut self.server, &glance)
    }

    fn schema(&mut self) -> Result<Schema> {
        let glance = match self.glance.take() {
            Some(glance) => glance,
            None => Glance::take(&mut self.server, &mut self.recent)?,
        };
        self.remembered.schema(&mut self.server, &glance)
    }

    fn counters(&mut self) -> Result<Counters> {
        counters::read_settled(&mut self.server, &mut self.settled)
    }

    fn changes(&mut self, schema: &Schema) -> Result<Changes> {
        self.glance = None;
        let glance = Glance::take(&mut self.server, &mut self.recent)?;
        let mut changes = Changes { schema: glance.mark() != schema.mark, ..Changes::default() };
        let Some(notes) = tracked_changes::read(&mut self.server, &self.guard)? else {
            return Ok(Changes { lost: true, ..changes });
        };
        self.read = notes;
        let all: BTreeSet<Note> = self.read.union(&self.carried).cloned().collect();
        self.keys_noted(schema, &all, &mut changes);
        let mut unwatched = false;
        for table in &schema.tables {
            let now = glance.things.get(&(TABLE.to_owned(), table.name.clone()));
            let watched = self.numbers.is_watched(&glance, &table.name);
            unwatched |= !watched;
            if now.map(String::as_str) != Glance::in_mark(&schema.mark, TABLE, &table.name) || !watched {
                changes.whole.insert(table.name.clone());
            }
        }
        if self.numbers.lacks_cascades(&glance) {
            return Ok(Changes { lost: true, ..changes });
        }
        let known =
            schema.tables.iter().filter(|table| !changes.whole.contains(&table.name)).collect::<Vec<_>>();
        let missed = self.canaries.missed(&mut self.server, &self.numbers, &known, &changes.keys)?;
        changes.whole.extend(missed);
        self.stirred.extend(changes.keys.keys().chain(&changes.whole).cloned());
        if changes.schema || unwatched {
            self.ensure(glance)?;
        }
        Ok(changes)
    }

    fn forget_changes(&mut self) -> Result<()> {
        self.server.run("begin a transaction", "START TRANSACTION")?;
        let outcome = self.take_notes().and_then(|late| {
            self.server.run("commit", "COMMIT")?;
            Ok(late)
        });
        match outcome {
            Ok(late) => self.carried = late,
            Err(error) => {
                self.server.roll_back();
                return Err(error);
            }
        }
        self.settle()
    }

    fn size(&mut self, table: &Table) -> Result<u64> {
        let sql = format!(
            "SELECT DATA_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = {}",
            sql::quoted(&table.name)
        );
        let lines = self.server.ask("ask for the size of a table", &sql)?;
        Ok(lines.first().map_or(0, |line| schema::text(line, 0).parse().unwrap_or(0)))
    }

    fn scan(&mut self, table: &Table, each: &mut dyn FnMut(Values) -> Result<()>) -> Result<()> {
        let versioned = self.remembered.is_versioned(&table.name);
        rows::scan(&mut self.server, table, versioned, each)
    }

    fn rows(&mut self, table: &Table, keys: &BTreeSet<Values>) -> Result<Vec<Values>> {
        rows::rows(&mut self.server, table, keys)
    }

    fn put_back(&mut self, goal: &Goal<'_>, source: &mut dyn Source) -> Result<Written> {
        self.put_back_now(goal, source)
    }
}
