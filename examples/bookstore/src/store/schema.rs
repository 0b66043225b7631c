//! Opening the database file, and its tables.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use super::stocking;

const VERSION: i32 = 1;

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
    db.set_prepared_statement_cache_capacity(96);
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
        assert_eq!((count(&db, "books"), count(&db, "categories")), (60, 6));
        db.execute("DELETE FROM books WHERE id = 60", []).unwrap();
        drop(db);
        assert_eq!(count(&open(&path).unwrap(), "books"), 59);
    }

    #[test]
    fn every_category_has_at_least_six_unrated_books() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(&folder.path().join("shop.db")).unwrap();
        let fewest: i64 = db
            .query_row(
                "SELECT min(n) FROM (SELECT count(*) AS n FROM books
                 WHERE id NOT IN (SELECT book_id FROM ratings) GROUP BY category_id)",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert!(fewest >= 6, "{fewest}");
    }
}
