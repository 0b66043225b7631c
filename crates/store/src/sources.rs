//! What was imported, and from where.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, params};
use serde::Serialize;

use restage_model::{Captured, ExchangeId, Moment, Origin};

use crate::exchanges::{ImportedFrom, insert};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsStored {
    /// Its name there. It keeps it, unless another exchange has it here.
    pub id: ExchangeId,
    /// Whether it was imported there, or recorded.
    pub imported: bool,
    /// Whether less than the whole of the request's body was stored.
    pub request_cut: bool,
    /// The same of the response's.
    pub response_cut: bool,
    /// Whether a user sent it. The exchanges that it names have the names of that store.
    pub origin: Origin,
}

/// Under which names the exchanges of another store, or of this one, came back.
#[derive(Clone, Debug, Default)]
pub struct Renamed {
    names: HashMap<ExchangeId, ExchangeId>,
    lost: u64,
}

impl Renamed {
    /// The name that an exchange has here; none where it did not come.
    pub fn of(&self, there: ExchangeId) -> Option<ExchangeId> {
        self.names.get(&there).copied()
    }

    /// How many were left out, because what they were made of did not come.
    pub fn lost(&self) -> u64 {
        self.lost
    }
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
    /// What comes from a store goes under the same name, or the one that `renamed` then has. An exchange that nobody recorded
    /// is left out where what it was made of did not come before it.
    pub fn append_imported(
        &mut self,
        source: SourceId,
        batch: &[Imported],
        renamed: &mut Renamed,
    ) -> Result<u64, StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut added = 0;
        let mut store_all = || -> Result<(), StoreError> {
            for Imported { captured, digest, as_stored } in batch {
                let origin = match as_stored.as_ref().map(|known| known.origin.renamed(|id| renamed.of(id))) {
                    Some(None) => {
                        renamed.lost += 1;
                        continue;
                    }
                    Some(Some(origin)) => origin,
                    None => Origin::Recorded,
                };
                // SQLite's integers have a sign; the bits are what counts.
                let from = ImportedFrom {
                    source: source.0,
                    digest: digest.cast_signed(),
                    as_stored: as_stored.as_ref(),
                    origin: &origin,
                };
                let put = insert(&transaction, &self.packer, &self.header_sets, captured, Some(from))?;
                added += u64::from(put.is_new);
                if let (Some(known), Some(id)) = (as_stored, put.id) {
                    renamed.names.insert(known.id, id);
                }
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

    fn own(id: i64, origin: Origin) -> Imported {
        let (imported, captured) = (false, imported(id, id.unsigned_abs()).captured);
        let as_stored =
            AsStored { id: ExchangeId(id), imported, request_cut: false, response_cut: false, origin };
        Imported { captured, digest: id.unsigned_abs(), as_stored: Some(as_stored) }
    }

    /// Catches: an edited request that names another store's exchange, comes twice, or comes without what was edited.
    #[test]
    fn what_nobody_recorded_comes_back_with_what_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let here = store.append(&[imported(100, 0).captured]).unwrap();
        assert_eq!(here, [ExchangeId(1)]);
        let edit =
            |of: i64| Origin::Edited { of: ExchangeId(of), by: "repair".to_owned(), why: String::new() };
        let batch = [own(1, Origin::Recorded), own(5, edit(1)), own(6, edit(77))];
        let source = store.begin_source("a.har", "har").unwrap();
        let mut renamed = Renamed::default();
        assert_eq!(store.append_imported(source, &batch, &mut renamed).unwrap(), 2);
        let of = renamed.of(ExchangeId(1)).unwrap();
        assert_ne!(of, ExchangeId(1), "another exchange has that name here");
        let edited = store.exchange(renamed.of(ExchangeId(5)).unwrap()).unwrap();
        assert_eq!(edited.origin.sources(), [of]);
        assert_eq!((renamed.of(ExchangeId(6)), renamed.lost()), (None, 1));
        let mut again = Renamed::default();
        assert_eq!(store.append_imported(source, &batch, &mut again).unwrap(), 0);
        assert_eq!(again.of(ExchangeId(1)), Some(of));
        assert_eq!(again.of(ExchangeId(5)), Some(edited.id));
        assert_eq!(store.exchanges().unwrap().len(), 2);
    }

    /// Catches: an import that stores twice what it met before, or takes two alike of different moments for one.
    #[test]
    fn the_same_exchange_is_stored_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let source = store.begin_source("a.log", "combined").unwrap();
        let batch = [imported(1, u64::MAX), imported(1, 2), imported(2, 2)];
        assert_eq!(store.append_imported(source, &batch, &mut Renamed::default()).unwrap(), 3);
        assert_eq!(store.append_imported(source, &batch, &mut Renamed::default()).unwrap(), 0);
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
