//! What a snapshot keeps of a database on a server.

use serde::{Deserialize, Serialize};

use super::engine::{Counters, Schema};
use crate::error::{Error, Result};
use crate::snapshot_store::{ChunkId, SnapshotStore, TreeId};

/// A database on a server as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ServerRecord {
    /// `postgres` or `mariadb`.
    pub(crate) kind: String,
    /// Its [`Schema`].
    pub(crate) schema: ChunkId,
    /// Its [`Counters`].
    pub(crate) counters: ChunkId,
    /// The rows of the schema's tables, in the same order.
    pub(crate) tables: Vec<TableRecord>,
}

/// The rows of one table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TableRecord {
    /// The table.
    pub(crate) name: String,
    /// All rows as they were once: one chunk a bucket; for a table without a key, in the order of the rows.
    pub(crate) image: TreeId,
    /// How many buckets; 0 for a table without a key.
    pub(crate) buckets: u32,
    /// Rows that changed since, oldest first: a later one goes before an earlier.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) deltas: Vec<ChunkId>,
}

impl ServerRecord {
    pub(crate) fn table(&self, name: &str) -> Option<&TableRecord> {
        self.tables.iter().find(|table| table.name == name)
    }

    pub(crate) fn schema(&self, store: &mut SnapshotStore) -> Result<Schema> {
        read(store, self.schema)
    }

    pub(crate) fn counters(&self, store: &mut SnapshotStore) -> Result<Counters> {
        read(store, self.counters)
    }

    /// The chunks that are named here, and the trees.
    pub(crate) fn refers_to(&self) -> (Vec<ChunkId>, Vec<TreeId>) {
        let mut chunks = vec![self.schema, self.counters];
        chunks.extend(self.tables.iter().flat_map(|table| &table.deltas));
        (chunks, self.tables.iter().map(|table| table.image).collect())
    }
}

/// Keeps something as JSON.
pub(super) fn keep<T: Serialize>(store: &mut SnapshotStore, thing: &T) -> Result<ChunkId> {
    let json = serde_json::to_vec(thing).map_err(|error| damaged(store, &error.to_string()))?;
    store.keep_chunk(&json)
}

fn read<T: serde::de::DeserializeOwned>(store: &mut SnapshotStore, chunk: ChunkId) -> Result<T> {
    let json = store.chunk(chunk)?;
    serde_json::from_slice(&json).map_err(|error| damaged(store, &error.to_string()))
}

pub(super) fn damaged(store: &SnapshotStore, what: &str) -> Error {
    Error::SnapshotStoreDamaged {
        path: store.path().to_owned(),
        what: format!("a database's record: {what}"),
    }
}
