//! Changed rows put back by an account that foreign keys bind: the plain owner of the database.
//!
//! No row that stays may lose the row it refers to, not even for a moment, for the sake of ON DELETE CASCADE. In this order:
//!
//! 1. in tables that no foreign key refers to, all rows in question are removed: nothing hangs on them;
//! 2. in the others, rows that stay are updated in place, so that none refers to a row that has to go;
//! 3. rows that have to go are removed, those that refer first;
//! 4. rows that are missing are written, those that are referred to first.
//!
//! Checks wait for the end. What cannot be done that way (two rows that swap a unique value) is refused by the server,
//! and done with the foreign keys dropped for the moment, which costs a look at all rows when they are made again.

use std::collections::{BTreeMap, BTreeSet};

use super::changed_rows::{Rows, delete, insert};
use crate::error::Result;
use crate::server::engine::{Table, Written};
use crate::server::postgres::connection::Connection;
use crate::server::postgres::rows;
use crate::server::postgres::tables::{key_matches, places_list, qualified, values_list};
use crate::server::values::Values;

/// How many rows one statement updates.
const AT_ONCE: usize = 200;

/// The foreign keys on and to some tables.
pub(super) struct ForeignKeys {
    /// Pairs of tables: one that refers, and the one it refers to.
    pairs: BTreeSet<(String, String)>,
    /// What makes each check wait, and what makes it as it was.
    wait: BTreeMap<String, (String, String)>,
}

/// Foreign keys of partitions are altered where they come from.
const KEYS: &str = "WITH RECURSIVE k AS (
  SELECT oid, conrelid AS child, confrelid AS parent, oid AS root, conparentid FROM pg_constraint
  WHERE contype = 'f' AND (conrelid = ANY (ARRAY[{tables}]::regclass[]) OR confrelid = ANY (ARRAY[{tables}]::regclass[]))
  UNION ALL SELECT k.oid, child, parent, p.oid, p.conparentid FROM k JOIN pg_constraint p ON p.oid = k.conparentid)
SELECT DISTINCT child::regclass, parent::regclass, 'ALTER TABLE ' || r.conrelid::regclass || ' ALTER CONSTRAINT ' || quote_ident(r.conname),
  CASE WHEN r.condeferrable THEN '' ELSE ' NOT DEFERRABLE' END, child = ANY (ARRAY[{tables}]::regclass[])
FROM k JOIN pg_constraint r ON r.oid = k.root WHERE k.conparentid = 0";

impl ForeignKeys {
    /// Those of these tables.
    pub(super) fn read(connection: &mut Connection, tables: &[(&Table, &Rows)]) -> Result<Self> {
        let mut keys = Self { pairs: BTreeSet::new(), wait: BTreeMap::new() };
        if tables.is_empty() {
            return Ok(keys);
        }
        let names =
            tables.iter().map(|(table, _)| format!("'{}'", qualified(&table.name).replace('\'', "''")));
        let sql = KEYS.replace("{tables}", &names.collect::<Vec<_>>().join(", "));
        let mut waiting = Vec::new();
        for row in connection.run("look for foreign keys", &sql)? {
            let get = |at| row.get(at).unwrap_or_default().to_owned();
            keys.pairs.insert((get(0), get(1)));
            if get(3) == " NOT DEFERRABLE" && get(4) == "t" {
                waiting.push((get(0), get(2)));
            }
        }
        for (child, alter) in waiting {
            if keys.is_referred_to(&child) {
                let wait = format!("{alter} DEFERRABLE INITIALLY DEFERRED");
                keys.wait
                    .insert(alter.clone(), (wait, format!("{alter} NOT DEFERRABLE INITIALLY IMMEDIATE")));
            }
        }
        Ok(keys)
    }

    fn is_referred_to(&self, table: &str) -> bool {
        self.pairs.iter().any(|(_, parent)| parent == table)
    }

    /// How far a table is from one that refers to nothing; tables in a circle are somewhere.
    fn depth(&self, table: &str, seen: &mut BTreeSet<String>) -> usize {
        if !seen.insert(table.to_owned()) {
            return 0;
        }
        let parents = self.pairs.iter().filter(|(child, parent)| child == table && parent != table);
        let depth = parents.map(|(_, parent)| self.depth(parent, seen) + 1).max().unwrap_or(0);
        seen.remove(table);
        depth
    }
}

/// What has to be done to one table.
struct Work<'a> {
    table: &'a Table,
    depth: usize,
    referred_to: bool,
    update: Vec<&'a Values>,
    remove: Vec<&'a Values>,
    write: Vec<&'a Values>,
    /// How many rows are removed and not written again.
    gone: usize,
}

/// Makes rows what they should be.
pub(super) fn put_back(
    connection: &mut Connection,
    tables: &[(&Table, &Rows)],
    keys: &ForeignKeys,
    written: &mut Written,
) -> Result<()> {
    let mut work = Vec::with_capacity(tables.len());
    for (table, rows) in tables {
        work.push(plan(connection, table, rows, keys)?);
    }
    work.sort_by_key(|work| work.depth);
    let each = |part: fn(&(String, String)) -> &String| {
        keys.wait.values().map(part).cloned().collect::<Vec<_>>().join("; ")
    };
    let wait = format!("{}; SET CONSTRAINTS ALL DEFERRED", each(|(wait, _)| wait));
    connection.run("let foreign keys wait", &wait)?;
    for work in &work {
        if !work.referred_to {
            delete(connection, work.table, &work.remove)?;
        }
    }
    for work in &work {
        update(connection, work.table, &work.update)?;
        written.rows += (work.update.len() + work.gone) as u64;
    }
    for work in work.iter().rev().filter(|work| work.referred_to) {
        delete(connection, work.table, &work.remove)?;
    }
    for work in &work {
        insert(connection, work.table, &work.write, written)?;
    }
    let check = format!("SET CONSTRAINTS ALL IMMEDIATE; {}", each(|(_, again)| again));
    connection.run("check foreign keys", &check)?;
    Ok(())
}

fn plan<'a>(
    connection: &mut Connection,
    table: &'a Table,
    rows: &'a Rows,
    keys: &ForeignKeys,
) -> Result<Work<'a>> {
    let name = qualified(&table.name);
    let (depth, referred_to) = (keys.depth(&name, &mut BTreeSet::new()), keys.is_referred_to(&name));
    let mut work = Work { table, depth, referred_to, update: vec![], remove: vec![], write: vec![], gone: 0 };
    if !referred_to {
        work.remove = rows.keys().collect();
        work.write = rows.values().flatten().collect();
        work.gone = work.remove.len() - work.write.len();
        return Ok(work);
    }
    let there = rows::at(connection, table, &rows.keys().cloned().collect())?;
    let there: BTreeMap<Values, Values> = there.into_iter().map(|row| (table.key_of(&row), row)).collect();
    for (key, row) in rows {
        match (there.get(key), row) {
            (Some(now), Some(row)) if now != row => work.update.push(row),
            (Some(_), None) => work.remove.push(key),
            (None, Some(row)) => work.write.push(row),
            _ => {}
        }
    }
    work.gone = work.remove.len();
    Ok(work)
}

/// Gives rows their values, all but those of the key.
fn update(connection: &mut Connection, table: &Table, rows: &[&Values]) -> Result<()> {
    let action = format!("write rows of the table {}", table.name);
    // The key first, as for any other statement that goes by it.
    let others: Vec<usize> = (0..table.columns.len()).filter(|place| !table.key.contains(place)).collect();
    let places: Vec<usize> = table.key.iter().chain(&others).copied().collect();
    let set = others.iter().enumerate();
    let set = set.map(|(at, place)| format!("{} = k.c{}", table.columns[*place].name, at + table.key.len()));
    let set = set.collect::<Vec<_>>().join(", ");
    if set.is_empty() {
        return Ok(());
    }
    for rows in rows.chunks(AT_ONCE) {
        let rows: Vec<Values> = rows.iter().map(|row| row.at(&places)).collect();
        let sql = format!(
            "UPDATE ONLY {} t SET {set} FROM ({}) k({}) WHERE {}",
            qualified(&table.name),
            values_list(table, &places, rows.iter()),
            places_list(places.len()),
            key_matches(table),
        );
        connection.run(&action, &sql)?;
    }
    Ok(())
}
