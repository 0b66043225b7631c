//! What the server knows of the values in tables, by which it chooses how to run a query.
//!
//! Rows of a query without an ORDER BY come in an order that depends on that choice. By itself the server gathers statistics at some minute after
//! a table was filled: lists would have one order in a run before that minute, and another in all runs after it. So restage has them gathered when it
//! begins to watch, and of each table that it fills anew.

use super::connection::Connection;
use super::tables::qualified;

/// Gathers the statistics of these tables, as far as the account may. Where that fails, rows come in some order, as they did before.
pub(super) fn gather<'a>(connection: &mut Connection, tables: impl Iterator<Item = &'a String>) {
    let names: Vec<String> = tables.map(|name| qualified(name)).collect();
    if !names.is_empty() {
        let _ = connection.run("gather statistics", &format!("ANALYZE {}", names.join(", ")));
    }
}
