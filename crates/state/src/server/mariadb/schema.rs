//! The schema: every table, view, trigger, routine, event and sequence, as the server says it would be made.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::catalogue::{DATABASE, EVENT, Glance, SEQUENCE, TABLE, TRIGGER, VIEW};
use super::column::kind_words;
use super::connection::{Connection, Line};
use super::definition::{Session, words};
use super::sql::name;
use super::trigger_guard;
use crate::error::Result;
use crate::server::engine::{Column, Object, Schema, Table};

/// The order in which things can be made.
const ORDER: [&str; 10] =
    [DATABASE, SEQUENCE, TABLE, "function", "procedure", "package", "package body", VIEW, TRIGGER, EVENT];

/// What was read of the catalogue, by the version it had.
#[derive(Default)]
pub(super) struct Remembered {
    things: HashMap<(String, String), (String, Object)>,
    tables: HashMap<String, (String, Table)>,
}

impl Remembered {
    /// The schema; what is still of the version that was read before is not read again.
    pub(super) fn schema(&mut self, server: &mut Connection, glance: &Glance) -> Result<Schema> {
        self.things.retain(|key, (version, _)| glance.things.get(key) == Some(version));
        let current = |name: &String| glance.things.get(&(TABLE.to_owned(), name.clone()));
        self.tables.retain(|name, (version, _)| current(name) == Some(version));
        let mut objects = Vec::with_capacity(glance.things.len());
        for (key, version) in &glance.things {
            let object = match self.things.get(key) {
                Some((_, object)) => object.clone(),
                None => {
                    let Some(object) = object(server, &key.0, &key.1)? else { continue };
                    self.things.insert(key.clone(), (version.clone(), object.clone()));
                    object
                }
            };
            objects.push(object);
        }
        let place = |object: &Object| ORDER.iter().position(|kind| *kind == object.kind);
        objects.sort_by_cached_key(|object| (place(object), object.name.clone()));
        let tables = self.tables(server, glance)?;
        Ok(Schema { tables, objects, mark: glance.mark() })
    }

    /// A table that was read.
    pub(super) fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(name).map(|(_, table)| table)
    }

    /// Whether a table keeps what its rows were before.
    pub(super) fn is_versioned(&self, name: &str) -> bool {
        self.tables.get(name).is_some_and(|(version, _)| version.starts_with(VERSIONED))
    }

    /// These tables are of another version and the same as before.
    pub(super) fn renew(&mut self, glance: &Glance, tables: &BTreeSet<String>) {
        for name in tables {
            let key = (TABLE.to_owned(), name.clone());
            let Some(version) = glance.things.get(&key) else { continue };
            if let Some(known) = self.things.get_mut(&key) {
                known.0.clone_from(version);
            }
            if let Some(known) = self.tables.get_mut(name) {
                known.0.clone_from(version);
            }
        }
    }

    fn tables(&mut self, server: &mut Connection, glance: &Glance) -> Result<Vec<Table>> {
        let names: Vec<(&String, &String)> = glance
            .things
            .iter()
            .filter(|((kind, _), _)| kind == TABLE)
            .map(|((_, name), version)| (name, version))
            .collect();
        if names.iter().any(|(name, _)| !self.tables.contains_key(*name)) {
            let read = read_tables(server, glance)?;
            for (name, version) in &names {
                if let Some(table) = read.get(*name) {
                    self.tables.insert((*name).clone(), ((*version).clone(), table.clone()));
                }
            }
        }
        Ok(names
            .iter()
            .filter_map(|(name, _)| self.tables.get(*name).map(|(_, table)| table.clone()))
            .collect())
    }
}

/// What the catalogue calls a table that keeps what its rows were before.
const VERSIONED: &str = "SYSTEM VERSIONED";

fn is_versioned(glance: &Glance, table: &str) -> bool {
    let version = glance.things.get(&(TABLE.to_owned(), table.to_owned()));
    version.is_some_and(|version| version.starts_with(VERSIONED))
}

/// The columns and keys of all tables.
fn read_tables(server: &mut Connection, glance: &Glance) -> Result<BTreeMap<String, Table>> {
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    let mut timed = BTreeSet::new();
    for line in server.ask("list the columns", COLUMNS)? {
        let at = |place: usize| text(&line, place);
        // A column that is computed is not written; when a row came and went is.
        let of_time = at(5) == "ROW START" || at(5) == "ROW END";
        if !at(5).is_empty() && !of_time {
            continue;
        }
        if of_time {
            timed.insert(at(0));
        }
        let table = tables.entry(at(0)).or_insert_with(|| Table {
            name: at(0),
            columns: Vec::new(),
            key: Vec::new(),
        });
        let collation = line.get(3).cloned().flatten();
        table.columns.push(Column { name: at(1), kind: kind_words(&at(2), collation.as_deref()) });
    }
    for table in tables.values_mut().filter(|table| is_versioned(glance, &table.name)) {
        // Where the table names no columns for it, they are there and not listed.
        if !timed.contains(&table.name) {
            let hidden = |name: &str| Column { name: name.to_owned(), kind: "timestamp(6)".to_owned() };
            table.columns.extend([hidden("row_start"), hidden("row_end")]);
        }
    }
    let mut keys: BTreeMap<(String, String), Vec<Line>> = BTreeMap::new();
    for line in server.ask("list the keys", KEYS)? {
        keys.entry((text(&line, 0), text(&line, 1))).or_default().push(line);
    }
    // The primary key goes before others, a short one before a long one.
    let mut found: BTreeMap<String, (bool, usize, Vec<usize>)> = BTreeMap::new();
    for ((name, index), lines) in keys {
        let Some(table) = tables.get(&name) else { continue };
        let place = |line: &Line| {
            let column = text(line, 2);
            (text(line, 3) != "YES").then_some(())?;
            table.columns.iter().position(|one| one.name == column)
        };
        let Some(places) = lines.iter().map(place).collect::<Option<Vec<usize>>>() else { continue };
        let rank = (index != "PRIMARY", places.len(), places);
        match found.get(&name) {
            Some(best) if *best <= rank => {}
            _ => {
                found.insert(name, rank);
            }
        }
    }
    for (name, (_, _, places)) in found {
        if let Some(table) = tables.get_mut(&name).filter(|_| !is_versioned(glance, &name)) {
            table.key = places;
        }
    }
    Ok(tables)
}

/// How one thing is made.
fn object(server: &mut Connection, kind: &str, thing: &str) -> Result<Option<Object>> {
    let definition = match kind {
        DATABASE => database(server)?,
        TABLE => show(server, &format!("SHOW CREATE TABLE {}", name(thing)))?
            .map(|line| without_id(&text(&line, 1))),
        SEQUENCE => {
            show(server, &format!("SHOW CREATE SEQUENCE {}", name(thing)))?.map(|line| text(&line, 1))
        }
        VIEW => show(server, &format!("SHOW CREATE VIEW {}", name(thing)))?.map(|line| {
            let session = Session { client: some(&line, 2), collation: some(&line, 3), ..Session::default() };
            words(&session, &text(&line, 1))
        }),
        TRIGGER => trigger_guard::definition(server, thing)?,
        EVENT => show(server, &format!("SHOW CREATE EVENT {}", name(thing)))?.map(|line| {
            let session = Session {
                sql_mode: some(&line, 1),
                time_zone: some(&line, 2),
                client: some(&line, 4),
                collation: some(&line, 5),
                group: None,
            };
            words(&session, &text(&line, 3))
        }),
        routine => {
            show(server, &format!("SHOW CREATE {} {}", routine.to_uppercase(), name(thing)))?.map(|line| {
                let session = Session {
                    sql_mode: some(&line, 1),
                    client: some(&line, 3),
                    collation: some(&line, 4),
                    ..Session::default()
                };
                words(&session, &text(&line, 2))
            })
        }
    };
    let Some(definition) = definition else { return Ok(None) };
    if definition.ends_with('\n') && kind != TABLE {
        let hint = "let restage's account read it: make the account its definer, or GRANT SELECT ON mysql.proc \
                    (MySQL: GRANT SHOW_ROUTINE ON *.*)";
        return Err(server.error(
            &format!("read the {kind} {thing}"),
            "the server keeps its body back",
            hint,
        ));
    }
    Ok(Some(Object { kind: kind.to_owned(), name: thing.to_owned(), definition }))
}

fn database(server: &mut Connection) -> Result<Option<String>> {
    let lines = server.ask("ask for the database's character set", DEFAULTS)?;
    Ok(lines.first().map(|line| format!("CHARACTER SET {} COLLATE {}", text(line, 0), text(line, 1))))
}

/// One line of an answer; none where the thing is gone by now.
pub(super) fn show(server: &mut Connection, sql: &str) -> Result<Option<Line>> {
    Ok(server.ask("read the schema", sql)?.into_iter().next())
}

/// A table's definition without where its ids go on: that is a counter.
pub(super) fn without_id(definition: &str) -> String {
    const ID: &str = " AUTO_INCREMENT=";
    let Some(options) = definition.rfind("\n) ENGINE=") else { return definition.to_owned() };
    let (before, options) = definition.split_at(options);
    // It follows the engine's name; a comment that says the same comes later.
    let Some(at) = options.find(ID).filter(|at| !options[3..*at].contains(' ')) else {
        return definition.to_owned();
    };
    let rest = options[at + ID.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{before}{}{rest}", &options[..at])
}

pub(super) fn text(line: &Line, place: usize) -> String {
    line.get(place).cloned().flatten().unwrap_or_default()
}

fn some(line: &Line, place: usize) -> Option<String> {
    line.get(place).cloned().flatten()
}

const COLUMNS: &str = "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME, EXTRA, \
     COALESCE(GENERATION_EXPRESSION, '') FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() \
     ORDER BY TABLE_NAME, ORDINAL_POSITION";

const KEYS: &str = "SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, NULLABLE FROM information_schema.STATISTICS \
     WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0 ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX";

const DEFAULTS: &str = "SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA \
     WHERE SCHEMA_NAME = DATABASE()";

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a comment that looks like a counter is cut, or a counter stays in and every insert changes the schema.
    #[test]
    fn only_the_counter_is_taken_out_of_a_definition() {
        let table = "CREATE TABLE `t` (\n  `a` int COMMENT ' AUTO_INCREMENT=3'\n) ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=x";
        assert!(without_id(table).ends_with("AUTO_INCREMENT=3'\n) ENGINE=InnoDB DEFAULT CHARSET=x"));
        let plain = "CREATE TABLE `t` (\n  `a` int\n) ENGINE=InnoDB COMMENT='x AUTO_INCREMENT=3'";
        assert_eq!(without_id(plain), plain);
    }
}
