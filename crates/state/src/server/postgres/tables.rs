//! The tables that hold rows, and how they are named and asked for.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::connection::Connection;
use crate::error::{Error, Result};
use crate::server::engine::{Column, Table};
use crate::server::values::Values;

const TABLES: &str = include_str!("tables.sql");

/// A table as it is in the database.
pub(super) struct KnownTable {
    pub(super) oid: i64,
    pub(super) table: Table,
    /// Changes when rows may have been changed past restage's triggers.
    pub(super) stamp: String,
}

#[derive(Deserialize)]
struct Said {
    oid: i64,
    name: String,
    columns: Vec<(String, String)>,
    key: Vec<String>,
    stamp: String,
}

/// All tables that hold rows.
pub(super) fn read(connection: &mut Connection) -> Result<Vec<KnownTable>> {
    let rows = connection.run("read the catalogue", TABLES)?;
    rows.iter().map(|row| known(row.get(0).unwrap_or_default())).collect()
}

fn known(json: &str) -> Result<KnownTable> {
    let said: Said = serde_json::from_str(json).map_err(|error| Error::Server {
        database: String::new(),
        action: "read the catalogue".to_owned(),
        said: error.to_string(),
        hint: "this version of PostgreSQL may be unknown to restage".to_owned(),
    })?;
    let place = |key: &String| said.columns.iter().position(|(name, _)| name == key);
    let key = said.key.iter().filter_map(place).collect();
    // Triggers note the key: with another one, they are others.
    let stamp = format!("{} {}", said.stamp, said.key.join(","));
    let columns = said.columns.into_iter().map(|(name, kind)| Column { name, kind }).collect();
    Ok(KnownTable { oid: said.oid, table: Table { name: said.name, columns, key }, stamp })
}

/// The stamps of tables by name.
pub(super) fn stamps(tables: &[KnownTable]) -> BTreeMap<String, String> {
    tables.iter().map(|known| (known.table.name.clone(), known.stamp.clone())).collect()
}

/// A table's name with its schema; a table that is known without is in `public`.
pub(super) fn qualified(name: &str) -> String {
    let mut quoted = false;
    let has_schema = name.bytes().any(|byte| {
        quoted ^= byte == b'"';
        byte == b'.' && !quoted
    });
    if has_schema { name.to_owned() } else { format!("public.{name}") }
}

/// A column's type, to cast text to. What follows tells when the meaning of its text changes.
pub(super) fn cast(column: &Column) -> &str {
    column.kind.lines().next().unwrap_or(&column.kind)
}

/// The columns' names, for a list of them.
pub(super) fn column_list(table: &Table, before: &str) -> String {
    let names: Vec<String> = table.columns.iter().map(|column| format!("{before}{}", column.name)).collect();
    names.join(", ")
}

/// `VALUES (…), (…)` of typed values at these columns.
pub(super) fn values_list<'a>(
    table: &Table,
    places: &[usize],
    rows: impl Iterator<Item = &'a Values>,
) -> String {
    let mut sql = String::from("VALUES ");
    for (number, row) in rows.enumerate() {
        sql.push_str(if number == 0 { "(" } else { ", (" });
        for (at, (place, value)) in places.iter().zip(row.iter()).enumerate() {
            if at > 0 {
                sql.push_str(", ");
            }
            match value {
                None => sql.push_str("NULL"),
                Some(value) => quote(value, &mut sql),
            }
            // Text without a type would be text: each row says it, so that NULLs have theirs too.
            sql.push_str("::");
            sql.push_str(cast(&table.columns[*place]));
        }
        sql.push(')');
    }
    sql
}

/// `t.a = k.c0 AND t.b = k.c1`, for the key's columns.
pub(super) fn key_matches(table: &Table) -> String {
    let each = table.key.iter().enumerate();
    let each = each.map(|(at, place)| format!("t.{} = k.c{at}", table.columns[*place].name));
    each.collect::<Vec<_>>().join(" AND ")
}

/// `c0, c1, …`
pub(super) fn places_list(count: usize) -> String {
    (0..count).map(|at| format!("c{at}")).collect::<Vec<_>>().join(", ")
}

/// A value as a literal.
fn quote(value: &[u8], sql: &mut String) {
    sql.push('\'');
    sql.push_str(&String::from_utf8_lossy(value).replace('\'', "''"));
    sql.push('\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_schema_is_public() {
        assert_eq!(qualified("a"), "public.a");
        assert_eq!(qualified("\"a.b\""), "public.\"a.b\"");
        assert_eq!(qualified("\"x.y\".\"a.b\""), "\"x.y\".\"a.b\"");
        assert_eq!(qualified("\"a\"\".b\""), "public.\"a\"\".b\"");
    }
}
