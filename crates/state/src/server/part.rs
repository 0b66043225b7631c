//! A database on a server as a part of the state.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::address::{DatabaseSpec, ServerKind};
use super::delta::{self, Rows};
use super::engine::{Changes, Engine, Goal, Schema, Source, Table, Written};
use super::image::{self, Images, Looked};
use super::mariadb::{self, MariaDb};
use super::plan::{self, Plan};
use super::postgres::{self, Postgres};
use super::record::{self, ServerRecord, TableRecord};
use super::values::Values;
use crate::error::{Error, Result};
use crate::manifest::PartRecord;
use crate::part::Part;
use crate::report::{Difference, DifferenceKind, RestoreReport, SaveReport};
use crate::snapshot_store::SnapshotStore;

/// One database, and what it is known to hold.
pub(crate) struct ServerPart {
    label: PathBuf,
    engine: Box<dyn Engine>,
    /// What the database held when it was last looked at; none before that.
    known: Option<KnownState>,
    images: Images,
    /// Whether the database may hold something of restage's own.
    watching: bool,
    /// The database itself is restage's own: a copy of the application's.
    copy: Option<Copy>,
}

/// A database that is a copy.
struct Copy {
    spec: DatabaseSpec,
    made: bool,
}

struct KnownState {
    record: ServerRecord,
    schema: Schema,
    size: u64,
    /// When the record's ids meant something: the snapshot store's generation, and its count of what was undone.
    valid: (u64, u64),
}

impl ServerPart {
    pub(crate) fn new(spec: &DatabaseSpec) -> Result<Self> {
        let engine: Box<dyn Engine> = match spec.kind {
            ServerKind::Postgres => Box::new(Postgres::new(spec)?),
            ServerKind::Mariadb => Box::new(MariaDb::new(spec)?),
        };
        let label = PathBuf::from(&spec.label);
        Ok(Self { label, engine, known: None, images: Images::default(), watching: false, copy: None })
    }

    /// A database of our own, to be made when it is needed, and removed in the end.
    pub(crate) fn copy(spec: &DatabaseSpec) -> Result<Self> {
        let mut part = Self::new(spec)?;
        part.copy = Some(Copy { spec: spec.clone(), made: false });
        Ok(part)
    }

    /// Tries, and once more where the server was restarted meanwhile.
    fn attempt<T>(&mut self, mut work: impl FnMut(&mut Self) -> Result<T>) -> Result<T> {
        let mut outcome = work(self);
        if matches!(outcome, Err(Error::ServerAway { .. })) && self.known.take().is_some() {
            outcome = work(self);
        }
        if outcome.is_err() {
            self.known = None;
        }
        outcome
    }

    /// What changed since the database was last known; none where it is not, and everything has to be looked at.
    fn changes(&mut self, store: &mut SnapshotStore) -> Result<Option<Changes>> {
        self.revalidate(store)?;
        let Some(known) = &self.known else { return Ok(None) };
        let changes = self.engine.changes(&known.schema)?;
        Ok((!changes.lost).then_some(changes))
    }

    /// What was known may have been undone, or be garbage by now.
    fn revalidate(&mut self, store: &mut SnapshotStore) -> Result<()> {
        let now = (store.generation(), store.undone());
        let Some(known) = self.known.as_mut().filter(|known| known.valid != now) else { return Ok(()) };
        self.images.forget();
        let (chunks, trees) = known.record.refers_to();
        if known.valid.1 == now.1 && store.has_all(&chunks, &trees)? {
            known.valid = now;
        } else {
            self.known = None;
        }
        Ok(())
    }

    fn watch(&mut self) -> Result<()> {
        if let Some(copy) = self.copy.as_mut().filter(|copy| !copy.made) {
            // One that a killed run left behind may hold anything.
            drop_database(&copy.spec)?;
            create(&copy.spec)?;
            copy.made = true;
        }
        self.watching = true;
        self.engine.watch()
    }

    fn save_now(&mut self, store: &mut SnapshotStore, report: &mut SaveReport) -> Result<ServerRecord> {
        let stored = store.stored_chunks();
        let known = match self.changes(store)? {
            Some(changes) => self.known_after(store, &changes, report)?,
            None => self.known_anew(store, report)?,
        };
        report.bytes += known.size;
        report.stored_chunks += store.stored_chunks() - stored;
        let record = known.record.clone();
        self.known = Some(known);
        Ok(record)
    }

    /// Reads everything.
    fn known_anew(&mut self, store: &mut SnapshotStore, report: &mut SaveReport) -> Result<KnownState> {
        let before: BTreeMap<String, u32> = match store.latest_record(&self.label, self.engine.kind())? {
            Some(PartRecord::Server(record)) => {
                record.tables.into_iter().map(|t| (t.name, t.buckets)).collect()
            }
            _ => BTreeMap::new(),
        };
        self.watch()?;
        let schema = self.engine.schema()?;
        let mut tables = Vec::with_capacity(schema.tables.len());
        let mut size = 0;
        for table in &schema.tables {
            let before = before.get(&table.name).copied();
            let written = image::write(store, self.engine.as_mut(), table, before)?;
            size += written.bytes;
            report.examined_rows += written.rows;
            tables.push(written.record);
        }
        self.close(store, schema, tables, size)
    }

    /// Reads what changed.
    fn known_after(
        &mut self,
        store: &mut SnapshotStore,
        changes: &Changes,
        report: &mut SaveReport,
    ) -> Result<KnownState> {
        let Some(known) = self.known.take() else { return self.known_anew(store, report) };
        let schema = if changes.schema { self.engine.schema()? } else { known.schema.clone() };
        let mut tables = Vec::with_capacity(schema.tables.len());
        for table in &schema.tables {
            let was = known.record.table(&table.name);
            let same = was.filter(|_| known.schema.table(&table.name) == Some(table));
            let record = match same {
                Some(was) if !changes.whole.contains(&table.name) => {
                    let mut record = was.clone();
                    if let Some(keys) = changes.keys.get(&table.name) {
                        report.examined_rows += keys.len() as u64;
                        let rows = self.rows_now(table, keys)?;
                        let there = self.images.rows(store, table, was, keys)?;
                        let rows: Rows =
                            rows.into_iter().filter(|(key, row)| there.get(key) != Some(row)).collect();
                        delta::add(store, &mut record, &rows)?;
                    }
                    record
                }
                _ => {
                    let before = was.map(|was| was.buckets);
                    let written = image::write(store, self.engine.as_mut(), table, before)?;
                    report.examined_rows += written.rows;
                    written.record
                }
            };
            tables.push(record);
        }
        self.close(store, schema, tables, known.size)
    }

    /// The rows at these keys as they are, or none.
    fn rows_now(&mut self, table: &Table, keys: &std::collections::BTreeSet<Values>) -> Result<Rows> {
        let mut rows: Rows = keys.iter().map(|key| (key.clone(), None)).collect();
        for row in self.engine.rows(table, keys)? {
            rows.insert(table.key_of(&row), Some(row));
        }
        Ok(rows)
    }

    fn close(
        &mut self,
        store: &mut SnapshotStore,
        schema: Schema,
        tables: Vec<TableRecord>,
        size: u64,
    ) -> Result<KnownState> {
        let counters = self.engine.counters()?;
        self.engine.forget_changes()?;
        let record = ServerRecord {
            kind: self.engine.kind().to_owned(),
            schema: record::keep(store, &schema)?,
            counters: record::keep(store, &counters)?,
            tables,
        };
        Ok(KnownState { record, schema, size, valid: (store.generation(), store.undone()) })
    }

    /// What has to be written to make the database what the record says, and the schema as it is now.
    fn plan(
        &mut self,
        store: &mut SnapshotStore,
        record: &ServerRecord,
        target: &Schema,
    ) -> Result<(Plan, Schema)> {
        let changes = self.changes(store)?;
        if let (Some(changes), Some(known)) = (&changes, &self.known) {
            let current = if changes.schema { self.engine.schema()? } else { known.schema.clone() };
            let was = plan::LastKnown { record: &known.record, schema: &known.schema, changes };
            let plan = plan::plan(store, &mut self.images, &was, &current, (record, target))?;
            return Ok((plan, current));
        }
        self.watch()?;
        let current = self.engine.schema()?;
        let mut plan = Plan::default();
        for table in target.tables.iter().filter(|table| current.table(&table.name) == Some(table)) {
            let Some(goal) = record.table(&table.name) else { continue };
            match image::look(store, self.engine.as_mut(), table, goal)? {
                Looked::Rows(rows) if rows.is_empty() => {}
                Looked::Rows(rows) => {
                    plan.rows.insert(table.name.clone(), rows);
                }
                Looked::Whole => {
                    plan.whole.insert(table.name.clone());
                }
            }
        }
        Ok((plan, current))
    }

    fn restore_now(&mut self, store: &mut SnapshotStore, record: &ServerRecord) -> Result<Written> {
        let target = record.schema(store)?;
        let counters = record.counters(store)?;
        let (plan, current) = self.plan(store, record, &target)?;
        let nothing = plan.rows.is_empty() && plan.whole.is_empty() && current.is_like(&target);
        let written = if nothing && self.engine.counters()? == counters {
            self.engine.forget_changes()?;
            Written::default()
        } else {
            let goal = Goal {
                schema: &target,
                current: &current,
                rows: &plan.rows,
                whole: &plan.whole,
                counters: &counters,
            };
            let mut source = Kept { store, images: &mut self.images, record };
            self.engine.put_back(&goal, &mut source)?
        };
        // What the catalogue's mark is now, not what it was when it was saved.
        let schema = if nothing { current } else { self.engine.schema()? };
        let size = self.known.as_ref().map_or(0, |known| known.size);
        let valid = (store.generation(), store.undone());
        self.known = Some(KnownState { record: record.clone(), schema, size, valid });
        Ok(written)
    }
}

impl Part for ServerPart {
    fn kind(&self) -> &'static str {
        self.engine.kind()
    }

    fn label(&self) -> &PathBuf {
        &self.label
    }

    fn set_patience(&mut self, patience: Duration) {
        self.engine.set_patience(patience);
    }

    fn save(&mut self, store: &mut SnapshotStore, report: &mut SaveReport) -> Result<PartRecord> {
        self.attempt(|part| part.save_now(store, report)).map(PartRecord::Server)
    }

    fn restore(
        &mut self,
        store: &mut SnapshotStore,
        record: &PartRecord,
        report: &mut RestoreReport,
    ) -> Result<()> {
        let PartRecord::Server(record) = record else {
            unreachable!("a {} record for a database: State matches kinds", record.kind())
        };
        let written = self.attempt(|part| part.restore_now(store, record))?;
        report.written_rows += written.rows;
        report.written_bytes += written.bytes;
        report.written_objects += written.objects;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.engine.flush()
    }

    fn detach(&mut self) -> Result<Option<String>> {
        self.known = None;
        self.engine.unwatch()?;
        self.watching = false;
        Ok(Some(format!("{} {}", self.engine.kind(), self.label.display())))
    }

    fn compare(
        &mut self,
        store: &mut SnapshotStore,
        record: &PartRecord,
        found: &mut Vec<Difference>,
    ) -> Result<()> {
        let PartRecord::Server(record) = record else {
            unreachable!("a {} record for a database: State matches kinds", record.kind())
        };
        let target = record.schema(store)?;
        let (plan, current) = self.attempt(|part| part.plan(store, record, &target))?;
        let mut say = |name: &str, kind| found.push(Difference { path: self.label.join(name), kind });
        for table in &target.tables {
            match current.table(&table.name) {
                None => say(&table.name, DifferenceKind::Removed),
                Some(_) if plan.whole.contains(&table.name) => say(&table.name, DifferenceKind::Changed),
                Some(now) if now != table => say(&table.name, DifferenceKind::Changed),
                Some(_) => {}
            }
        }
        for table in current.tables.iter().filter(|table| target.table(&table.name).is_none()) {
            say(&table.name, DifferenceKind::Added);
        }
        for (name, wanted) in &plan.rows {
            let Some(table) = target.table(name) else { continue };
            // A row that was written to may be what it was.
            let keys = wanted.keys().cloned().collect();
            if self.rows_now(table, &keys)? != *wanted {
                found.push(Difference { path: self.label.join(name), kind: DifferenceKind::Changed });
            }
        }
        if !current.is_like(&target) || self.engine.counters()? != record.counters(store)? {
            found.push(Difference { path: self.label.clone(), kind: DifferenceKind::Changed });
        }
        Ok(())
    }
}

impl Drop for ServerPart {
    fn drop(&mut self) {
        if let Some(copy) = self.copy.as_ref().filter(|copy| copy.made) {
            let _ = drop_database(&copy.spec);
        } else if self.watching {
            // What cannot be removed now is removed by the next run.
            let _ = self.engine.unwatch();
        }
    }
}

/// Removes a copy that a killed run left behind; whether there was one.
pub(super) fn remove_copy(spec: &DatabaseSpec) -> Result<bool> {
    let there = match spec.kind {
        ServerKind::Postgres => postgres::exists(spec)?,
        ServerKind::Mariadb => mariadb::exists(spec)?,
    };
    if there {
        drop_database(spec)?;
    }
    Ok(there)
}

fn create(spec: &DatabaseSpec) -> Result<()> {
    match spec.kind {
        ServerKind::Postgres => postgres::create(spec),
        ServerKind::Mariadb => mariadb::create(spec),
    }
}

fn drop_database(spec: &DatabaseSpec) -> Result<()> {
    match spec.kind {
        ServerKind::Postgres => postgres::drop_database(spec),
        ServerKind::Mariadb => mariadb::drop_database(spec),
    }
}

/// The rows that a record has, out of the snapshot store.
struct Kept<'a> {
    store: &'a mut SnapshotStore,
    images: &'a mut Images,
    record: &'a ServerRecord,
}

impl Source for Kept<'_> {
    fn each_row(&mut self, table: &Table, each: &mut dyn FnMut(&Values) -> Result<()>) -> Result<()> {
        match self.record.table(&table.name) {
            Some(record) => self.images.each_row(self.store, table, record, each),
            None => Ok(()),
        }
    }
}
