//! Freeing what no snapshot needs any more: mark from the manifests, sweep the rest, shrink the file.

use std::collections::HashSet;

use serde::Serialize;

use super::tree::{LEAVES, TREE};
use super::{ChunkId, SnapshotStore, TreeId};
use crate::error::Result;
use crate::folder::read_listing;
use crate::manifest::{Content, DatabaseRecord, Node, PartRecord};

/// What a collection freed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Freed {
    /// Chunks removed.
    pub chunks: u64,
    /// Their bytes, compressed.
    pub bytes: u64,
}

impl SnapshotStore {
    /// Removes every chunk that no snapshot refers to.
    pub fn collect_garbage(&mut self) -> Result<Freed> {
        let freed = self.write(|store| {
            let mut live = Live::default();
            for snapshot in store.snapshots()? {
                for part in store.manifest(&snapshot.name)?.parts {
                    live.mark_part(store, &part.record)?;
                }
            }
            let freed = store.sweep(&live)?;
            store.connection.execute("UPDATE collection SET count = count + 1", []).map_err(store.fail())?;
            Ok(freed)
        })?;
        self.forget();
        // Each step of this pragma frees one page, so it has to be run to its end.
        self.connection
            .prepare("PRAGMA incremental_vacuum")
            .and_then(|mut vacuum| {
                let mut rows = vacuum.query([])?;
                while rows.next()?.is_some() {}
                Ok(())
            })
            .map_err(self.fail())?;
        Ok(freed)
    }

    fn sweep(&mut self, live: &Live) -> Result<Freed> {
        let mut freed = Freed::default();
        for (table, ids) in [("chunk", &live.chunks), ("leaf", &live.leaves), ("tree", &live.trees)] {
            let all: Vec<i64> = self
                .connection
                .prepare(&format!("SELECT id FROM {table}"))
                .and_then(|mut select| select.query_map([], |row| row.get(0))?.collect())
                .map_err(self.fail())?;
            let data = if table == "chunk" { "length(data)" } else { "0" };
            let mut delete = self
                .connection
                .prepare(&format!("DELETE FROM {table} WHERE id = ?1 RETURNING {data}"))
                .map_err(self.fail())?;
            for id in all.into_iter().filter(|id| !ids.contains(id)) {
                freed.bytes += delete.query_row([id], |row| row.get::<_, u64>(0)).map_err(self.fail())?;
                freed.chunks += u64::from(table == "chunk");
            }
        }
        Ok(freed)
    }
}

/// The ids some snapshot needs.
#[derive(Default)]
struct Live {
    chunks: HashSet<i64>,
    leaves: HashSet<i64>,
    trees: HashSet<i64>,
    listings: HashSet<i64>,
}

impl Live {
    fn mark_part(&mut self, store: &mut SnapshotStore, record: &PartRecord) -> Result<()> {
        match record {
            PartRecord::Folder { listing: None } | PartRecord::Hook { .. } => {}
            PartRecord::Folder { listing: Some(listing) } => self.mark_listing(store, *listing)?,
            PartRecord::Sqlite(database) => self.mark_database(store, database)?,
            PartRecord::Server(server) => {
                let (chunks, trees) = server.refers_to();
                self.chunks.extend(chunks.into_iter().map(|chunk| chunk.0));
                for tree in trees {
                    self.mark_tree(store, tree)?;
                }
            }
        }
        Ok(())
    }

    fn mark_listing(&mut self, store: &mut SnapshotStore, listing: TreeId) -> Result<()> {
        if !self.listings.insert(listing.0) {
            return Ok(());
        }
        self.mark_tree(store, listing)?;
        for entry in read_listing(store, listing)? {
            match entry.node {
                Node::File { content, .. } => self.mark_content(store, content)?,
                Node::Database(database) => self.mark_database(store, &database)?,
                Node::Directory { .. } | Node::Symlink { .. } => {}
            }
        }
        Ok(())
    }

    fn mark_database(&mut self, store: &mut SnapshotStore, database: &DatabaseRecord) -> Result<()> {
        match database {
            DatabaseRecord::Pages(pages) => self.mark_tree(store, pages.tree),
            DatabaseRecord::Absent | DatabaseRecord::Empty(_) => Ok(()),
        }
    }

    fn mark_content(&mut self, store: &mut SnapshotStore, content: Content) -> Result<()> {
        match content {
            Content::Empty => {}
            Content::Chunk(ChunkId(id)) => {
                self.chunks.insert(id);
            }
            Content::Tree(tree) => self.mark_tree(store, tree)?,
        }
        Ok(())
    }

    fn mark_tree(&mut self, store: &mut SnapshotStore, tree: TreeId) -> Result<()> {
        if !self.trees.insert(tree.0) {
            return Ok(());
        }
        for leaf in store.ids(&TREE, tree.0)? {
            if self.leaves.insert(leaf) {
                self.chunks.extend(store.ids(&LEAVES, leaf)?);
            }
        }
        Ok(())
    }
}
