//! Categories.

use rusqlite::{Connection, OptionalExtension, params};

use super::statements::run;

/// A category with the number of its books.
#[derive(Debug, Clone)]
pub(crate) struct Category {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) books: i64,
}

impl Category {
    /// Every category, by id.
    pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Category>> {
        db.prepare_cached(
            "SELECT c.id, c.name, (SELECT count(*) FROM books WHERE category_id = c.id)
             FROM categories c ORDER BY c.id",
        )?
        .query_map([], |row| Ok(Category { id: row.get(0)?, name: row.get(1)?, books: row.get(2)? }))?
        .collect()
    }

    pub(crate) fn name_of(db: &Connection, id: i64) -> rusqlite::Result<Option<String>> {
        db.prepare_cached("SELECT name FROM categories WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()
    }

    /// Whether another category than `but` has the name.
    pub(crate) fn is_taken(db: &Connection, name: &str, but: i64) -> rusqlite::Result<bool> {
        db.prepare_cached("SELECT 1 FROM categories WHERE name = ?1 AND id <> ?2")?.exists(params![name, but])
    }

    pub(crate) fn add(db: &Connection, name: &str) -> rusqlite::Result<()> {
        run(db, "INSERT INTO categories (name) VALUES (?1)", [name])
    }

    pub(crate) fn rename(db: &Connection, id: i64, name: &str) -> rusqlite::Result<()> {
        run(db, "UPDATE categories SET name = ?2 WHERE id = ?1", params![id, name])
    }
}
