//! The tables of two databases, and what differs in how they are declared.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, Result};

/// A table that both databases have, with the columns that both have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compare) struct Table {
    pub(in crate::compare) name: String,
    pub(in crate::compare) columns: Vec<String>,
    /// The columns of the primary key, by their place in `columns`; none where there is no such key.
    pub(in crate::compare) key: Vec<usize>,
    /// What the hidden number of a row can be called; none where rows have none.
    pub(in crate::compare) rowid: Option<&'static str>,
    /// Whether something else than SQLite's own tables holds its rows.
    pub(in crate::compare) is_virtual: bool,
    /// Which rows may differ.
    pub(in crate::compare) extent: Extent,
}

/// Which rows of a table may differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compare) enum Extent {
    /// None of them.
    None,
    /// Those with a rowid within one of these, ends included.
    Ranges(Vec<(i64, i64)>),
    /// Any of them.
    All,
}

/// What one database says of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compare) struct Declared {
    pub(in crate::compare) kind: String,
    pub(in crate::compare) without_rowid: bool,
    pub(in crate::compare) columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compare) struct Column {
    pub(in crate::compare) name: String,
    kind: String,
    /// Its place in the primary key, from 1; 0 where it is not in it.
    key: i64,
}

/// The tables of one database by name, without SQLite's own and those that virtual tables keep their rows in.
pub(super) fn tables(connection: &Connection, schema: &str) -> Result<BTreeMap<String, Declared>> {
    let mut list = connection.prepare(&format!("PRAGMA {schema}.table_list"))?;
    let mut rows = list.query([])?;
    let mut tables = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (of, name, kind): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if of == schema && !name.starts_with("sqlite_") && matches!(kind.as_str(), "table" | "virtual") {
            let declared =
                Declared { kind, without_rowid: row.get(4)?, columns: columns(connection, schema, &name)? };
            tables.insert(name, declared);
        }
    }
    Ok(tables)
}

/// The first page of each table, and whether its rows are in the order of rowids.
pub(super) fn roots(connection: &Connection, schema: &str) -> Result<HashMap<String, (u32, bool)>> {
    let sql = format!(
        "SELECT s.name, s.rootpage, NOT l.wr FROM {schema}.sqlite_schema s JOIN pragma_table_list l ON l.name = s.name \
         AND l.schema = '{schema}' WHERE s.type = 'table' AND s.rootpage > 0"
    );
    let mut select = connection.prepare(&sql)?;
    let rows = select.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
    rows.collect()
}

/// Views, indexes and triggers by kind and name, with their declaration.
pub(super) fn others(connection: &Connection, schema: &str) -> Result<BTreeMap<(String, String), String>> {
    let sql = format!(
        "SELECT type, name, sql FROM {schema}.sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL"
    );
    let mut select = connection.prepare(&sql)?;
    let rows = select.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    rows.collect()
}

/// The highest id that AUTOINCREMENT gave, by table.
pub(in crate::compare) fn sequences(connection: &Connection, schema: &str) -> Result<BTreeMap<String, i64>> {
    let exists = format!("SELECT 1 FROM {schema}.sqlite_schema WHERE name = 'sqlite_sequence'");
    if !connection.prepare(&exists)?.exists([])? {
        return Ok(BTreeMap::new());
    }
    let mut select = connection.prepare(&format!(
        "SELECT name, CAST(ifnull(seq, 0) AS INTEGER) FROM {schema}.sqlite_sequence WHERE typeof(name) = 'text'"
    ))?;
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// A number in the header of a database that applications use.
pub(in crate::compare) fn number(connection: &Connection, schema: &str, name: &str) -> Result<i64> {
    connection.query_row(&format!("PRAGMA {schema}.{name}"), [], |row| row.get(0))
}

impl Table {
    /// What both databases have of a table; none where they have no column in common.
    pub(in crate::compare) fn common(name: &str, expected: &Declared, actual: &Declared) -> Option<Self> {
        let in_both = |c: &&Column| actual.columns.iter().any(|a| a.name == c.name);
        let columns: Vec<&Column> = expected.columns.iter().filter(in_both).collect();
        let names: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
        // Rows are known by a key only where it is the same one in both.
        let key_of = |declared: &Declared| {
            let mut key: Vec<&Column> = declared.columns.iter().filter(|c| c.key > 0).collect();
            key.sort_by_key(|c| c.key);
            key.into_iter().map(|c| c.name.clone()).collect::<Vec<_>>()
        };
        let key = key_of(expected);
        let key = if key == key_of(actual) { key } else { Vec::new() };
        let has_rowid = !expected.without_rowid && !actual.without_rowid;
        let free = |n: &&str| !names.iter().any(|name| name.eq_ignore_ascii_case(n));
        let rowid = ["rowid", "_rowid_", "oid"].into_iter().find(free).filter(|_| has_rowid);
        (!names.is_empty()).then(|| Self {
            name: name.to_owned(),
            key: key.iter().filter_map(|k| names.iter().position(|n| n == k)).collect(),
            rowid,
            is_virtual: expected.kind == "virtual" || actual.kind == "virtual",
            extent: Extent::All,
            columns: names,
        })
    }
}

/// In what way a column is declared otherwise.
pub(in crate::compare) fn column_changes(
    expected: &Declared,
    actual: &Declared,
) -> Vec<(String, String, String)> {
    if expected.columns == actual.columns {
        return Vec::new();
    }
    let said = |column: &Column| {
        let key = if column.key > 0 { " PRIMARY KEY" } else { "" };
        format!("{} {}{key}", column.name, column.kind).trim_end().to_owned()
    };
    let find = |declared: &Declared, name: &str| declared.columns.iter().find(|c| c.name == name).map(said);
    let mut names: Vec<&String> = expected.columns.iter().chain(&actual.columns).map(|c| &c.name).collect();
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    let change = |name: &String| {
        let (was, is) = (find(expected, name), find(actual, name));
        (was != is).then(|| (name.clone(), was.unwrap_or_default(), is.unwrap_or_default()))
    };
    names.into_iter().filter_map(change).collect()
}

/// A name as SQL has it.
pub(in crate::compare) fn sql_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn columns(connection: &Connection, schema: &str, table: &str) -> Result<Vec<Column>> {
    // Generated columns are not in it: what they are made of is.
    let mut select = connection.prepare_cached("SELECT name, type, pk FROM pragma_table_info(?1, ?2)")?;
    let rows = select.query_map([table, schema], |row| {
        Ok(Column { name: row.get(0)?, kind: row.get(1)?, key: row.get(2)? })
    });
    // A virtual table of a kind that this SQLite does not know has no columns that it could tell.
    rows.and_then(Iterator::collect).or_else(|_| Ok(Vec::new()))
}
