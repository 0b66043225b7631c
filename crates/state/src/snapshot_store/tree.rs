//! Contents of many chunks: leaves of 256 chunk ids under a root of leaf ids, both kept once.

use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};

use super::{ChunkId, SnapshotStore};
use crate::error::Result;

/// A list of chunks in this snapshot store; equal lists have equal ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct TreeId(pub(super) i64);

const LEAF: usize = 256;

/// Collects chunks, in order, into a tree.
#[derive(Default)]
pub(crate) struct TreeWriter {
    chunks: Vec<i64>,
    leaves: Vec<i64>,
}

impl TreeWriter {
    pub(crate) fn push(&mut self, store: &mut SnapshotStore, chunk: ChunkId) -> Result<()> {
        self.chunks.push(chunk.0);
        if self.chunks.len() == LEAF {
            self.close_leaf(store)?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, store: &mut SnapshotStore) -> Result<TreeId> {
        if !self.chunks.is_empty() {
            self.close_leaf(store)?;
        }
        store.keep_ids(&TREE, &self.leaves).map(TreeId)
    }

    fn close_leaf(&mut self, store: &mut SnapshotStore) -> Result<()> {
        self.leaves.push(store.keep_ids(&LEAVES, &self.chunks)?);
        self.chunks.clear();
        Ok(())
    }
}

/// The statements of one of the two levels.
pub(super) struct Level {
    name: &'static str,
    find: &'static str,
    insert: &'static str,
    load: &'static str,
}

pub(super) const LEAVES: Level = Level {
    name: "leaf",
    find: "SELECT id FROM leaf WHERE hash = ?1",
    insert: "INSERT INTO leaf(hash, chunks) VALUES (?1, ?2)",
    load: "SELECT chunks FROM leaf WHERE id = ?1",
};
pub(super) const TREE: Level = Level {
    name: "tree",
    find: "SELECT id FROM tree WHERE hash = ?1",
    insert: "INSERT INTO tree(hash, leaves) VALUES (?1, ?2)",
    load: "SELECT leaves FROM tree WHERE id = ?1",
};

impl SnapshotStore {
    /// All chunks of a tree, in order.
    pub(crate) fn chunks(&mut self, tree: TreeId) -> Result<Vec<ChunkId>> {
        let leaves = self.ids(&TREE, tree.0)?;
        let mut chunks = Vec::with_capacity(leaves.len() * LEAF);
        for leaf in leaves {
            chunks.extend(self.ids(&LEAVES, leaf)?.into_iter().map(ChunkId));
        }
        Ok(chunks)
    }

    /// Whether all of these are still there: ids are never given twice.
    pub(crate) fn has_all(&mut self, chunks: &[ChunkId], trees: &[TreeId]) -> Result<bool> {
        let chunks = chunks.iter().map(|id| ("SELECT 1 FROM chunk WHERE id = ?1", id.0));
        let trees = trees.iter().map(|id| ("SELECT 1 FROM tree WHERE id = ?1", id.0));
        for (sql, id) in chunks.chain(trees) {
            let there = self.connection.prepare_cached(sql).and_then(|mut select| select.exists([id]));
            if !there.map_err(self.fail())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The ids under one node of the tree.
    pub(super) fn ids(&mut self, level: &Level, id: i64) -> Result<Vec<i64>> {
        let packed = self
            .connection
            .prepare_cached(level.load)
            .and_then(|mut select| select.query_row([id], |row| row.get::<_, Vec<u8>>(0)).optional())
            .map_err(self.fail())?;
        let packed = packed.ok_or_else(|| self.damaged(format!("{} {id} is missing", level.name)))?;
        let bytes = self.packer.unpack(&packed).filter(|bytes| bytes.len() % 8 == 0);
        let bytes =
            bytes.ok_or_else(|| self.damaged(format!("{} {id} is not what was stored", level.name)))?;
        Ok(bytes.as_chunks().0.iter().map(|eight| i64::from_le_bytes(*eight)).collect())
    }

    fn keep_ids(&mut self, level: &Level, ids: &[i64]) -> Result<i64> {
        let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
        let hash = *blake3::hash(&bytes).as_bytes();
        let found = self
            .connection
            .prepare_cached(level.find)
            .and_then(|mut select| select.query_row([&hash], |row| row.get(0)).optional())
            .map_err(self.fail())?;
        if let Some(id) = found {
            return Ok(id);
        }
        let packed = self.packer.pack(&bytes);
        self.connection
            .prepare_cached(level.insert)
            .and_then(|mut insert| insert.execute((&hash, &packed)))
            .map_err(self.fail())?;
        self.stored_bytes += packed.len() as u64;
        Ok(self.connection.last_insert_rowid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_share_their_tree_and_leaves() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SnapshotStore::open(&folder.path().join("store.db")).unwrap();
        let build = |store: &mut SnapshotStore, numbers: &[u32]| {
            let mut tree = TreeWriter::default();
            let mut chunks = Vec::new();
            for number in numbers {
                let chunk = store.keep_chunk(&number.to_le_bytes())?;
                tree.push(store, chunk)?;
                chunks.push(chunk);
            }
            let tree = tree.finish(store)?;
            assert_eq!(store.chunks(tree)?, chunks);
            Ok(tree)
        };
        let mut numbers: Vec<u32> = (0..1000).collect();
        let first = store.write(|store| build(store, &numbers)).unwrap();
        assert_eq!(store.write(|store| build(store, &numbers)).unwrap(), first);
        assert_eq!(store.stored_bytes(), 0);
        numbers[500] = 7777;
        assert_ne!(store.write(|store| build(store, &numbers)).unwrap(), first);
        assert_eq!(store.stored_chunks(), 1);
        let leaves: i64 =
            store.connection.query_row("SELECT count(*) FROM leaf", [], |row| row.get(0)).unwrap();
        assert_eq!(leaves, 4 + 1);
        store.write(|store| build(store, &[])).unwrap();
    }
}
