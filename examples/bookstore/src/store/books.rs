//! Books.

use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::statements::run;

/// A book with what its ratings come to.
#[derive(Debug, Clone)]
pub(crate) struct Book {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) category_id: i64,
    pub(crate) category: String,
    /// In cents.
    pub(crate) price: i64,
    pub(crate) isbn: String,
    pub(crate) published: String,
    pub(crate) pages: i64,
    pub(crate) stock: i64,
    pub(crate) blurb: String,
    /// The average of its ratings; none when it has none.
    pub(crate) average: Option<f64>,
    pub(crate) rated: i64,
}

/// What an administrator enters of a book.
#[derive(Debug)]
pub(crate) struct BookDraft {
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) category_id: i64,
    pub(crate) price: i64,
    pub(crate) pages: i64,
    pub(crate) stock: i64,
    pub(crate) published: String,
    pub(crate) blurb: String,
}

/// A query that yields books; conditions and order follow.
macro_rules! select {
    ($tail:literal) => {
        concat!(
            "SELECT b.id, b.title, b.author, b.category_id, c.name, b.price, b.isbn, b.published, b.pages,
                b.stock, b.blurb, (SELECT avg(stars) FROM ratings WHERE book_id = b.id),
                (SELECT count(*) FROM ratings WHERE book_id = b.id)
             FROM books b JOIN categories c ON c.id = b.category_id ",
            $tail
        )
    };
}

impl Book {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Book {
            id: row.get(0)?,
            title: row.get(1)?,
            author: row.get(2)?,
            category_id: row.get(3)?,
            category: row.get(4)?,
            price: row.get(5)?,
            isbn: row.get(6)?,
            published: row.get(7)?,
            pages: row.get(8)?,
            stock: row.get(9)?,
            blurb: row.get(10)?,
            average: row.get(11)?,
            rated: row.get(12)?,
        })
    }

    pub(crate) fn find(db: &Connection, id: i64) -> rusqlite::Result<Option<Book>> {
        db.prepare_cached(select!("WHERE b.id = ?1"))?.query_row([id], Book::read).optional()
    }

    /// The books of these ids, in this order: lists are made of ids, and only what a page shows of
    /// one is read.
    pub(crate) fn load(db: &Connection, ids: &[i64]) -> rusqlite::Result<Vec<Book>> {
        let mut find = db.prepare_cached(select!("WHERE b.id = ?1"))?;
        ids.iter().map(|id| find.query_row([id], Book::read)).collect()
    }

    /// The books published last.
    pub(crate) fn newest(db: &Connection, count: i64) -> rusqlite::Result<Vec<Book>> {
        let newest = ids(db, "SELECT id FROM books ORDER BY published DESC, id DESC LIMIT ?1", [count])?;
        Book::load(db, &newest)
    }

    /// The books rated best.
    pub(crate) fn best(db: &Connection, count: i64) -> rusqlite::Result<Vec<Book>> {
        let best = ids(
            db,
            "SELECT b.id FROM ratings r JOIN books b ON b.id = r.book_id GROUP BY r.book_id
             ORDER BY avg(r.stars) DESC, count(*) DESC, b.title, b.id LIMIT ?1",
            [count],
        )?;
        Book::load(db, &best)
    }

    /// The books of a category and the averages of their ratings, by id.
    pub(crate) fn of_category(db: &Connection, category: i64) -> rusqlite::Result<Vec<(i64, Option<f64>)>> {
        db.prepare_cached(
            "SELECT id, (SELECT avg(stars) FROM ratings WHERE book_id = books.id) FROM books
             WHERE category_id = ?1 ORDER BY id",
        )?
        .query_map([category], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
    }

    /// Every book, by title.
    pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<i64>> {
        ids(db, "SELECT id FROM books ORDER BY title, id", [])
    }

    /// The books of which there are fewer than `copies`, by title.
    pub(crate) fn running_low(db: &Connection, copies: i64) -> rusqlite::Result<Vec<Book>> {
        let low = ids(db, "SELECT id FROM books WHERE stock < ?1 ORDER BY title, id", [copies])?;
        Book::load(db, &low)
    }

    /// All books but one, by id.
    pub(crate) fn others(db: &Connection, than: i64) -> rusqlite::Result<Vec<i64>> {
        ids(db, "SELECT id FROM books WHERE id <> ?1 ORDER BY id", [than])
    }

    pub(crate) fn title_of(db: &Connection, id: i64) -> rusqlite::Result<String> {
        db.prepare_cached("SELECT title FROM books WHERE id = ?1")?.query_row([id], |row| row.get(0))
    }

    pub(crate) fn delete(db: &Connection, id: i64) -> rusqlite::Result<()> {
        run(db, "DELETE FROM books WHERE id = ?1", [id])
    }
}

impl BookDraft {
    pub(crate) fn add(&self, db: &Connection) -> rusqlite::Result<i64> {
        run(
            db,
            "INSERT INTO books (title, author, category_id, price, pages, stock, published, blurb, isbn)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '')",
            params![
                self.title,
                self.author,
                self.category_id,
                self.price,
                self.pages,
                self.stock,
                self.published,
                self.blurb
            ],
        )?;
        let id = db.last_insert_rowid();
        run(
            db,
            "UPDATE books SET isbn = printf('978-1-4028-%04d-%d', 1017 + (id - 1) * 97, (id - 1) % 10)
             WHERE id = ?1",
            [id],
        )?;
        Ok(id)
    }

    pub(crate) fn save(&self, db: &Connection, id: i64) -> rusqlite::Result<()> {
        run(
            db,
            "UPDATE books SET title = ?2, author = ?3, category_id = ?4, price = ?5, pages = ?6, stock = ?7,
                published = ?8, blurb = ?9 WHERE id = ?1",
            params![
                id,
                self.title,
                self.author,
                self.category_id,
                self.price,
                self.pages,
                self.stock,
                self.published,
                self.blurb
            ],
        )
    }
}

/// The ids that a query yields.
pub(super) fn ids(db: &Connection, query: &str, params: impl Params) -> rusqlite::Result<Vec<i64>> {
    db.prepare_cached(query)?.query_map(params, |row| row.get(0))?.collect()
}
