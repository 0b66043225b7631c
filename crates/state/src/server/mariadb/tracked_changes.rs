//! What the notes say, and what they cannot: a table that was emptied past the triggers is told by *canaries*, some keys
//! of each table that must be there unless they are noted.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::Glance;
use super::change_tracking::{GUARD, LASTING, NOTES, Numbers};
use super::connection::Connection;
use super::keys;
use super::schema::text;
use super::sql::name;
use crate::error::{Error, Result};
use crate::server::engine::{Schema, Table};
use crate::server::values::Values;

/// So many keys from each end of a table.
const CANARIES: usize = 6;

/// A note: the table's number, and the key of a row or none for the table as a whole.
pub(super) type Note = (i64, Option<String>);

/// Everything that is noted; none where somebody emptied the notes: `guard` has to stand in each table of them.
pub(super) fn read(server: &mut Connection, guard: &str) -> Result<Option<BTreeSet<Note>>> {
    let sql = format!("SELECT t, k FROM {NOTES} UNION ALL SELECT t, k FROM {LASTING}");
    match ask(server, &sql, guard) {
        // No such table, no such column.
        Err(Error::Server { said, .. }) if said.ends_with("(1146)") || said.ends_with("(1054)") => Ok(None),
        Err(error) => Err(error),
        Ok((_, guards)) if guards != 2 => Ok(None),
        Ok((notes, _)) => Ok(Some(notes)),
    }
}

/// Empties the notes inside the transaction that is open, and tells what they were.
pub(super) fn take(server: &mut Connection) -> Result<BTreeSet<Note>> {
    let mut all = BTreeSet::new();
    for table in [NOTES, LASTING] {
        let (notes, _) = ask(server, &format!("SELECT t, k FROM {table} FOR UPDATE"), "")?;
        if !notes.is_empty() {
            server.run("empty the notes", &format!("DELETE FROM {table} WHERE t <> {GUARD}"))?;
            all.extend(notes);
        }
    }
    Ok(all)
}

fn ask(server: &mut Connection, sql: &str, guard: &str) -> Result<(BTreeSet<Note>, usize)> {
    let (mut notes, mut guards) = (BTreeSet::new(), 0);
    for line in server.ask("read the notes", sql)? {
        let mut line = line.into_iter();
        let number = line.next().flatten().and_then(|number| number.parse().ok()).unwrap_or(GUARD);
        if number == GUARD {
            guards += usize::from(line.next().flatten().as_deref() == Some(guard));
        } else {
            notes.insert((number, line.next().flatten()));
        }
    }
    Ok((notes, guards))
}

/// Keys of each table that must be there.
#[derive(Debug, Default)]
pub(super) struct Canaries {
    by_table: BTreeMap<String, BTreeSet<Values>>,
    /// The parts of tables that are made of parts: each can be emptied alone.
    parts: BTreeMap<String, Vec<String>>,
}

impl Canaries {
    /// Chooses keys of some tables anew, of those that are there.
    pub(super) fn choose<'a>(
        &mut self,
        server: &mut Connection,
        numbers: &Numbers,
        tables: impl Iterator<Item = &'a Table>,
    ) -> Result<()> {
        let tables: Vec<&Table> = tables.collect();
        let mut selects = Vec::new();
        for table in &tables {
            let Some(number) = numbers.of(&table.name) else { continue };
            self.by_table.insert(table.name.clone(), BTreeSet::new());
            if table.key.is_empty() {
                selects.push(any_row(table, number));
                continue;
            }
            selects.extend(["", " DESC"].map(|way| some_keys(table, number, "", way)));
            for part in self.parts.get(&table.name).into_iter().flatten() {
                selects.push(some_keys(table, number, &format!(" PARTITION ({})", name(part)), ""));
            }
        }
        for (name, key) in found(server, numbers, &tables, &selects)? {
            self.by_table.entry(name).or_default().insert(key);
        }
        Ok(())
    }

    /// The tables that lack a key which nobody noted, or of which every key is noted: rows may be gone unseen.
    pub(super) fn missed(
        &self,
        server: &mut Connection,
        numbers: &Numbers,
        known: &[&Table],
        noted: &BTreeMap<String, BTreeSet<Values>>,
    ) -> Result<BTreeSet<String>> {
        let (mut expected, mut selects, mut missed) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
        let mut tables = Vec::new();
        for (table_name, keys) in &self.by_table {
            let Some(table) = known.iter().copied().find(|table| table.name == *table_name) else { continue };
            let Some(number) = numbers.of(table_name) else { continue };
            let touched = noted.get(table_name);
            let silent: BTreeSet<&Values> =
                keys.iter().filter(|key| !touched.is_some_and(|touched| touched.contains(key))).collect();
            if silent.is_empty() {
                // A table of few rows, all noted, is known; one of many may have lost the others.
                if keys.len() >= 2 * CANARIES {
                    missed.insert(table_name.clone());
                }
                continue;
            }
            if table.key.is_empty() {
                selects.push(any_row(table, number));
            } else {
                let (key, from) = (keys::noted(table, ""), name(table_name));
                let mut sql = format!("(SELECT {number}, {key} FROM {from} WHERE ");
                keys::push_condition(&mut sql, table, silent.iter().copied());
                sql.push(')');
                selects.push(sql);
            }
            expected.insert(table_name.clone(), silent);
            tables.push(table);
        }
        for (name, key) in found(server, numbers, &tables, &selects)? {
            if let Some(keys) = expected.get_mut(&name) {
                keys.remove(&key);
            }
        }
        missed.extend(expected.into_iter().filter(|(_, keys)| !keys.is_empty()).map(|(name, _)| name));
        Ok(missed)
    }

    /// Asks which tables are made of parts.
    pub(super) fn read_parts(&mut self, server: &mut Connection, glance: &Glance) -> Result<()> {
        self.parts.clear();
        // The last word of a table's version is how it was made.
        if glance.things.values().any(|version| version.contains("partitioned")) {
            for line in server.ask("list the parts of tables", PARTS)? {
                self.parts.entry(text(&line, 0)).or_default().push(text(&line, 1));
            }
        }
        Ok(())
    }

    /// Whether keys are held of a table.
    pub(super) fn has(&self, table: &str) -> bool {
        self.by_table.contains_key(table)
    }

    /// Forgets tables that are no more.
    pub(super) fn retain(&mut self, schema: &Schema) {
        self.by_table.retain(|name, _| schema.table(name).is_some());
    }
}

/// The keys at one end of a table, or of a part of it.
fn some_keys(table: &Table, number: u32, part: &str, way: &str) -> String {
    let order: Vec<String> =
        keys::columns(table).map(|column| format!("{}{way}", name(&column.name))).collect();
    let (key, from) = (keys::noted(table, ""), name(&table.name));
    format!("(SELECT {number}, {key} FROM {from}{part} ORDER BY {} LIMIT {CANARIES})", order.join(", "))
}

/// Of a table without a key it is known whether there was a row at all: what comes in again is noted.
fn any_row(table: &Table, number: u32) -> String {
    format!("(SELECT {number}, '' FROM {} LIMIT 1)", name(&table.name))
}

/// The keys that some selects find, in few round trips.
fn found(
    server: &mut Connection,
    numbers: &Numbers,
    tables: &[&Table],
    selects: &[String],
) -> Result<Vec<(String, Values)>> {
    let mut all = Vec::new();
    for some in selects.chunks(100) {
        for line in server.ask("look for some rows of each table", &some.join(" UNION ALL "))? {
            let number = line.first().cloned().flatten().and_then(|number| number.parse().ok());
            let table = number.and_then(|number| numbers.table(number));
            let table = table.and_then(|name| tables.iter().find(|table| table.name == name));
            let note = line.get(1).cloned().flatten();
            let (Some(table), Some(note)) = (table, note) else { continue };
            all.extend(keys::from_note(table, &note).map(|key| (table.name.clone(), key)));
        }
    }
    Ok(all)
}

const PARTS: &str = "SELECT TABLE_NAME, PARTITION_NAME FROM information_schema.PARTITIONS \
     WHERE TABLE_SCHEMA = DATABASE() AND PARTITION_NAME IS NOT NULL GROUP BY TABLE_NAME, PARTITION_NAME";
