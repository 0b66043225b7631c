//! A row that is changed by a foreign key fires no trigger. So the row that it refers to is watched before it goes or
//! changes: the rows that refer to it are noted, and those that refer to these, along every path.

use std::collections::BTreeMap;

use super::connection::Connection;
use super::keys;
use super::schema::text;
use super::sql::name;
use crate::error::Result;
use crate::server::engine::{Schema, Table};

/// Paths longer than this are cut: what is beyond is noted as a whole.
const LONGEST: usize = 6;
/// So many paths from one table are followed.
const MOST: usize = 64;

/// A foreign key that changes rows when what they refer to changes.
#[derive(Debug, Clone)]
pub(super) struct ForeignKey {
    child: String,
    parent: String,
    /// Child's and parent's columns.
    columns: Vec<(String, String)>,
    on_delete: bool,
    on_update: bool,
}

/// A way on which a change spreads.
struct Path<'a> {
    steps: Vec<&'a ForeignKey>,
    /// The rows at its end are not noted one by one.
    whole: bool,
}

/// What is done to the row at the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Delete,
    Update,
}

/// The foreign keys of the database that spread changes.
pub(super) fn read(server: &mut Connection, schema: &Schema) -> Result<Vec<ForeignKey>> {
    if !schema.objects.iter().any(|object| object.definition.contains(" FOREIGN KEY ")) {
        return Ok(Vec::new());
    }
    let mut found: BTreeMap<(String, String), ForeignKey> = BTreeMap::new();
    for line in server.ask("list the foreign keys", FOREIGN_KEYS)? {
        let at = |place: usize| text(&line, place);
        let spreads = |rule: String| rule != "RESTRICT" && rule != "NO ACTION";
        let key = found.entry((at(0), at(1))).or_insert_with(|| ForeignKey {
            child: at(0),
            parent: at(3),
            columns: Vec::new(),
            on_delete: spreads(at(6)),
            on_update: spreads(at(5)),
        });
        key.columns.push((at(2), at(4)));
    }
    Ok(found.into_values().filter(|key| key.on_delete || key.on_update).collect())
}

/// The body of a trigger on `table` that notes what else will change; none where nothing will.
/// `note` names the table of notes and the number of a table.
pub(super) fn body(
    schema: &Schema,
    foreign_keys: &[ForeignKey],
    table: &str,
    event: Event,
    note: &dyn Fn(&str) -> Option<(&'static str, u32)>,
) -> Option<String> {
    let mut paths = Vec::new();
    follow(foreign_keys, table, event, &mut Vec::new(), &mut paths);
    let blocks: Vec<String> = paths.iter().filter_map(|path| block(schema, path, event, note)).collect();
    let first: Vec<&ForeignKey> = paths.iter().filter_map(|path| path.steps.first().copied()).collect();
    if blocks.is_empty() {
        return None;
    }
    let mut condition = "@restage_restoring IS NULL".to_owned();
    if event == Event::Update {
        let mut changed: Vec<String> = first
            .iter()
            .flat_map(|key| &key.columns)
            .map(|(_, column)| {
                let column = name(column);
                format!("NOT (CAST(OLD.{column} AS BINARY) <=> CAST(NEW.{column} AS BINARY))")
            })
            .collect();
        changed.sort();
        changed.dedup();
        condition = format!("{condition} AND ({})", changed.join(" OR "));
    }
    // A column of the condition that is there no more: what this table is referred to by has changed too.
    Some(format!(
        "BEGIN DECLARE EXIT HANDLER FOR 1054 BEGIN END; IF {condition} THEN {} END IF; END",
        blocks.join(" ")
    ))
}

fn follow<'a>(
    foreign_keys: &'a [ForeignKey],
    from: &str,
    event: Event,
    steps: &mut Vec<&'a ForeignKey>,
    paths: &mut Vec<Path<'a>>,
) {
    for key in foreign_keys.iter().filter(|key| key.parent == from) {
        let spreads = match (steps.is_empty(), event) {
            (true, Event::Delete) => key.on_delete,
            (true, Event::Update) => key.on_update,
            (false, _) => true,
        };
        if !spreads {
            continue;
        }
        let start = steps.first().map_or(from, |first| first.parent.as_str());
        let visits =
            usize::from(start == key.child) + steps.iter().filter(|step| step.child == key.child).count();
        let whole = visits >= 2 || steps.len() + 1 >= LONGEST || paths.len() >= MOST;
        steps.push(key);
        paths.push(Path { steps: steps.clone(), whole });
        if !whole {
            follow(foreign_keys, &key.child, event, steps, paths);
        }
        steps.pop();
    }
}

/// The statement that notes the rows at the end of a path.
fn block(
    schema: &Schema,
    path: &Path<'_>,
    event: Event,
    note: &dyn Fn(&str) -> Option<(&'static str, u32)>,
) -> Option<String> {
    let last = path.steps.last()?;
    let child = schema.table(&last.child)?;
    let (notes, number) = note(&last.child)?;
    let whole = path.whole || child.key.is_empty() || (event == Event::Update && is_in_key(child, last));
    let end = format!("restage_c{}.", path.steps.len());
    let noted = if whole { "NULL".to_owned() } else { keys::noted(child, &end) };
    let (mut tables, mut condition) = (String::new(), String::new());
    for (place, step) in path.steps.iter().enumerate() {
        let (this, before) = (format!("restage_c{}", place + 1), format!("restage_c{place}"));
        let before = if place == 0 { "OLD" } else { &before };
        let on = step
            .columns
            .iter()
            .map(|(own, other)| format!("{this}.{} = {before}.{}", name(own), name(other)));
        let on = on.collect::<Vec<_>>().join(" AND ");
        if place == 0 {
            tables = format!("{} {this}", name(&step.child));
            condition = on;
        } else {
            tables = format!("{tables} JOIN {} {this} ON {on}", name(&step.child));
        }
    }
    let sql = format!("SELECT {number}, {noted} FROM {tables} WHERE {condition}");
    let limit = if whole { " LIMIT 1" } else { "" };
    Some(format!(
        "BEGIN DECLARE EXIT HANDLER FOR 1054, 1146 INSERT INTO {notes} VALUES ({number}, NULL); \
         INSERT INTO {notes} {sql}{limit}; END;"
    ))
}

/// Whether the foreign key's columns are part of the child's key: then a change of it is a change of the key.
fn is_in_key(child: &Table, key: &ForeignKey) -> bool {
    keys::columns(child).any(|column| key.columns.iter().any(|(own, _)| *own == column.name))
}

const FOREIGN_KEYS: &str = "SELECT k.TABLE_NAME, k.CONSTRAINT_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME, \
     k.REFERENCED_COLUMN_NAME, r.UPDATE_RULE, r.DELETE_RULE FROM information_schema.KEY_COLUMN_USAGE k \
     JOIN information_schema.REFERENTIAL_CONSTRAINTS r ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA \
     AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME AND r.TABLE_NAME = k.TABLE_NAME \
     WHERE k.TABLE_SCHEMA = DATABASE() AND k.REFERENCED_TABLE_SCHEMA = DATABASE() \
     ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION";
