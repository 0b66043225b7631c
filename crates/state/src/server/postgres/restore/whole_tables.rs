//! Whole tables: emptied, and filled with the rows they should have.

use crate::error::{Error, Result};
use crate::server::engine::{Source, Table, Written};
use crate::server::postgres::connection::Connection;
use crate::server::postgres::copy_text::write_line;
use crate::server::postgres::tables::{column_list, qualified};
use crate::server::values::Values;

/// So many bytes are sent at once.
const AT_ONCE: usize = 256 << 10;

/// Gives each row to be written.
pub(super) type EachRow<'a> = dyn FnMut(&mut dyn FnMut(&Values) -> Result<()>) -> Result<()> + 'a;

/// Removes all rows.
pub(super) fn empty(connection: &mut Connection, table: &Table) -> Result<()> {
    let name = qualified(&table.name);
    let action = format!("empty the table {}", table.name);
    // A table that another one refers to cannot be truncated; one that someone reads, not at once.
    let truncate =
        format!("SET LOCAL lock_timeout = 200; TRUNCATE ONLY {name}; SET LOCAL {}", connection.patience());
    if connection.try_to(&action, &truncate)?.is_err() {
        connection.run(&action, &format!("DELETE FROM ONLY {name}"))?;
    }
    Ok(())
}

/// Writes all rows of a table that has none; those with a key in its order, so that they lie in it.
pub(super) fn fill(
    connection: &mut Connection,
    table: &Table,
    source: &mut dyn Source,
    written: &mut Written,
) -> Result<()> {
    let (name, columns) = (qualified(&table.name), column_list(table, ""));
    let action = format!("fill the table {}", table.name);
    let sort = format!(
        "CREATE TEMPORARY TABLE restage_fill ON COMMIT DROP AS SELECT {columns} FROM {name} WITH NO DATA"
    );
    let sorted = !table.key.is_empty() && connection.try_to(&action, &sort)?.is_ok();
    let into = if sorted { "pg_temp.restage_fill" } else { &name };
    write(connection, &action, &format!("COPY {into} ({columns}) FROM STDIN"), written, &mut |each| {
        source.each_row(table, each)
    })?;
    if sorted {
        let key: Vec<&str> = table.key.iter().map(|place| table.columns[*place].name.as_str()).collect();
        let sql = format!(
            "INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM pg_temp.restage_fill \
             ORDER BY {}; DROP TABLE pg_temp.restage_fill",
            key.join(", ")
        );
        connection.run(&action, &sql)?;
    }
    Ok(())
}

/// Writes rows by COPY.
pub(super) fn write(
    connection: &mut Connection,
    action: &str,
    sql: &str,
    written: &mut Written,
    rows: &mut EachRow<'_>,
) -> Result<()> {
    let stopped = |error: std::io::Error| Error::Io {
        action: "send rows to",
        path: std::path::PathBuf::from("the database server"),
        source: error,
    };
    let mut bytes = 0;
    let count = connection.copy_in(action, sql, &mut |send| {
        let mut lines = Vec::with_capacity(AT_ONCE);
        rows(&mut |row| {
            bytes += row.bytes().len() as u64;
            write_line(row, &mut lines);
            if lines.len() >= AT_ONCE {
                send(&lines).map_err(stopped)?;
                lines.clear();
            }
            Ok(())
        })?;
        send(&lines).map_err(stopped)
    })?;
    written.rows += count;
    written.bytes += bytes;
    Ok(())
}
