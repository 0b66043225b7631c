//! The notes: tables that the database itself writes the keys of changed rows to, and the triggers that do so.
//!
//! A trigger names nothing of its table but the key's columns, so that the application can change the table's others.
//! Where even these are gone, it notes the table as a whole.

use std::collections::BTreeMap;

use super::cascades::{self, Event};
use super::catalogue::{Glance, TRIGGER};
use super::connection::Connection;
use super::keys;
use super::schema::text;
use super::sql::{name, quoted};
use super::trigger_guard;
use crate::error::Result;
use crate::server::engine::{Schema, Table};

/// Notes of tables with transactions: what is rolled back is not noted.
pub(super) const NOTES: &str = "restage_notes";
/// Notes of tables without: what they were told stays, whatever is rolled back.
pub(super) const LASTING: &str = "restage_notes_lasting";
/// The number of no table: of the word that stands in the notes as long as nobody has emptied them.
pub(super) const GUARD: i64 = -1;

/// The numbers that notes call tables by.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    by_name: BTreeMap<String, u32>,
    /// restage's triggers as they were made: by name, the table and the body.
    made: BTreeMap<String, (String, String)>,
}

impl Numbers {
    /// A table's number; a table that has none is given the next.
    fn give(&mut self, table: &str) -> u32 {
        let next = self.by_name.len() as u32;
        *self.by_name.entry(table.to_owned()).or_insert(next)
    }

    /// The table of a number.
    pub(super) fn table(&self, number: i64) -> Option<&str> {
        self.by_name.iter().find(|(_, own)| i64::from(**own) == number).map(|(name, _)| name.as_str())
    }

    /// Whether a table's triggers are as they were made.
    pub(super) fn is_watched(&self, glance: &Glance, table: &str) -> bool {
        let mut own = self.made.iter().filter(|(_, (on, _))| on == table).peekable();
        own.peek().is_some() && own.all(|(trigger, made)| glance.own_triggers.get(trigger) == Some(made))
    }

    /// Whether somebody removed what notes the work of foreign keys, from a table that is there.
    pub(super) fn lacks_cascades(&self, glance: &Glance) -> bool {
        self.made.iter().any(|(trigger, (table, _))| {
            let is_before = trigger.ends_with("_bd") || trigger.ends_with("_bu");
            is_before && !glance.own_triggers.contains_key(trigger) && glance.engines.contains_key(table)
        })
    }

    /// The number of a table.
    pub(super) fn of(&self, table: &str) -> Option<u32> {
        self.by_name.get(table).copied()
    }
}

/// Makes the tables of notes, or empties those that a run left behind. Tells the word that stands in them as long as
/// nobody else has emptied them, another restage included.
pub(super) fn make_notes(server: &mut Connection) -> Result<String> {
    let action = "make the tables of notes";
    let word = server.ask(action, "SELECT REPLACE(UUID(), '-', '')")?;
    let word = word.first().map(|line| text(line, 0)).unwrap_or_default();
    for (table, engine) in [(NOTES, "InnoDB"), (LASTING, "MyISAM")] {
        server.run(
            action,
            &format!(
                "CREATE TABLE IF NOT EXISTS {table} (t INT NOT NULL, k LONGTEXT CHARACTER SET ascii) ENGINE={engine}"
            ),
        )?;
        server.run(action, &format!("DELETE FROM {table}"))?;
        server.run(action, &format!("INSERT INTO {table} VALUES ({GUARD}, {})", quoted(&word)))?;
    }
    Ok(word)
}

/// Sees to it that every table is watched, and every trigger of the application is in its IF.
pub(super) fn ensure(
    server: &mut Connection,
    numbers: &mut Numbers,
    schema: &Schema,
    glance: &Glance,
) -> Result<()> {
    for table in &schema.tables {
        numbers.give(&table.name);
    }
    let wanted = triggers(server, numbers, schema, glance)?;
    for (trigger, (table, body)) in &glance.own_triggers {
        let same = wanted.get(trigger).is_some_and(|one| one.table == *table && one.body == *body);
        if !same {
            drop_trigger(server, trigger)?;
        }
    }
    for (trigger, one) in &wanted {
        let there = glance.own_triggers.get(trigger);
        if there.is_some_and(|(table, body)| one.table == *table && one.body == *body) {
            continue;
        }
        let Wanted { table, moment, body } = one;
        let sql = format!("CREATE TRIGGER {trigger} {moment} ON {} FOR EACH ROW {body}", name(table));
        server.run(&format!("watch the table {table}"), &sql)?;
    }
    if glance.things.keys().any(|(kind, _)| kind == TRIGGER) {
        trigger_guard::wrap_all(server)?;
    }
    numbers.made = wanted.into_iter().map(|(trigger, one)| (trigger, (one.table, one.body))).collect();
    Ok(())
}

/// Removes everything of restage's own.
pub(super) fn remove(server: &mut Connection, glance: &Glance) -> Result<()> {
    for trigger in glance.own_triggers.keys() {
        drop_trigger(server, trigger)?;
    }
    if glance.things.keys().any(|(kind, _)| kind == TRIGGER) {
        trigger_guard::unwrap_all(server)?;
    }
    server.run("remove the tables of notes", &format!("DROP TABLE IF EXISTS {NOTES}, {LASTING}"))
}

/// The moments after which a row is noted.
const AFTER: [(&str, &str); 3] = [("ai", "AFTER INSERT"), ("au", "AFTER UPDATE"), ("ad", "AFTER DELETE")];

/// A trigger as it has to be.
struct Wanted {
    table: String,
    moment: &'static str,
    body: String,
}

fn drop_trigger(server: &mut Connection, trigger: &str) -> Result<()> {
    server.run("remove a trigger of restage's own", &format!("DROP TRIGGER IF EXISTS {}", name(trigger)))
}

fn triggers(
    server: &mut Connection,
    numbers: &Numbers,
    schema: &Schema,
    glance: &Glance,
) -> Result<BTreeMap<String, Wanted>> {
    let foreign_keys = cascades::read(server, schema)?;
    let note = |table: &str| Some((notes_of(glance, table), numbers.of(table)?));
    let mut wanted = BTreeMap::new();
    for table in &schema.tables {
        let Some((notes, number)) = note(&table.name) else { continue };
        let mut add = |short: &str, moment: &'static str, body: String| {
            let one = Wanted { table: table.name.clone(), moment, body };
            wanted.insert(format!("restage_{number}_{short}"), one);
        };
        for (short, moment) in AFTER {
            add(short, moment, after(table, moment, notes, number));
        }
        for (short, moment, event) in
            [("bd", "BEFORE DELETE", Event::Delete), ("bu", "BEFORE UPDATE", Event::Update)]
        {
            if let Some(body) = cascades::body(schema, &foreign_keys, &table.name, event, &note) {
                add(short, moment, body);
            }
        }
    }
    Ok(wanted)
}

/// What notes a row that was written.
fn after(table: &Table, moment: &str, notes: &str, number: u32) -> String {
    let whole = format!("INSERT INTO {notes} VALUES ({number}, NULL)");
    let insert = |of: &str| format!("INSERT INTO {notes} VALUES ({number}, {})", keys::noted(table, of));
    let write = match moment {
        _ if table.key.is_empty() => whole.clone(),
        "AFTER INSERT" => insert("NEW."),
        "AFTER DELETE" => insert("OLD."),
        _ => {
            let (old, new) = (keys::noted(table, "OLD."), keys::noted(table, "NEW."));
            format!("{}; IF {old} <> {new} THEN {}; END IF", insert("OLD."), insert("NEW."))
        }
    };
    format!(
        "BEGIN DECLARE EXIT HANDLER FOR 1054 {whole}; IF @restage_restoring IS NULL THEN {write}; END IF; END"
    )
}

/// The table of notes for a table: its engine decides.
fn notes_of(glance: &Glance, table: &str) -> &'static str {
    match glance.engines.get(table).map(|engine| engine.to_lowercase()).as_deref() {
        Some("innodb" | "rocksdb" | "tokudb") => NOTES,
        _ => LASTING,
    }
}
