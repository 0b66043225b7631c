//! Opening the database file, and its tables.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use super::stocking;

const VERSION: i32 = 1;

/// More statements than the shop has; only the forms of an advanced search are more still.
const STATEMENTS_KEPT: usize = 256;

const TABLES: &str = "
CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE books (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories(id),
    price INTEGER NOT NULL, -- cents
    isbn TEXT NOT NULL,
    published TEXT NOT NULL,
    pages INTEGER NOT NULL,
    stock INTEGER NOT NULL,
    blurb TEXT NOT NULL
);
CREATE INDEX books_by_category ON books(category_id);
CREATE TABLE members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL UNIQUE,
    salt TEXT NOT NULL,
    password TEXT NOT NULL,
    role TEXT NOT NULL DEFAULT 'member',
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    address TEXT NOT NULL,
    country TEXT NOT NULL,
    contact TEXT NOT NULL,
    newsletter INTEGER NOT NULL,
    joined TEXT NOT NULL
);
CREATE TABLE ratings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    book_id INTEGER NOT NULL REFERENCES books(id) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES members(id),
    stars INTEGER NOT NULL,
    comment TEXT NOT NULL,
    rated TEXT NOT NULL,
    UNIQUE (book_id, member_id)
);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    csrf TEXT NOT NULL,
    member_id INTEGER REFERENCES members(id),
    flash TEXT,
    started TEXT NOT NULL
);
CREATE TABLE cart_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    book_id INTEGER NOT NULL REFERENCES books(id) ON DELETE CASCADE,
    quantity INTEGER NOT NULL,
    gift INTEGER NOT NULL,
    UNIQUE (session_id, book_id)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members(id),
    placed TEXT NOT NULL,
    status TEXT NOT NULL,
    delivery TEXT NOT NULL,
    payment TEXT NOT NULL,
    address TEXT NOT NULL,
    note TEXT NOT NULL,
    goods INTEGER NOT NULL,
    discount INTEGER NOT NULL,
    postage INTEGER NOT NULL
);
CREATE TABLE order_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders(id),
    book_id INTEGER NOT NULL, -- the book may be gone from the shop
    title TEXT NOT NULL,
    price INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    gift INTEGER NOT NULL
);
CREATE INDEX order_lines_by_order ON order_lines(order_id);
";

/// Opens the database; a new one gets its tables and the first stock.
pub(crate) fn open(path: &Path) -> rusqlite::Result<Connection> {
    let mut db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(5))?;
    db.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    // Else SQLite prepares many a statement anew whenever a parameter changes, to plan by its value.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    db.pragma_update(None, "journal_mode", "wal")?;
    db.pragma_update(None, "synchronous", "normal")?;
    db.pragma_update(None, "foreign_keys", true)?;
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 0 {
        tx.execute_batch(TABLES)?;
        stocking::fill(&tx)?;
        tx.pragma_update(None, "user_version", VERSION)?;
    }
    tx.commit()?;
    Ok(db)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_database_is_stocked_and_an_old_one_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.db");
        let count = |db: &Connection, table: &str| -> i64 {
            db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        };
        let db = open(&path).unwrap();
        assert_eq!((count(&db, "books"), count(&db, "categories")), (84, 6));
        db.execute("DELETE FROM books WHERE id = 84", []).unwrap();
        drop(db);
        assert_eq!(count(&open(&path).unwrap(), "books"), 83);
    }
}
