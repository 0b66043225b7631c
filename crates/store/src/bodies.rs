//! Bytes, each distinct one once, compressed where that makes them smaller.

use std::cell::RefCell;

use rusqlite::{Connection, OptionalExtension, params};
use zstd::bulk::{Compressor, Decompressor};

use restage_model::{BodyId, BodyRef};

use crate::{Store, StoreError};

/// The fastest: a recorder on a busy site and a replay both wait for it, and pages pack well at any level.
const LEVEL: i32 = 1;
/// Under this, compression does not pay.
const SMALL: usize = 128;

/// Packs and unpacks bodies. Making zstd's contexts anew for each would cost more than a small body itself.
pub(crate) struct Packer {
    pack: RefCell<Compressor<'static>>,
    unpack: RefCell<Decompressor<'static>>,
}

impl Packer {
    pub(crate) fn new() -> Result<Self, std::io::Error> {
        Ok(Self { pack: RefCell::new(Compressor::new(LEVEL)?), unpack: RefCell::new(Decompressor::new()?) })
    }

    /// The bytes, packed; none where that fails.
    pub(crate) fn compress(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.pack.borrow_mut().compress(bytes).ok()
    }

    /// Bytes that were packed; they are so many.
    pub(crate) fn decompress(&self, packed: &[u8], size: usize) -> Result<Vec<u8>, std::io::Error> {
        self.unpack.borrow_mut().decompress(packed, size)
    }
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}

impl Store {
    /// A body's bytes; empty for an empty body.
    pub fn body(&self, body: &BodyRef) -> Result<Vec<u8>, StoreError> {
        let Some(BodyId(id)) = body.id else { return Ok(Vec::new()) };
        let mut statement =
            self.connection.prepare_cached("SELECT hash, size, codec, data FROM body WHERE id = ?")?;
        let row = statement
            .query_row([id], |row| {
                Ok((
                    row.get::<_, Vec<u8>>(0)?,
                    row.get::<_, usize>(1)?,
                    row.get::<_, i64>(2)?,
                    row.get::<_, Vec<u8>>(3)?,
                ))
            })
            .optional()?;
        let (hash, size, codec, data) =
            row.ok_or_else(|| StoreError::Unreadable(format!("body {id} is missing")))?;
        let bytes = match codec {
            0 => data,
            1 => (self.packer.decompress(&data, size))
                .map_err(|e| StoreError::Unreadable(format!("body {id}: {e}")))?,
            _ => return Err(StoreError::Unreadable(format!("body {id} has the unknown codec {codec}"))),
        };
        if blake3::hash(&bytes).as_bytes() != hash.as_slice() {
            return Err(StoreError::Unreadable(format!("body {id} is not what was stored")));
        }
        Ok(bytes)
    }
}

/// Stores bytes, or finds them stored; none for no bytes.
pub(crate) fn put(connection: &Connection, packer: &Packer, bytes: &[u8]) -> Result<Option<i64>, StoreError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let hash = blake3::hash(bytes);
    let mut find = connection.prepare_cached("SELECT id FROM body WHERE hash = ?")?;
    if let Some(id) = find.query_row([hash.as_bytes()], |row| row.get(0)).optional()? {
        return Ok(Some(id));
    }
    let packed = if bytes.len() < SMALL { None } else { packer.compress(bytes) };
    let (codec, data) = match &packed {
        Some(packed) if packed.len() < bytes.len() => (1, packed.as_slice()),
        _ => (0, bytes),
    };
    connection
        .prepare_cached("INSERT INTO body (hash, size, codec, data) VALUES (?, ?, ?, ?)")?
        .execute(params![hash.as_bytes(), bytes.len(), codec, data])?;
    Ok(Some(connection.last_insert_rowid()))
}

pub(crate) fn body_ref(id: Option<i64>, size: u64, cut: bool) -> BodyRef {
    BodyRef { id: id.map(BodyId), size, cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_are_stored_once_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let page = "<p>hello</p>".repeat(100).into_bytes();
        let first = put(&store.connection, &store.packer, &page).unwrap();
        assert_eq!(put(&store.connection, &store.packer, &page).unwrap(), first);
        assert_eq!(store.body(&body_ref(first, page.len() as u64, false)).unwrap(), page);
        assert_eq!(put(&store.connection, &store.packer, b"").unwrap(), None);
    }

    #[test]
    fn a_damaged_body_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let id = put(&store.connection, &store.packer, b"hello").unwrap();
        store.connection.execute("UPDATE body SET data = x'00'", []).unwrap();
        assert!(matches!(store.body(&body_ref(id, 5, false)), Err(StoreError::Unreadable(_))));
    }
}
