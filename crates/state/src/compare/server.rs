//! What differs between two snapshots of a database on a server.
//!
//! The rows that differ, and they alone, go into two SQLite databases in memory, which are then compared as others are.

use restage_model::{Place, StoredThing};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::types::{Null, ToSqlOutput, Value};
use rusqlite::{Connection, params_from_iter};

use super::clock::Clock;
use super::database::sql_name;
use super::database::{SEQUENCES, connection_diff};
use super::finding::{FindingSite, Findings};
use super::masks::StateMasks;
use crate::error::{Error, Result};
use crate::manifest::PartRecord;
use crate::server::{ServerRecord, SnapshotDiff, TableRows, snapshot_diff};
use crate::snapshot_store::SnapshotStore;

/// The databases on servers that both snapshots have, and that may differ.
pub(super) fn server_pairs(
    store: &mut SnapshotStore,
    expected: &str,
    actual: &str,
) -> Result<Vec<(String, ServerRecord, ServerRecord)>> {
    let mut servers = |name: &str| -> Result<BTreeMap<String, ServerRecord>> {
        let parts = store.manifest(name)?.parts.into_iter();
        let server = |part: crate::manifest::LabelledRecord| match part.record {
            PartRecord::Server(record) => Some((part.label.to_path_buf().display().to_string(), record)),
            _ => None,
        };
        Ok(parts.filter_map(server).collect())
    };
    let (was, mut is) = (servers(expected)?, servers(actual)?);
    let pair = |(label, was): (String, ServerRecord)| {
        let is = is.remove(&label)?;
        (was != is).then_some((label, was, is))
    };
    Ok(was.into_iter().filter_map(pair).collect())
}

/// Adds what differs between two snapshots of a database.
pub(super) fn server_diff(
    store: &mut SnapshotStore,
    (path, was, is): (&str, &ServerRecord, &ServerRecord),
    masks: &StateMasks,
    clock: Clock,
    findings: &mut Findings,
) -> Result<()> {
    let diff = snapshot_diff(store, was, is)?;
    compare_objects(path, &diff, findings);
    let failed = |source| Error::Database { path: path.into(), source };
    let connection = both(&diff).map_err(failed)?;
    let settled = connection_diff(&connection, path, masks, clock, findings).map_err(failed)?;
    compare_counters(path, &diff, &settled, masks, findings);
    Ok(())
}

/// A connection with the rows that differ: what is expected as `main`, the other as `actual`.
fn both(diff: &SnapshotDiff) -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch("ATTACH ':memory:' AS actual; BEGIN")?;
    for pair in &diff.tables {
        for (side, rows) in ["main", "actual"].into_iter().zip(pair) {
            if let Some(rows) = rows {
                fill(&connection, side, rows)?;
            }
        }
    }
    connection.execute_batch("COMMIT")?;
    Ok(connection)
}

fn fill(connection: &Connection, side: &str, rows: &TableRows) -> rusqlite::Result<()> {
    let table = &rows.table;
    let name = format!("{side}.{}", sql_name(&table.name));
    let declared: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("{} {}", sql_name(&column.name), plain(&column.kind)))
        .collect();
    let key: Vec<String> = table.key.iter().map(|at| sql_name(&table.columns[*at].name)).collect();
    let key = if key.is_empty() { String::new() } else { format!(", PRIMARY KEY ({})", key.join(", ")) };
    connection.execute_batch(&format!("CREATE TABLE {name}({}{key})", declared.join(", ")))?;
    let places: Vec<String> = (0..=table.columns.len()).map(|at| format!("?{}", at + 1)).collect();
    let columns: Vec<String> = table.columns.iter().map(|column| sql_name(&column.name)).collect();
    let mut insert = connection.prepare(&format!(
        "INSERT INTO {name}(rowid, {}) VALUES ({})",
        columns.join(", "),
        places.join(", ")
    ))?;
    let mut taken = BTreeSet::new();
    for row in &rows.rows {
        // Rows without a key are known by what is in them, whatever came before them.
        let mut number = hash(row.bytes());
        while !taken.insert(number) {
            number = hash(&number.to_le_bytes());
        }
        let values = row.iter().map(|value| match value {
            None => ToSqlOutput::from(Null),
            Some(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => ToSqlOutput::from(text),
                Err(_) => ToSqlOutput::from(bytes),
            },
        });
        let values = std::iter::once(ToSqlOutput::Owned(Value::Integer(number))).chain(values);
        insert.execute(params_from_iter(values))?;
    }
    Ok(())
}

fn hash(bytes: &[u8]) -> i64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    (hasher.finish() >> 1) as i64
}

/// A type as SQLite can read it: it tells numbers from texts by words in it. `INTEGER` alone would make the column
/// the row's own number.
fn plain(kind: &str) -> String {
    let kind: String =
        kind.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == ' ' || *c == '_').collect();
    let kind = kind.trim();
    if kind.eq_ignore_ascii_case("integer") { "INT".to_owned() } else { format!("\"{kind}\"") }
}

/// Views, indexes, triggers and the like. Columns of tables are told by the tables themselves.
fn compare_objects(path: &str, diff: &SnapshotDiff, findings: &mut Findings) {
    let [was, is] = &diff.schemas;
    let of = |schema: &crate::server::Schema| -> BTreeMap<(String, String), String> {
        let objects = schema.objects.iter();
        objects.map(|o| ((o.kind.clone(), o.name.clone()), o.definition.clone())).collect()
    };
    let (before, now) = (of(was), of(is));
    let all: BTreeSet<&(String, String)> = before.keys().chain(now.keys()).collect();
    for key @ (kind, name) in all {
        let (one, other) = (before.get(key), now.get(key));
        let in_one_alone = was.table(name).is_some() != is.table(name).is_some();
        if one == other || (kind == "table" && (in_one_alone || was.table(name) != is.table(name))) {
            continue;
        }
        let (one, other) = (one.cloned().unwrap_or_default(), other.cloned().unwrap_or_default());
        let place = Place::Stored {
            thing: StoredThing::Object(kind.clone()),
            name: name.clone(),
            table: None,
            database: path.to_owned(),
        };
        findings.add(FindingSite::File(path.to_owned()), place, one, other);
    }
}

/// Where ids go on, of tables whose rows do not tell: a row may have come and gone.
fn compare_counters(
    path: &str,
    diff: &SnapshotDiff,
    settled: &[String],
    masks: &StateMasks,
    findings: &mut Findings,
) {
    let [was, is] = &diff.counters;
    // A table without rows that differ is not in the connection at all.
    let with_rows: BTreeSet<&str> = diff
        .tables
        .iter()
        .flatten()
        .flatten()
        .map(|rows| rows.table.name.as_str())
        .filter(|name| !settled.iter().any(|settled| settled == name))
        .collect();
    // `orders`, or `orders_id_seq`.
    let told = |counter: &str| {
        with_rows.iter().any(|table| counter == *table || counter.starts_with(&format!("{table}_")))
    };
    for (name, before) in was {
        let Some(now) = is.get(name).filter(|now| *now != before && !told(name)) else { continue };
        let place = format!("next id of {name} ({path})");
        let masked =
            masks.has_table(path, SEQUENCES) || masks.of_table(path, SEQUENCES).any(|m| m.column == *name);
        if masked {
            findings.mask(place, before.clone(), now.clone());
            continue;
        }
        let column = FindingSite::Column {
            database: path.to_owned(),
            table: SEQUENCES.to_owned(),
            column: name.clone(),
        };
        let place = Place::Stored {
            thing: StoredThing::NextId,
            name: name.clone(),
            table: None,
            database: path.to_owned(),
        };
        findings.add(column, place, before.clone(), now.clone());
    }
}
