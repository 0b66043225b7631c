//! What a restore has to write: where what is there, and what has to be, may differ.

use std::collections::{BTreeMap, BTreeSet};

use super::delta::{self, Rows};
use super::engine::{Changes, Schema, Table};
use super::image::Images;
use super::record::{ServerRecord, TableRecord};
use super::values::Values;
use crate::error::Result;
use crate::snapshot_store::SnapshotStore;

/// What has to be written, beside what schemas that differ ask for.
#[derive(Default)]
pub(super) struct Plan {
    /// Rows to be as here.
    pub(super) rows: BTreeMap<String, Rows>,
    /// Tables to be filled anew.
    pub(super) whole: BTreeSet<String>,
}

/// A database as it was known to be, and what has changed since.
pub(super) struct LastKnown<'a> {
    pub(super) record: &'a ServerRecord,
    /// The schema that goes with the record.
    pub(super) schema: &'a Schema,
    pub(super) changes: &'a Changes,
}

/// What it takes to make the database what `target` says. `current` is the schema as it is now.
pub(super) fn plan(
    store: &mut SnapshotStore,
    images: &mut Images,
    known: &LastKnown<'_>,
    current: &Schema,
    target: (&ServerRecord, &Schema),
) -> Result<Plan> {
    let mut plan = Plan::default();
    for table in &target.1.tables {
        let Some(goal) = target.0.table(&table.name) else { continue };
        // A table that is not there, or in another form, is made anew with all its rows.
        if current.table(&table.name) != Some(table) {
            continue;
        }
        let was = known.record.table(&table.name).filter(|_| known.schema.table(&table.name) == Some(table));
        let Some(was) = was.filter(|_| !known.changes.whole.contains(&table.name)) else {
            plan.whole.insert(table.name.clone());
            continue;
        };
        let noted = known.changes.keys.get(&table.name);
        match rows_apart(store, images, table, was, goal, noted)? {
            Some(rows) if rows.is_empty() => {}
            Some(rows) => {
                plan.rows.insert(table.name.clone(), rows);
            }
            None => {
                plan.whole.insert(table.name.clone());
            }
        }
    }
    Ok(plan)
}

/// The rows of `goal` where it may differ from `was`, and at the keys noted as changed since; none where the two cannot
/// be compared row by row.
pub(super) fn rows_apart(
    store: &mut SnapshotStore,
    images: &mut Images,
    table: &Table,
    was: &TableRecord,
    goal: &TableRecord,
    noted: Option<&BTreeSet<Values>>,
) -> Result<Option<Rows>> {
    if table.key.is_empty() || was.buckets != goal.buckets || was.buckets == 0 {
        return Ok((was.image == goal.image).then(Rows::new));
    }
    let mut keys = BTreeSet::new();
    let (ours, theirs) = if was.image == goal.image {
        delta::apart(&was.deltas, &goal.deltas)
    } else {
        keys.extend(images.keys_apart(store, table, was.image, goal.image)?);
        (&was.deltas[..], &goal.deltas[..])
    };
    for deltas in [ours, theirs] {
        keys.extend(delta::read(store, deltas)?.into_keys());
    }
    let there = images.rows(store, table, was, &keys)?;
    keys.extend(noted.into_iter().flatten().cloned());
    let mut rows = images.rows(store, table, goal, &keys)?;
    rows.retain(|key, row| noted.is_some_and(|noted| noted.contains(key)) || there.get(key) != Some(row));
    Ok(Some(rows))
}
