//! Books.

use rusqlite::{Connection, OptionalExtension, Row, params};

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

/// The head of every query that yields books; conditions and order follow.
pub(super) const SELECT: &str = "
SELECT b.id, b.title, b.author, b.category_id, c.name, b.price, b.isbn, b.published, b.pages, b.stock,
    b.blurb, r.average, ifnull(r.rated, 0)
FROM books b JOIN categories c ON c.id = b.category_id
LEFT JOIN (SELECT book_id, avg(stars) AS average, count(*) AS rated FROM ratings GROUP BY book_id) r
    ON r.book_id = b.id ";

impl Book {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
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
        db.prepare_cached(&format!("{SELECT} WHERE b.id = ?1"))?.query_row([id], Book::read).optional()
    }

    /// The books published last.
    pub(crate) fn newest(db: &Connection, count: i64) -> rusqlite::Result<Vec<Book>> {
        list(db, "ORDER BY b.published DESC, b.id DESC LIMIT ?1", [count])
    }

    /// The books rated best.
    pub(crate) fn best(db: &Connection, count: i64) -> rusqlite::Result<Vec<Book>> {
        list(
            db,
            "WHERE r.average IS NOT NULL ORDER BY r.average DESC, r.rated DESC, b.title, b.id LIMIT ?1",
            [count],
        )
    }

    /// The books of a category, by id.
    pub(crate) fn of_category(db: &Connection, category: i64) -> rusqlite::Result<Vec<Book>> {
        list(db, "WHERE b.category_id = ?1 ORDER BY b.id", [category])
    }

    /// Every book, by title.
    pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Book>> {
        list(db, "ORDER BY b.title, b.id", [])
    }

    /// Titles and ids of all books but one, by id.
    pub(crate) fn others(db: &Connection, than: i64) -> rusqlite::Result<Vec<(i64, String)>> {
        db.prepare_cached("SELECT id, title FROM books WHERE id <> ?1 ORDER BY id")?
            .query_map([than], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    pub(crate) fn delete(db: &Connection, id: i64) -> rusqlite::Result<()> {
        db.execute("DELETE FROM books WHERE id = ?1", [id]).map(drop)
    }
}

impl BookDraft {
    pub(crate) fn add(&self, db: &Connection) -> rusqlite::Result<i64> {
        db.execute(
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
        db.execute(
            "UPDATE books SET isbn = printf('978-1-4028-%04d-%d', 1017 + (id - 1) * 97, (id - 1) % 10)
             WHERE id = ?1",
            [id],
        )?;
        Ok(id)
    }

    pub(crate) fn save(&self, db: &Connection, id: i64) -> rusqlite::Result<()> {
        db.execute(
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
        .map(drop)
    }
}

fn list<P: rusqlite::Params>(db: &Connection, tail: &str, params: P) -> rusqlite::Result<Vec<Book>> {
    db.prepare_cached(&format!("{SELECT} {tail}"))?.query_map(params, Book::read)?.collect()
}
