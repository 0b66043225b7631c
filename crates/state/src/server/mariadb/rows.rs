//! Rows, read.

use std::collections::BTreeSet;

use mysql::{Row, Value};

use super::column::Kind;
use super::connection::Connection;
use super::keys;
use super::sql::name;
use crate::error::Result;
use crate::server::engine::Table;
use crate::server::values::Values;

/// So many rows are asked for at once.
const AT_ONCE: usize = 200;

/// All rows of a table. `versioned`: also those that were.
pub(super) fn scan(
    server: &mut Connection,
    table: &Table,
    versioned: bool,
    each: &mut dyn FnMut(Values) -> Result<()>,
) -> Result<()> {
    let all = if versioned { " FOR SYSTEM_TIME ALL" } else { "" };
    let sql = format!("{}{all}", select(table));
    server.each(&action(table), &sql, &mut |row| each(values(&row)))
}

/// The rows of some keys.
pub(super) fn rows(server: &mut Connection, table: &Table, keys: &BTreeSet<Values>) -> Result<Vec<Values>> {
    let mut found = Vec::new();
    let keys: Vec<&Values> = keys.iter().collect();
    for some in keys.chunks(AT_ONCE) {
        let mut sql = select(table);
        sql.push_str(" WHERE ");
        keys::push_condition(&mut sql, table, some.iter().copied());
        let wanted: BTreeSet<&Values> = some.iter().copied().collect();
        server.each(&action(table), &sql, &mut |row| {
            let row = values(&row);
            // Keys that differ in their bytes may be equal for the server.
            if wanted.contains(&table.key_of(&row)) {
                found.push(row);
            }
            Ok(())
        })?;
    }
    Ok(found)
}

fn select(table: &Table) -> String {
    let columns: Vec<String> = table.columns.iter().map(|column| Kind::of(column).read("")).collect();
    format!("SELECT {} FROM {}", columns.join(", "), name(&table.name))
}

fn action(table: &Table) -> String {
    format!("read the table {}", table.name)
}

fn values(row: &Row) -> Values {
    let mut made = Values::default();
    for place in 0..row.len() {
        match row.as_ref(place) {
            Some(Value::Bytes(bytes)) => made.push(Some(bytes)),
            // In answers to plain statements, everything is bytes or NULL.
            _ => made.push(None),
        }
    }
    made
}
