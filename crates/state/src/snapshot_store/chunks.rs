//! Chunks: bytes kept once, named by their hash outside the snapshot store and by a small id inside it.

use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};

use super::SnapshotStore;
use crate::error::Result;

/// A chunk of this snapshot store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ChunkId(pub(super) i64);

/// BLAKE3 of a chunk's bytes.
pub(crate) type Hash = [u8; 32];

/// Past this many remembered chunks (some 250 MB of memory) the memory starts anew.
const MOST_KNOWN: usize = 4_000_000;

impl SnapshotStore {
    /// The chunk of these bytes, stored if it is new.
    pub(crate) fn keep_chunk(&mut self, bytes: &[u8]) -> Result<ChunkId> {
        let hash = *blake3::hash(bytes).as_bytes();
        if let Some(id) = self.find_chunk(&hash)? {
            return Ok(id);
        }
        let data = self.packer.pack(bytes);
        self.connection
            .prepare_cached("INSERT INTO chunk(hash, size, data) VALUES (?1, ?2, ?3)")
            .and_then(|mut insert| insert.execute((&hash, bytes.len(), &data)))
            .map_err(self.fail())?;
        let id = ChunkId(self.connection.last_insert_rowid());
        self.stored_bytes += data.len() as u64;
        self.stored_chunks += 1;
        self.learn(hash, id);
        Ok(id)
    }

    /// Whether these bytes are the chunk `id`, without loading it.
    pub(crate) fn is_chunk(&mut self, id: ChunkId, bytes: &[u8]) -> Result<bool> {
        Ok(self.find_chunk(blake3::hash(bytes).as_bytes())? == Some(id))
    }

    /// A chunk's bytes, checked against their hash.
    pub(crate) fn chunk(&mut self, id: ChunkId) -> Result<Vec<u8>> {
        let row = self
            .connection
            .prepare_cached("SELECT hash, data FROM chunk WHERE id = ?1")
            .and_then(|mut select| {
                select
                    .query_row([id.0], |row| Ok((row.get::<_, Hash>(0)?, row.get::<_, Vec<u8>>(1)?)))
                    .optional()
            })
            .map_err(self.fail())?;
        let (hash, data) = row.ok_or_else(|| self.damaged(format!("chunk {} is missing", id.0)))?;
        let bytes = self.packer.unpack(&data).filter(|bytes| *blake3::hash(bytes).as_bytes() == hash);
        bytes.ok_or_else(|| self.damaged(format!("chunk {} is not what was stored", id.0)))
    }

    fn find_chunk(&mut self, hash: &Hash) -> Result<Option<ChunkId>> {
        if let Some(id) = self.known.get(hash) {
            return Ok(Some(*id));
        }
        let found = self
            .connection
            .prepare_cached("SELECT id FROM chunk WHERE hash = ?1")
            .and_then(|mut select| select.query_row([hash], |row| row.get(0).map(ChunkId)).optional())
            .map_err(self.fail())?;
        if let Some(id) = found {
            self.learn(*hash, id);
        }
        Ok(found)
    }

    fn learn(&mut self, hash: Hash, id: ChunkId) {
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(hash, id);
    }
}
