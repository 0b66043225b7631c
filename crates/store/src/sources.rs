//! What was imported, and from where.

use rusqlite::{OptionalExtension, params};
use serde::Serialize;

use restage_model::{Captured, ExchangeId, Moment};

use crate::exchanges::{Origin, insert};
use crate::{Store, StoreError};

/// Names what was imported from in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct SourceId(pub i64);

/// An exchange on its way from a file to the store.
#[derive(Clone, Debug)]
pub struct Imported {
    /// What it is.
    pub captured: Captured,
    /// Tells it from others of the same moment: an exchange with the same is the same, wherever it is read.
    pub digest: u64,
    /// How a store had it before, where it comes from one: it goes in as it was.
    pub as_stored: Option<AsStored>,
}

/// How another store, or this one, had an exchange that comes back. Its response's body comes decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsStored {
    /// Its name there. It keeps it, unless another exchange has it here.
    pub id: ExchangeId,
    /// Whether it was imported there, or recorded.
    pub imported: bool,
    /// Whether less than the whole of the request's body was stored.
    pub request_cut: bool,
    /// The same of the response's.
    pub response_cut: bool,
}

/// A file that was imported.
#[derive(Clone, Debug, Serialize)]
pub struct Source {
    /// Its name in the store.
    pub id: SourceId,
    /// The file's name.
    pub name: String,
    /// What it was read as.
    pub format: String,
    /// When it was imported.
    pub at: Moment,
    /// How many exchanges it added.
    pub exchanges: u64,
}

impl Store {
    /// Notes that a file is about to be imported.
    pub fn begin_source(&mut self, name: &str, format: &str) -> Result<SourceId, StoreError> {
        self.connection.execute(
            "INSERT INTO source (name, format, at) VALUES (?, ?, ?)",
            params![name, format, Moment::now().0],
        )?;
        Ok(SourceId(self.connection.last_insert_rowid()))
    }

    /// Stores exchanges of a file, all or none of them; those that are stored already are passed over. How many were new.
    pub fn append_imported(&mut self, source: SourceId, batch: &[Imported]) -> Result<u64, StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut added = 0;
        let mut store_all = || -> Result<(), StoreError> {
            for Imported { captured, digest, as_stored } in batch {
                // SQLite's integers have a sign; the bits are what counts.
                let origin = Origin { source: source.0, digest: digest.cast_signed(), as_stored: *as_stored };
                added +=
                    insert(&transaction, &self.packer, &self.header_sets, captured, Some(origin))? as u64;
            }
            transaction
                .prepare_cached("UPDATE source SET exchanges = exchanges + ? WHERE id = ?")?
                .execute(params![added, source.0])?;
            Ok(())
        };
        let stored = store_all();
        match stored.and_then(|()| Ok(transaction.commit()?)) {
            Ok(()) => Ok(added),
            Err(error) => {
                self.header_sets.forget();
                Err(error)
            }
        }
    }

    /// Notes that a file was read to its end, so that it is known when it is met again.
    pub fn end_source(&mut self, id: SourceId, size: u64, digest: [u8; 32]) -> Result<(), StoreError> {
        self.connection
            .execute("UPDATE source SET size = ?, digest = ? WHERE id = ?", params![size, digest, id.0])?;
        Ok(())
    }

    /// Whether a file of this size was imported before: only then its content needs a look.
    pub fn knows_size(&self, size: u64) -> Result<bool, StoreError> {
        let found = self.connection.query_row("SELECT 1 FROM source WHERE size = ?", [size], |_| Ok(()));
        Ok(found.optional()?.is_some())
    }

    /// The import of a file of this content, where it was imported before.
    pub fn source_of(&self, digest: [u8; 32]) -> Result<Option<Source>, StoreError> {
        let found = self.connection.query_row(
            "SELECT id, name, format, at, exchanges FROM source WHERE digest = ? ORDER BY id LIMIT 1",
            [digest],
            |row| {
                Ok(Source {
                    id: SourceId(row.get(0)?),
                    name: row.get(1)?,
                    format: row.get(2)?,
                    at: Moment(row.get(3)?),
                    exchanges: row.get(4)?,
                })
            },
        );
        Ok(found.optional()?)
    }
}

#[cfg(test)]
mod tests {
    use restage_model::{CapturedBody, Headers};

    use super::*;

    fn imported(at: i64, digest: u64) -> Imported {
        let captured = Captured {
            at: Moment(at),
            took: 0,
            client: "10.0.0.1".to_owned(),
            method: "GET".to_owned(),
            uri: "/".to_owned(),
            headers: [("user-agent".to_owned(), "x".to_owned())].into_iter().collect(),
            body: CapturedBody::default(),
            response: Some((200, Headers::new(), CapturedBody { bytes: Vec::new(), size: 7 })),
            error: None,
        };
        Imported { captured, digest, as_stored: None }
    }

    /// Catches: an import that stores twice what it met before, or takes two alike of different moments for one.
    #[test]
    fn the_same_exchange_is_stored_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let source = store.begin_source("a.log", "combined").unwrap();
        let batch = [imported(1, u64::MAX), imported(1, 2), imported(2, 2)];
        assert_eq!(store.append_imported(source, &batch).unwrap(), 3);
        assert_eq!(store.append_imported(source, &batch).unwrap(), 0);
        let exchanges = store.exchanges().unwrap();
        assert_eq!(exchanges.len(), 3);
        assert!(exchanges.iter().all(|e| e.imported && e.request.headers.get("user-agent") == Some("x")));
        assert!(exchanges[0].response.as_ref().unwrap().body.cut, "a page that was not logged is cut");
        store.end_source(source, 10, [7; 32]).unwrap();
        assert!(store.knows_size(10).unwrap() && !store.knows_size(11).unwrap());
        assert_eq!(store.source_of([7; 32]).unwrap().unwrap().exchanges, 3);
        assert!(store.source_of([8; 32]).unwrap().is_none());
    }
}
