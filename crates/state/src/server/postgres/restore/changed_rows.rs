//! Rows that changed, put back.

use std::collections::BTreeMap;

use super::whole_tables;
use crate::error::Result;
use crate::server::engine::{Table, Written};
use crate::server::postgres::connection::Connection;
use crate::server::postgres::tables::{column_list, key_matches, places_list, qualified, values_list};
use crate::server::values::Values;

/// How many keys one statement names.
const AT_ONCE: usize = 500;

/// Rows to be as here: the row of that key, or none.
pub(super) type Rows = BTreeMap<Values, Option<Values>>;

/// Makes rows what they should be, where no foreign key is in the way.
pub(super) fn put_back(
    connection: &mut Connection,
    tables: &[(&Table, &Rows)],
    written: &mut Written,
) -> Result<()> {
    for (table, rows) in tables {
        let keys: Vec<&Values> = rows.keys().collect();
        delete(connection, table, &keys)?;
        written.rows += rows.values().filter(|row| row.is_none()).count() as u64;
        let rows: Vec<&Values> = rows.values().flatten().collect();
        insert(connection, table, &rows, written)?;
    }
    Ok(())
}

/// Removes the rows at these keys.
pub(super) fn delete(connection: &mut Connection, table: &Table, keys: &[&Values]) -> Result<()> {
    let action = format!("remove rows of the table {}", table.name);
    for keys in keys.chunks(AT_ONCE) {
        let sql = format!(
            "DELETE FROM ONLY {} t USING ({}) k({}) WHERE {}",
            qualified(&table.name),
            values_list(table, &table.key, keys.iter().copied()),
            places_list(table.key.len()),
            key_matches(table),
        );
        connection.run(&action, &sql)?;
    }
    Ok(())
}

/// Writes rows that are not there.
pub(super) fn insert(
    connection: &mut Connection,
    table: &Table,
    rows: &[&Values],
    written: &mut Written,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let action = format!("write rows of the table {}", table.name);
    let sql = format!("COPY {} ({}) FROM STDIN", qualified(&table.name), column_list(table, ""));
    whole_tables::write(connection, &action, &sql, written, &mut |each| {
        rows.iter().try_for_each(|row| each(row))
    })
}
