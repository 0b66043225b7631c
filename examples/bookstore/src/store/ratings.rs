//! Ratings of books by members.

use rusqlite::{Connection, params};

use super::statements::run;

/// A rating as the book's page shows it.
#[derive(Debug)]
pub(crate) struct Rating {
    pub(crate) by: String,
    pub(crate) stars: i64,
    pub(crate) comment: String,
    pub(crate) rated: String,
}

impl Rating {
    /// The ratings of a book, newest first.
    pub(crate) fn of_book(db: &Connection, book: i64) -> rusqlite::Result<Vec<Rating>> {
        db.prepare_cached(
            "SELECT m.name, r.stars, r.comment, r.rated FROM ratings r JOIN members m ON m.id = r.member_id
             WHERE r.book_id = ?1 ORDER BY r.rated DESC, r.id DESC",
        )?
        .query_map([book], |row| {
            Ok(Rating { by: row.get(0)?, stars: row.get(1)?, comment: row.get(2)?, rated: row.get(3)? })
        })?
        .collect()
    }

    /// Stores a member's rating, in place of an earlier one.
    pub(crate) fn save(
        db: &Connection,
        (book, member): (i64, i64),
        stars: i64,
        comment: &str,
        now: &str,
    ) -> rusqlite::Result<()> {
        run(
            db,
            "INSERT INTO ratings (book_id, member_id, stars, comment, rated) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (book_id, member_id) DO UPDATE
             SET stars = excluded.stars, comment = excluded.comment, rated = excluded.rated",
            params![book, member, stars, comment, now],
        )
    }
}
