//! Statements and transactions. SQLite spends longer on understanding a statement than on running it,
//! so each is prepared once and kept.

use rusqlite::{Connection, Params};

/// Runs a statement that yields no rows.
pub(crate) fn run(db: &Connection, statement: &str, params: impl Params) -> rusqlite::Result<()> {
    db.prepare_cached(statement)?.execute(params).map(drop)
}

/// A transaction, rolled back when it is dropped without being committed.
///
/// Unlike rusqlite's own, it does not prepare its statements afresh each time.
#[derive(Debug)]
pub(crate) struct Transaction<'a> {
    db: &'a Connection,
}

impl<'a> Transaction<'a> {
    /// Begins to read; others may read and write meanwhile.
    pub(crate) fn reading(db: &'a Connection) -> rusqlite::Result<Self> {
        run(db, "BEGIN DEFERRED", [])?;
        Ok(Transaction { db })
    }

    /// Begins to write, once nobody else does.
    pub(crate) fn writing(db: &'a Connection) -> rusqlite::Result<Self> {
        run(db, "BEGIN IMMEDIATE", [])?;
        Ok(Transaction { db })
    }

    pub(crate) fn commit(self) -> rusqlite::Result<()> {
        run(self.db, "COMMIT", [])
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // Once committed, or undone by SQLite itself, there is nothing to roll back.
        if !self.db.is_autocommit()
            && let Err(error) = run(self.db, "ROLLBACK", [])
        {
            eprintln!("bookstore: a transaction could not be undone: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_committed_stays() {
        let db = Connection::open_in_memory().unwrap();
        run(&db, "CREATE TABLE words (word TEXT)", []).unwrap();
        for (word, keep) in [("lost", false), ("kept", true), ("gone", false)] {
            let transaction = Transaction::writing(&db).unwrap();
            run(&db, "INSERT INTO words VALUES (?1)", [word]).unwrap();
            if keep {
                transaction.commit().unwrap();
            }
        }
        let transaction = Transaction::reading(&db).unwrap();
        let words: String =
            db.query_row("SELECT group_concat(word) FROM words", [], |row| row.get(0)).unwrap();
        assert_eq!(words, "kept");
        transaction.commit().unwrap();
        assert!(db.is_autocommit());
    }
}
