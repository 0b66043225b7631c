//! What differs between two databases of the same path.

use std::collections::BTreeMap;
use std::rc::Rc;

use restage_model::{Place, StoredThing};
use rusqlite::{Connection, ErrorCode};

use super::copies::{Copies, Side};
use super::matching::{RowsDiff, rows_diff};
use super::schema::{self, Declared, Table, column_changes, sequences, sql_name};
use super::schemas::{Schema, Schemas};
use super::table_view::TableView;
use super::touched::Touched;
use crate::compare::clock::Clock;
use crate::compare::files::DatabasePair;
use crate::compare::finding::{FindingSite, Findings};
use crate::compare::masks::{StateMasks, TableVaries};
use crate::error::{Error, Result};
use crate::snapshot_store::SnapshotStore;

/// The table of the highest ids given; each table with such ids is a column of it in a mask.
pub(in crate::compare) const SEQUENCES: &str = "sqlite_sequence";

/// Adds what differs between two databases.
pub(in crate::compare) fn database_diff(
    copies: &mut Copies,
    store: &mut SnapshotStore,
    pair: &DatabasePair,
    masks: &StateMasks,
    clock: Clock,
    findings: &mut Findings,
) -> Result<()> {
    let looked = copies.open(store, &pair.path, &pair.expected, &pair.actual).map(|connection| {
        let schemas = copies.schemas.entry(pair.path.clone()).or_default().of(&connection)?;
        let copied = |side| copies.copied(side, &pair.path);
        let touched = match copied(Side::Expected).zip(copied(Side::Actual)) {
            Some((was, is)) => Touched::of((&was, &schemas.0), (&is, &schemas.1)),
            None => Touched::unknown(),
        };
        Looked { connection: &connection, path: &pair.path, schemas, masks, clock, touched, findings }.look()
    });
    let unreadable = match looked {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(source)) | Err(Error::Database { source, .. }) => source,
        Err(other) => return Err(other),
    };
    // A database that cannot be read is a finding, not a reason to stop.
    let place = Place::Unreadable { path: pair.path.clone() };
    findings.add(FindingSite::File(pair.path.clone()), place, String::new(), unreadable.to_string());
    Ok(())
}

/// Adds what differs between the `main` and the `actual` database of a connection; which tables that both have tell
/// nothing of how ids were given.
pub(in crate::compare) fn connection_diff(
    connection: &Connection,
    path: &str,
    masks: &StateMasks,
    clock: Clock,
    findings: &mut Findings,
) -> rusqlite::Result<Vec<String>> {
    let (schemas, touched) = (Schemas::default().of(connection)?, Touched::unknown());
    Looked { connection, path, schemas, masks, clock, touched, findings }.look_at_tables()
}

struct Looked<'a> {
    connection: &'a Connection,
    path: &'a str,
    /// Of what is expected, and of the other.
    schemas: (Rc<Schema>, Rc<Schema>),
    masks: &'a StateMasks,
    clock: Clock,
    touched: Touched,
    findings: &'a mut Findings,
}

impl Looked<'_> {
    fn look(&mut self) -> rusqlite::Result<()> {
        for name in ["user_version", "application_id"] {
            let number = |side| schema::number(self.connection, side, name);
            let (was, is) = (number("main")?, number("actual")?);
            if was != is {
                let place = self.stored(StoredThing::Setting, name, None);
                let site = FindingSite::File(self.path.to_owned());
                self.findings.add(site, place, was.to_string(), is.to_string());
            }
        }
        self.compare_others();
        let settled = self.look_at_tables()?;
        self.compare_sequences(&settled)
    }

    fn look_at_tables(&mut self) -> rusqlite::Result<Vec<String>> {
        let (was, is) = self.schemas.clone();
        let mut settled = Vec::new();
        for (name, expected) in &was.tables {
            match is.tables.get(name) {
                Some(actual) => {
                    if self.compare_table(name, expected, actual)? {
                        settled.push(name.clone());
                    }
                }
                None => self.add_table(name, "main")?,
            }
        }
        for name in is.tables.keys().filter(|name| !was.tables.contains_key(*name)) {
            self.add_table(name, "actual")?;
        }
        Ok(settled)
    }

    /// Compares a table that both have; whether its rows tell nothing of how ids were given.
    fn compare_table(
        &mut self,
        name: &str,
        expected: &Declared,
        actual: &Declared,
    ) -> rusqlite::Result<bool> {
        let place = self.table_named(name);
        for (column, was, is) in column_changes(expected, actual) {
            let masked = self.masks.of_table(self.path, name).any(|m| m.column == column);
            let what = format!("{column} of {place}");
            if masked || self.masks.has_table(self.path, name) {
                self.findings.mask(what, was, is);
                continue;
            }
            let (database, table) = (self.path.to_owned(), name.to_owned());
            let place = self.stored(StoredThing::Column, &column, Some(name));
            self.findings.add(FindingSite::Column { database, table, column }, place, was, is);
        }
        let Some(mut table) = Table::common(name, expected, actual) else { return Ok(false) };
        table.extent = self.touched.extent(name, table.is_virtual);
        let view = TableView::of(table, self.masks.of_table(self.path, name), self.clock);
        let key_varies = !view.table.key.is_empty() && !view.is_keyed;
        let mut diff = match rows_diff(self.connection, view) {
            Ok(diff) => diff,
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => return Err(error),
            Err(error) => {
                // A virtual table of a kind that is not known here, most likely.
                let why = format!("not compared: {error}");
                self.findings.mask(format!("rows of {place}"), why.clone(), why);
                return Ok(false);
            }
        };
        if self.masks.has_table(self.path, name) {
            if diff.has_differences() || !diff.masked.is_empty() {
                let (gone, appeared) = (diff.gone.len(), diff.appeared.len());
                let said = |n: usize| format!("{} rows of its own, {} changed", n, diff.changed.len());
                self.findings.mask(format!("rows of {place}"), said(gone), said(appeared));
            }
            self.findings.masked_rows += (diff.told() + diff.masked_rows) as u64;
            return Ok(false);
        }
        if self.masks.rows_vary(self.path, name) == Some(TableVaries::Number) {
            let alone = (diff.gone.len(), diff.appeared.len());
            if diff.leave_out_alone() {
                let said = |n: usize| format!("{n} rows of its own");
                self.findings.mask(format!("number of rows of {place}"), said(alone.0), said(alone.1));
            }
            self.take(diff, &place);
            return Ok(false);
        }
        let settled = diff.gone.is_empty() && diff.appeared.is_empty() && diff.more == 0 && !key_varies;
        self.take(diff, &place);
        Ok(settled)
    }

    fn take(&mut self, diff: RowsDiff, place: &str) {
        self.findings.masked_rows += diff.masked_rows as u64;
        for (column, (was, is)) in &diff.masked {
            let what = format!("{} of {place}", diff.view.table.columns[*column]);
            self.findings.mask(what, was.whole(), is.whole());
        }
        if diff.has_differences() {
            self.findings.rows.push((self.path.to_owned(), diff));
        }
    }

    /// The ids that AUTOINCREMENT gave, of tables whose rows do not tell: a row may have come and gone.
    fn compare_sequences(&mut self, settled: &[String]) -> rusqlite::Result<()> {
        let (was, is) = (sequences(self.connection, "main")?, sequences(self.connection, "actual")?);
        for name in settled {
            let of = |all: &BTreeMap<String, i64>| all.get(name).copied().unwrap_or(0);
            let (was, is) = (of(&was), of(&is));
            if was == is {
                continue;
            }
            let place = format!("highest id given in {}", self.table_named(name));
            let masked = self.masks.has_table(self.path, SEQUENCES)
                || self.masks.of_table(self.path, SEQUENCES).any(|m| m.column == *name);
            if masked {
                self.findings.mask(place, was.to_string(), is.to_string());
                continue;
            }
            let place = self.stored(StoredThing::HighestId, name, None);
            let column = FindingSite::Column {
                database: self.path.to_owned(),
                table: SEQUENCES.to_owned(),
                column: name.clone(),
            };
            self.findings.add(column, place, was.to_string(), is.to_string());
        }
        Ok(())
    }

    fn compare_others(&mut self) {
        let (was, is) = self.schemas.clone();
        let (was, is) = (&was.others, &is.others);
        let mut all: Vec<&(String, String)> = was.keys().chain(is.keys()).collect();
        all.sort();
        all.dedup();
        for key @ (kind, name) in all {
            let (was, is) =
                (was.get(key).cloned().unwrap_or_default(), is.get(key).cloned().unwrap_or_default());
            if was == is {
                continue;
            }
            let place = self.stored(StoredThing::Object(kind.clone()), name, None);
            self.findings.add(FindingSite::File(self.path.to_owned()), place, was, is);
        }
    }

    fn add_table(&mut self, name: &str, side: &str) -> rusqlite::Result<()> {
        let place = self.table_named(name);
        let count = format!("SELECT count(*) FROM {side}.{}", sql_name(name));
        let rows = self.connection.query_row(&count, [], |row| row.get::<_, i64>(0)).ok();
        let said = rows.map_or_else(|| "rows".to_owned(), |n| format!("{n} rows"));
        let (was, is) = if side == "main" { (said, String::new()) } else { (String::new(), said) };
        if self.masks.has_table(self.path, name) {
            self.findings.mask(format!("table {place}"), was, is);
            return Ok(());
        }
        let site = FindingSite::Table { database: self.path.to_owned(), table: name.to_owned() };
        self.findings.add(site, self.stored(StoredThing::Table, name, None), was, is);
        Ok(())
    }

    fn stored(&self, thing: StoredThing, name: &str, table: Option<&str>) -> Place {
        let (name, table) = (name.to_owned(), table.map(str::to_owned));
        Place::Stored { thing, name, table, database: self.path.to_owned() }
    }

    fn table_named(&self, name: &str) -> String {
        format!("{name} ({})", self.path)
    }
}
