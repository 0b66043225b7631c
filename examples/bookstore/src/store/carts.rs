//! Shopping carts: the lines of a session.

use rusqlite::{Connection, OptionalExtension, params};

use super::statements::run;

/// Some copies of a book in a cart.
#[derive(Debug, Clone)]
pub(crate) struct CartLine {
    pub(crate) id: i64,
    pub(crate) book_id: i64,
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) price: i64,
    pub(crate) quantity: i64,
    pub(crate) gift: bool,
}

impl CartLine {
    /// The lines of a session's cart, in the order they were put in.
    pub(crate) fn of_session(db: &Connection, session: i64) -> rusqlite::Result<Vec<CartLine>> {
        db.prepare_cached(
            "SELECT l.id, b.id, b.title, b.author, b.price, l.quantity, l.gift
             FROM cart_lines l JOIN books b ON b.id = l.book_id WHERE l.session_id = ?1 ORDER BY l.id",
        )?
        .query_map([session], |row| {
            Ok(CartLine {
                id: row.get(0)?,
                book_id: row.get(1)?,
                title: row.get(2)?,
                author: row.get(3)?,
                price: row.get(4)?,
                quantity: row.get(5)?,
                gift: row.get(6)?,
            })
        })?
        .collect()
    }

    /// Copies, and titles, in a session's cart.
    pub(crate) fn count(db: &Connection, session: i64) -> rusqlite::Result<(i64, i64)> {
        db.prepare_cached("SELECT ifnull(sum(quantity), 0), count(*) FROM cart_lines WHERE session_id = ?1")?
            .query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Puts copies in, on top of those already there.
    pub(crate) fn add(
        db: &Connection,
        (session, book): (i64, i64),
        quantity: i64,
        gift: bool,
    ) -> rusqlite::Result<()> {
        run(
            db,
            "INSERT INTO cart_lines (session_id, book_id, quantity, gift) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (session_id, book_id) DO UPDATE
             SET quantity = quantity + excluded.quantity, gift = excluded.gift",
            params![session, book, quantity, gift],
        )
    }

    /// The title of the book that a line of the session's cart is of.
    pub(crate) fn title(db: &Connection, session: i64, line: i64) -> rusqlite::Result<Option<String>> {
        db.prepare_cached(
            "SELECT b.title FROM cart_lines l JOIN books b ON b.id = l.book_id
             WHERE l.id = ?1 AND l.session_id = ?2",
        )?
        .query_row([line, session], |row| row.get(0))
        .optional()
    }

    pub(crate) fn set_quantity(db: &Connection, line: i64, quantity: i64) -> rusqlite::Result<()> {
        run(db, "UPDATE cart_lines SET quantity = ?2 WHERE id = ?1", [line, quantity])
    }

    pub(crate) fn remove(db: &Connection, line: i64) -> rusqlite::Result<()> {
        run(db, "DELETE FROM cart_lines WHERE id = ?1", [line])
    }

    pub(crate) fn clear(db: &Connection, session: i64) -> rusqlite::Result<()> {
        run(db, "DELETE FROM cart_lines WHERE session_id = ?1", [session])
    }
}
