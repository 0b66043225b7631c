//! Making a database what it was, in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use super::bound_by_foreign_keys::{self, ForeignKeys};
use super::changed_rows::{self, Rows};
use super::schema::{self, Made};
use super::silence::{self, Quiet};
use super::whole_tables;
use crate::error::Result;
use crate::server::engine::{Goal, Source, Table, Written};
use crate::server::postgres::change_tracking;
use crate::server::postgres::change_tracking::{FREELY, Followed, RESTORING};
use crate::server::postgres::connection::Connection;
use crate::server::postgres::counters::Sequences;
use crate::server::postgres::tables::qualified;

/// What the engine knows of the database beside its goal.
pub(in crate::server::postgres) struct Own<'a> {
    /// Tables as they are watched.
    pub(in crate::server::postgres) stamps: &'a BTreeMap<String, String>,
    /// Materialized views to be refreshed.
    pub(in crate::server::postgres) refreshed: &'a BTreeSet<String>,
    pub(in crate::server::postgres) sequences: &'a mut Sequences,
}

/// Functions of the application that constraints call expect its settings.
const OWN_PATH: &str = "SET LOCAL search_path TO DEFAULT";
const NO_PATH: &str = "SET LOCAL search_path = pg_catalog";

/// Makes the database what the goal says; and how its tables are watched from then on, where that changed.
pub(in crate::server::postgres) fn put_back(
    connection: &mut Connection,
    goal: &Goal<'_>,
    source: &mut dyn Source,
    own: Own<'_>,
) -> Result<(Written, Option<Followed>)> {
    let free = connection.open()?.is_free();
    let begin = if free { format!("{RESTORING}; {FREELY}") } else { RESTORING.to_owned() };
    connection.transaction("restore the database", &begin, |connection| {
        let mut written = Written::default();
        let mut made = Made::default();
        let mut whole: BTreeSet<String> = goal.whole.clone();
        let other_form = |table: &&Table| goal.current.table(&table.name) != Some(table);
        whole.extend(goal.schema.tables.iter().filter(other_form).map(|table| table.name.clone()));
        let rebuild = !goal.current.is_like(goal.schema);
        if rebuild {
            written.objects += schema::drop_what_differs(connection, goal.schema)?;
            schema::make_what_is_missing(connection, goal.schema, false, &mut made)?;
        }
        let is_whole =
            |table: &Table| whole.contains(&table.name) || made.tables.contains(&qualified(&table.name));
        let tables: Vec<&Table> = goal.schema.tables.iter().filter(|table| is_whole(table)).collect();
        let mut touched: BTreeSet<String> = tables.iter().map(|table| qualified(&table.name)).collect();
        touched.extend(goal.rows.keys().map(|name| qualified(name)));
        let quiet = Quiet::begin(connection, &touched, free)?;
        let mut keys_dropped = !free && silence::drop_foreign_keys(connection, &tables)?;
        if !tables.is_empty() {
            connection.run("restore rows", OWN_PATH)?;
            for table in &tables {
                if !made.tables.contains(&qualified(&table.name)) {
                    whole_tables::empty(connection, table)?;
                }
                whole_tables::fill(connection, table, source, &mut written)?;
            }
            connection.run("restore rows", NO_PATH)?;
        }
        let rows = goal.rows.iter().filter(|(name, _)| !tables.iter().any(|table| table.name == **name));
        let rows: Vec<_> =
            rows.filter_map(|(name, rows)| goal.schema.table(name).map(|table| (table, rows))).collect();
        keys_dropped |= changed_rows(connection, &rows, free, &mut written)?;
        quiet.end(connection)?;
        if rebuild || keys_dropped {
            schema::finish(connection, goal.schema, &mut made)?;
        }
        written.objects += made.objects;
        for view in own.refreshed {
            // One that the snapshot does not have is gone by now.
            let _ = connection.try_to("refresh a view", &format!("REFRESH MATERIALIZED VIEW {view}"))?;
        }
        // Tables that were made or emptied are others than those that were watched.
        let followed = rebuild || !tables.is_empty() || !own.refreshed.is_empty();
        let followed = followed.then(|| change_tracking::follow(connection, own.stamps)).transpose()?;
        if rebuild {
            own.sequences.forget();
        }
        own.sequences.put_back(connection, goal.counters)?;
        Ok((written, followed))
    })
}

/// Makes single rows what they should be; whether foreign keys had to be dropped for it.
fn changed_rows(
    connection: &mut Connection,
    rows: &[(&Table, &Rows)],
    free: bool,
    written: &mut Written,
) -> Result<bool> {
    if rows.is_empty() {
        return Ok(false);
    }
    if !free {
        let keys = ForeignKeys::read(connection, rows)?;
        let before = *written;
        let bound = connection.attempt("restore rows", |connection| {
            connection.run("restore rows", OWN_PATH)?;
            bound_by_foreign_keys::put_back(connection, rows, &keys, written)?;
            connection.run("restore rows", NO_PATH)
        })?;
        if bound.is_ok() {
            return Ok(false);
        }
        *written = before;
        let tables: Vec<&Table> = rows.iter().map(|(table, _)| *table).collect();
        silence::drop_foreign_keys(connection, &tables)?;
    }
    connection.run("restore rows", OWN_PATH)?;
    changed_rows::put_back(connection, rows, written)?;
    connection.run("restore rows", NO_PATH)?;
    Ok(!free)
}
