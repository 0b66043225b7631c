//! What is in a database: whether two states differ, without any oracle's help.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::Trouble;

/// Each table's rows, as one text.
pub type Rows = BTreeMap<String, String>;

/// Reads all tables.
pub fn rows(database: &Path) -> Result<Rows, Trouble> {
    let db = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut tables = db.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
    )?;
    let names = tables.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    names.into_iter().map(|name| Ok((name.clone(), table(&db, &name)?))).collect()
}

fn table(db: &Connection, name: &str) -> Result<String, Trouble> {
    let mut read = db.prepare(&format!("SELECT * FROM \"{}\"", name.replace('"', "\"\"")))?;
    let columns = read.column_count();
    let mut text = String::new();
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            match row.get_ref(column)? {
                ValueRef::Text(value) => text.push_str(&format!("{:?}|", String::from_utf8_lossy(value))),
                value => text.push_str(&format!("{value:?}|")),
            }
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a table that is not read, or a value that is read as another's equal.
    #[test]
    fn a_changed_value_of_any_table_shows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let db = Connection::open(&path).unwrap();
        db.execute_batch("CREATE TABLE a(x); CREATE TABLE \"b c\"(y); INSERT INTO \"b c\" VALUES (1)")
            .unwrap();
        let before = rows(&path).unwrap();
        assert_eq!(before.len(), 2);
        db.execute("UPDATE \"b c\" SET y = '1'", []).unwrap();
        let after = rows(&path).unwrap();
        assert_eq!(before["a"], after["a"]);
        assert_ne!(before["b c"], after["b c"]);
    }
}
