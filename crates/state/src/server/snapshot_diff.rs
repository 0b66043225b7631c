//! What differs between two snapshots of a database: the rows alone that do.

use super::engine::{Counters, Schema, Table};
use super::image::Images;
use super::plan::rows_apart;
use super::record::ServerRecord;
use super::values::Values;
use crate::error::Result;
use crate::snapshot_store::SnapshotStore;

/// A table that only one snapshot has is shown with so many rows at most.
const MOST: usize = 10_000;

/// What differs between two snapshots of a database.
pub(crate) struct SnapshotDiff {
    /// Both schemas.
    pub(crate) schemas: [Schema; 2],
    /// Both counters.
    pub(crate) counters: [Counters; 2],
    /// The tables with rows that differ, and those that only one snapshot has.
    pub(crate) tables: Vec<[Option<TableRows>; 2]>,
}

/// A table of one snapshot, with the rows that the other has not, or has otherwise.
pub(crate) struct TableRows {
    pub(crate) table: Table,
    pub(crate) rows: Vec<Values>,
}

/// Compares two snapshots of a database.
pub(crate) fn snapshot_diff(
    store: &mut SnapshotStore,
    was: &ServerRecord,
    is: &ServerRecord,
) -> Result<SnapshotDiff> {
    let schemas = [was.schema(store)?, is.schema(store)?];
    let counters = [was.counters(store)?, is.counters(store)?];
    let mut images = Images::default();
    let mut tables = Vec::new();
    for table in &schemas[0].tables {
        match schemas[1].table(&table.name) {
            Some(now) => {
                let rows = rows_of_both(store, &mut images, (was, table), (is, now))?;
                if table != now || rows.iter().any(|rows| !rows.is_empty()) {
                    let [gone, come] = rows;
                    let one = TableRows { table: table.clone(), rows: gone };
                    tables.push([Some(one), Some(TableRows { table: now.clone(), rows: come })]);
                }
            }
            None => {
                let rows = all(store, &mut images, was, table, MOST)?;
                tables.push([Some(TableRows { table: table.clone(), rows }), None]);
            }
        }
    }
    for table in schemas[1].tables.iter().filter(|table| schemas[0].table(&table.name).is_none()) {
        let rows = all(store, &mut images, is, table, MOST)?;
        tables.push([None, Some(TableRows { table: table.clone(), rows })]);
    }
    Ok(SnapshotDiff { schemas, counters, tables })
}

fn rows_of_both(
    store: &mut SnapshotStore,
    images: &mut Images,
    was: (&ServerRecord, &Table),
    is: (&ServerRecord, &Table),
) -> Result<[Vec<Values>; 2]> {
    let (Some(before), Some(now)) = (was.0.table(&was.1.name), is.0.table(&is.1.name)) else {
        return Ok([Vec::new(), Vec::new()]);
    };
    if was.1 == is.1
        && let Some(rows) = rows_apart(store, images, was.1, before, now, None)?
    {
        let keys = rows.keys().cloned().collect();
        let before = images.rows(store, was.1, before, &keys)?;
        return Ok([before.into_values().flatten().collect(), rows.into_values().flatten().collect()]);
    }
    let one = all(store, images, was.0, was.1, usize::MAX)?;
    Ok([one, all(store, images, is.0, is.1, usize::MAX)?])
}

fn all(
    store: &mut SnapshotStore,
    images: &mut Images,
    record: &ServerRecord,
    table: &Table,
    most: usize,
) -> Result<Vec<Values>> {
    let mut rows = Vec::new();
    if let Some(record) = record.table(&table.name) {
        images.each_row(store, table, record, &mut |row| {
            if rows.len() < most {
                rows.push(row.clone());
            }
            Ok(())
        })?;
    }
    Ok(rows)
}
