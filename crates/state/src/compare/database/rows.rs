//! The rows of a table that are not the same in two databases, found by SQLite: what is the same never gets here.

use std::collections::HashMap;

use rusqlite::{Connection, Result, Row as SqlRow};

use super::cell::Cell;
use super::schema::{Extent, Table, sql_name};

/// A row: a cell for each column of its [`Table`].
pub(in crate::compare) type Row = Vec<Cell>;

/// What a reader makes of the rows that differ.
pub(in crate::compare) trait Visit {
    /// A row whose key both have, with other values.
    fn changed(&mut self, expected: Row, actual: Row);
    /// A row that only the expected database has.
    fn gone(&mut self, expected: Row);
    /// A row that only the actual database has.
    fn appeared(&mut self, actual: Row);
}

/// Visits the rows of a table that differ.
pub(in crate::compare) fn differing(
    connection: &Connection,
    table: &Table,
    visit: &mut dyn Visit,
) -> Result<()> {
    if table.extent == Extent::None {
        return Ok(());
    }
    let on = joined_on(table);
    if table.is_virtual || on.is_empty() {
        return by_content(connection, table, visit);
    }
    match joined(connection, table, &on, visit) {
        // A key that sorts by rules of the application's own cannot be looked up here.
        Err(rusqlite::Error::SqliteFailure(_, Some(why))) if why.contains("collation") => {
            by_content(connection, table, visit)
        }
        other => other,
    }
}

/// How a row is found in the other database; empty where it cannot be.
fn joined_on(table: &Table) -> Vec<String> {
    match (table.key.as_slice(), table.rowid) {
        ([], Some(rowid)) => vec![rowid.to_owned()],
        (key, _) => key.iter().map(|at| sql_name(&table.columns[*at])).collect(),
    }
}

fn joined(connection: &Connection, table: &Table, on: &[String], visit: &mut dyn Visit) -> Result<()> {
    let name = sql_name(&table.name);
    let columns: Vec<String> = table.columns.iter().map(|column| sql_name(column)).collect();
    let each = |side: &str| columns.iter().map(|c| format!("{side}.{c}")).collect::<Vec<_>>().join(", ");
    let on = |with: &str| on.iter().map(|c| format!("e.{c} = a.{c}")).collect::<Vec<_>>().join(with);
    // Keys of tables without a rowid are never NULL.
    let mark = table.rowid.map_or_else(|| columns[table.key[0]].clone(), str::to_owned);
    // What is outside has no partner that differs, so that only one side needs to be held to it.
    let within = |side: &str| match (&table.extent, table.rowid) {
        (Extent::Ranges(ranges), Some(rowid)) => {
            let range = |(from, to): &(i64, i64)| format!("{side}.{rowid} BETWEEN {from} AND {to}");
            format!("({})", ranges.iter().map(range).collect::<Vec<_>>().join(" OR "))
        }
        _ => "TRUE".to_owned(),
    };
    let differ: Vec<String> = columns.iter().map(|c| format!("e.{c} IS NOT a.{c} COLLATE BINARY")).collect();
    let mut select = connection.prepare(&format!(
        "SELECT a.{mark} IS NULL, {}, {} FROM main.{name} e LEFT JOIN actual.{name} a ON {} WHERE {} AND (a.{mark} IS NULL OR {})",
        each("e"),
        each("a"),
        on(" AND "),
        within("e"),
        differ.join(" OR ")
    ))?;
    let width = columns.len();
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let expected = cells(row, 1, width)?;
        if row.get(0)? {
            visit.gone(expected);
        } else {
            visit.changed(expected, cells(row, 1 + width, width)?);
        }
    }
    let mut select = connection.prepare(&format!(
        "SELECT {} FROM actual.{name} a WHERE {} AND NOT EXISTS (SELECT 1 FROM main.{name} e WHERE {})",
        each("a"),
        within("a"),
        on(" AND ")
    ))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        visit.appeared(cells(row, 0, width)?);
    }
    Ok(())
}

/// Rows that cannot be looked up by a key: known by a hash of all that is in them, read twice.
fn by_content(connection: &Connection, table: &Table, visit: &mut dyn Visit) -> Result<()> {
    let mut balance: HashMap<blake3::Hash, i64> = HashMap::new();
    each_row(connection, table, "main", &mut |row| *balance.entry(hash(&row)).or_default() += 1)?;
    each_row(connection, table, "actual", &mut |row| *balance.entry(hash(&row)).or_default() -= 1)?;
    balance.retain(|_, count| *count != 0);
    if balance.is_empty() {
        return Ok(());
    }
    let mut left = balance.clone();
    each_row(connection, table, "main", &mut |row| {
        if let Some(count) = left.get_mut(&hash(&row)).filter(|count| **count > 0) {
            *count -= 1;
            visit.gone(row);
        }
    })?;
    each_row(connection, table, "actual", &mut |row| {
        if let Some(count) = balance.get_mut(&hash(&row)).filter(|count| **count < 0) {
            *count += 1;
            visit.appeared(row);
        }
    })
}

fn each_row(connection: &Connection, table: &Table, schema: &str, visit: &mut dyn FnMut(Row)) -> Result<()> {
    let columns: Vec<String> = table.columns.iter().map(|column| sql_name(column)).collect();
    let sql = format!("SELECT {} FROM {schema}.{}", columns.join(", "), sql_name(&table.name));
    let mut select = connection.prepare(&sql)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        visit(cells(row, 0, columns.len())?);
    }
    Ok(())
}

fn cells(row: &SqlRow<'_>, from: usize, width: usize) -> Result<Row> {
    (from..from + width).map(|at| row.get_ref(at).map(Cell::of)).collect()
}

fn hash(row: &[Cell]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for cell in row {
        let (tag, bytes): (u8, &[u8]) = match cell {
            Cell::Null => (0, &[]),
            Cell::Integer(number) => (1, &number.to_le_bytes()),
            Cell::Real(number) => (2, &number.to_bits().to_le_bytes()),
            Cell::Text(text) => (3, text.as_bytes()),
            Cell::Bytes(bytes) => (4, bytes),
        };
        hasher.update(&[tag]).update(&bytes.len().to_le_bytes()).update(bytes);
    }
    hasher.finalize()
}
