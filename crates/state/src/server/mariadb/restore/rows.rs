//! Rows, written.

use mysql::Value;

use crate::error::Result;
use crate::server::engine::{Source, Table, Written};
use crate::server::mariadb::column::Kind;
use crate::server::mariadb::connection::Connection;
use crate::server::mariadb::keys;
use crate::server::mariadb::sql::name;
use crate::server::values::Values;

/// A statement is sent when it is about this long.
const LONG: usize = 1 << 20;
/// So many rows are removed at once.
const AT_ONCE: usize = 200;

/// Makes some rows of a table what they have to be. All that are named go first: no unique key stands in another's way.
pub(super) fn put_rows(
    server: &mut Connection,
    table: &Table,
    rows: &std::collections::BTreeMap<Values, Option<Values>>,
    written: &mut Written,
) -> Result<()> {
    let action = format!("write the table {}", table.name);
    let keys: Vec<&Values> = rows.keys().collect();
    for some in keys.chunks(AT_ONCE) {
        let mut sql = format!("DELETE FROM {} WHERE ", name(&table.name));
        keys::push_condition(&mut sql, table, some.iter().copied());
        server.run(&action, &sql)?;
    }
    written.rows += rows.values().filter(|row| row.is_none()).count() as u64;
    let mut insert = Insert::new(table, server.packet);
    for row in rows.values().flatten() {
        insert.push(server, row, written)?;
    }
    insert.send(server)
}

/// Fills a table that is empty.
pub(super) fn fill(
    server: &mut Connection,
    table: &Table,
    source: &mut dyn Source,
    written: &mut Written,
) -> Result<()> {
    let mut insert = Insert::new(table, server.packet);
    source.each_row(table, &mut |row| insert.push(server, row, written))?;
    insert.send(server)
}

/// Rows on their way into a table.
struct Insert<'a> {
    action: String,
    kinds: Vec<Kind<'a>>,
    head: String,
    sql: String,
    packet: usize,
}

impl<'a> Insert<'a> {
    fn new(table: &'a Table, packet: usize) -> Self {
        let columns: Vec<String> = table.columns.iter().map(|column| name(&column.name)).collect();
        let head = format!("INSERT INTO {} ({}) VALUES ", name(&table.name), columns.join(", "));
        let kinds = table.columns.iter().map(Kind::of).collect();
        let action = format!("write the table {}", table.name);
        Self { action, kinds, head, sql: String::new(), packet }
    }

    fn push(&mut self, server: &mut Connection, row: &Values, written: &mut Written) -> Result<()> {
        written.rows += 1;
        written.bytes += row.bytes().len() as u64;
        // As digits, bytes take twice their room.
        if row.bytes().len() * 2 + 4096 > self.packet {
            self.send(server)?;
            return self.send_alone(server, row);
        }
        if !self.sql.is_empty() && self.sql.len() + row.bytes().len() * 2 > LONG.min(self.packet / 2) {
            self.send(server)?;
        }
        self.sql.push_str(if self.sql.is_empty() { &self.head } else { "," });
        self.sql.push('(');
        for (place, (kind, value)) in self.kinds.iter().zip(row.iter()).enumerate() {
            if place > 0 {
                self.sql.push(',');
            }
            kind.write(&mut self.sql, value);
        }
        self.sql.push(')');
        Ok(())
    }

    fn send(&mut self, server: &mut Connection) -> Result<()> {
        if self.sql.is_empty() {
            return Ok(());
        }
        let sql = std::mem::take(&mut self.sql);
        server.run(&self.action, &sql)
    }

    /// A row that is too long for a statement goes beside it.
    fn send_alone(&self, server: &mut Connection, row: &Values) -> Result<()> {
        let places: Vec<&str> = self.kinds.iter().map(Kind::place).collect();
        let sql = format!("{}({})", self.head, places.join(","));
        let values = row.iter().map(|value| value.map_or(Value::NULL, |value| Value::Bytes(value.to_vec())));
        server.run_with(&self.action, &sql, values.collect())
    }
}
