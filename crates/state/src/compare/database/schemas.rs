//! What databases declare, read once for all that declare the same: session after session, that is one schema.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::schema::{Declared, others, roots, tables};

/// What a database declares.
#[derive(Debug)]
pub(super) struct Schema {
    /// The tables, by name.
    pub(super) tables: BTreeMap<String, Declared>,
    /// Views, indexes and triggers, by kind and name.
    pub(super) others: BTreeMap<(String, String), String>,
    /// The first page of each table, and whether its rows are in the order of rowids.
    pub(super) roots: HashMap<String, (u32, bool)>,
}

/// All that a schema says, row by row: databases with the same rows have the same schema.
type SchemaRows = Vec<[Value; 4]>;

/// The schemas that were read last, of either side.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    last: [Option<(SchemaRows, Rc<Schema>)>; 2],
}

impl Schemas {
    /// The schemas of the `main` and the `actual` database of a connection.
    pub(super) fn of(&mut self, connection: &Connection) -> Result<(Rc<Schema>, Rc<Schema>)> {
        let was = self.read(connection, "main", 0)?;
        let is = self.read(connection, "actual", 1)?;
        Ok((was, is))
    }

    fn read(&mut self, connection: &Connection, side: &str, place: usize) -> Result<Rc<Schema>> {
        let rows = schema_rows(connection, side)?;
        let known = self.last.iter().flatten().find(|(known, _)| *known == rows);
        let schema = match known {
            Some((_, schema)) => Rc::clone(schema),
            None => Rc::new(Schema {
                tables: tables(connection, side)?,
                others: others(connection, side)?,
                roots: roots(connection, side)?,
            }),
        };
        self.last[place] = Some((rows, Rc::clone(&schema)));
        Ok(schema)
    }
}

fn schema_rows(connection: &Connection, side: &str) -> Result<SchemaRows> {
    let mut select =
        connection.prepare(&format!("SELECT type, name, rootpage, sql FROM {side}.sqlite_schema"))?;
    let rows = select.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a schema taken for the one before though a table or an index is declared otherwise, or is elsewhere.
    #[test]
    fn a_schema_is_read_again_where_it_is_another() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "ATTACH ':memory:' AS actual; CREATE TABLE a (x); CREATE TABLE actual.a (x); \
                 CREATE INDEX i ON a (x); CREATE INDEX actual.i ON a (x)",
            )
            .unwrap();
        let mut schemas = Schemas::default();
        let (was, is) = schemas.of(&connection).unwrap();
        assert!(Rc::ptr_eq(&was, &is));
        for (change, tables, columns, indexes) in [
            ("ALTER TABLE actual.a ADD COLUMN y", 1, 2, 1),
            ("DROP INDEX actual.i", 1, 2, 0),
            ("CREATE TABLE actual.b (z)", 2, 2, 0),
            ("DROP TABLE actual.a; CREATE TABLE actual.a (x)", 2, 1, 0),
        ] {
            connection.execute_batch(change).unwrap();
            let (still, is) = schemas.of(&connection).unwrap();
            assert!(Rc::ptr_eq(&was, &still), "{change}");
            assert_eq!(is.tables.len(), tables, "{change}");
            assert_eq!(is.tables["a"].columns.len(), columns, "{change}");
            assert_eq!(is.others.len(), indexes, "{change}");
            let (_, again) = schemas.of(&connection).unwrap();
            assert!(Rc::ptr_eq(&is, &again), "{change}");
        }
    }
}
