//! Reading rows, as text.

use std::collections::BTreeSet;

use super::connection::Connection;
use super::tables::{column_list, key_matches, places_list, qualified, values_list};
use crate::error::Result;
use crate::server::engine::Table;
use crate::server::values::Values;

/// How many keys one statement asks for.
const AT_ONCE: usize = 500;

/// All rows of a table in the order in which they lie.
pub(super) fn scan(
    connection: &mut Connection,
    table: &Table,
    each: &mut dyn FnMut(Values) -> Result<()>,
) -> Result<()> {
    // Several scans that join each other would begin in the middle.
    let columns = column_list(table, "");
    let sql = format!("COPY (SELECT {columns} FROM ONLY {}) TO STDOUT", qualified(&table.name));
    connection.run("read rows", "SET synchronize_seqscans = off")?;
    connection.copy_out(&format!("read the table {}", table.name), &sql, &mut |line| each(line.values()))
}

/// The rows at these keys, each once.
pub(super) fn at(connection: &mut Connection, table: &Table, keys: &BTreeSet<Values>) -> Result<Vec<Values>> {
    let keys: Vec<&Values> = keys.iter().collect();
    let mut found = BTreeSet::new();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    // Statistics may be missing or old; the key has an index.
    connection.run(
        "read rows",
        "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off",
    )?;
    for keys in keys.chunks(AT_ONCE) {
        let sql = format!(
            "COPY (SELECT {} FROM ({}) k({}) JOIN ONLY {} t ON {}) TO STDOUT",
            column_list(table, "t."),
            values_list(table, &table.key, keys.iter().copied()),
            places_list(table.key.len()),
            qualified(&table.name),
            key_matches(table),
        );
        let action = format!("read rows of the table {}", table.name);
        connection.copy_out(&action, &sql, &mut |line| {
            found.insert(line.values());
            Ok(())
        })?;
    }
    connection.run("read rows", "RESET enable_seqscan; RESET enable_hashjoin; RESET enable_mergejoin")?;
    // A key may be equal to another by the table's rules, and yet be written otherwise.
    Ok(found.into_iter().filter(|row| keys.binary_search(&&table.key_of(row)).is_ok()).collect())
}
