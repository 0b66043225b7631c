//! Copying a snapshot: to another name, or out of another snapshot store.

use std::collections::HashMap;

use super::tree::TreeWriter;
use super::{ChunkId, SnapshotStore, TreeId};
use crate::error::{Error, Result};
use crate::folder::{read_listing, write_listing};
use crate::manifest::{Content, DatabaseRecord, LabelledRecord, Manifest, Node, Pages, PartRecord};
use crate::server::ServerRecord;

impl SnapshotStore {
    /// Keeps a snapshot under another name, too. Nothing but its name is stored.
    pub fn copy(&mut self, name: &str, copy: &str) -> Result<()> {
        self.write(|store| {
            if store.exists(copy)? {
                return Err(Error::SnapshotExists { name: copy.to_owned() });
            }
            let manifest = store.manifest(name)?;
            let size = store.size_of(name)?;
            let saved = (store.saved_at(name)?, store.clock_ahead(name)?);
            store.keep_manifest(copy, &manifest, size)?;
            store.set_saved_at(copy, saved)
        })
    }

    fn size_of(&self, name: &str) -> Result<u64> {
        let found = self.snapshots()?.into_iter().find(|snapshot| snapshot.name == name);
        Ok(found.map(|snapshot| snapshot.size).unwrap_or_default())
    }
}

/// Copies snapshots from one snapshot store to another. What the other has already is not written again, and what two
/// snapshots share is read once.
pub struct SnapshotCopier<'a> {
    from: &'a mut SnapshotStore,
    to: &'a mut SnapshotStore,
    chunks: HashMap<i64, ChunkId>,
    trees: HashMap<i64, TreeId>,
}

impl<'a> SnapshotCopier<'a> {
    /// From one snapshot store to another.
    pub fn new(from: &'a mut SnapshotStore, to: &'a mut SnapshotStore) -> Self {
        Self { from, to, chunks: HashMap::new(), trees: HashMap::new() }
    }

    /// Copies one snapshot. The name must be free.
    pub fn copy(&mut self, name: &str, copy: &str) -> Result<()> {
        if self.to.exists(copy)? {
            return Err(Error::SnapshotExists { name: copy.to_owned() });
        }
        let manifest = self.from.manifest(name)?;
        let size = self.from.size_of(name)?;
        let saved = (self.from.saved_at(name)?, self.from.clock_ahead(name)?);
        let Self { from, to, chunks, trees } = self;
        let copied = to.write(|to| {
            let mut work = Work { from, to, chunks, trees };
            let mut parts = Vec::with_capacity(manifest.parts.len());
            for LabelledRecord { label, record } in manifest.parts {
                parts.push(LabelledRecord { label, record: work.part(record)? });
            }
            to.keep_manifest(copy, &Manifest { parts }, size)?;
            to.set_saved_at(copy, saved)
        });
        if copied.is_err() {
            // What was written is undone.
            self.chunks.clear();
            self.trees.clear();
        }
        copied
    }
}

/// One snapshot being copied.
struct Work<'a> {
    from: &'a mut SnapshotStore,
    to: &'a mut SnapshotStore,
    chunks: &'a mut HashMap<i64, ChunkId>,
    trees: &'a mut HashMap<i64, TreeId>,
}

impl Work<'_> {
    fn part(&mut self, record: PartRecord) -> Result<PartRecord> {
        Ok(match record {
            PartRecord::Folder { listing } => {
                PartRecord::Folder { listing: listing.map(|listing| self.listing(listing)).transpose()? }
            }
            PartRecord::Sqlite(database) => PartRecord::Sqlite(self.database(database)?),
            PartRecord::Server(server) => PartRecord::Server(self.server(server)?),
            hook @ PartRecord::Hook { .. } => return Err(Error::NotCopied { kind: hook.kind().to_owned() }),
        })
    }

    fn server(&mut self, mut server: ServerRecord) -> Result<ServerRecord> {
        server.schema = self.chunk(server.schema)?;
        server.counters = self.chunk(server.counters)?;
        for table in &mut server.tables {
            table.image = self.tree(table.image)?;
            for delta in &mut table.deltas {
                *delta = self.chunk(*delta)?;
            }
        }
        Ok(server)
    }

    fn listing(&mut self, listing: TreeId) -> Result<TreeId> {
        let mut entries = read_listing(self.from, listing)?;
        for entry in &mut entries {
            match &mut entry.node {
                Node::File { content, .. } => *content = self.content(*content)?,
                Node::Database(database) => *database = self.database(database.clone())?,
                Node::Directory { .. } | Node::Symlink { .. } => {}
            }
        }
        write_listing(self.to, &entries)
    }

    fn database(&mut self, database: DatabaseRecord) -> Result<DatabaseRecord> {
        Ok(match database {
            DatabaseRecord::Pages(pages) => {
                let tree = self.tree(pages.tree)?;
                DatabaseRecord::Pages(Pages { tree, ..pages })
            }
            same => same,
        })
    }

    fn content(&mut self, content: Content) -> Result<Content> {
        Ok(match content {
            Content::Empty => Content::Empty,
            Content::Chunk(chunk) => Content::Chunk(self.chunk(chunk)?),
            Content::Tree(tree) => Content::Tree(self.tree(tree)?),
        })
    }

    fn tree(&mut self, tree: TreeId) -> Result<TreeId> {
        if let Some(copy) = self.trees.get(&tree.0) {
            return Ok(*copy);
        }
        let mut writer = TreeWriter::default();
        for chunk in self.from.chunks(tree)? {
            let copy = self.chunk(chunk)?;
            writer.push(self.to, copy)?;
        }
        let copy = writer.finish(self.to)?;
        self.trees.insert(tree.0, copy);
        Ok(copy)
    }

    fn chunk(&mut self, chunk: ChunkId) -> Result<ChunkId> {
        if let Some(copy) = self.chunks.get(&chunk.0) {
            return Ok(*copy);
        }
        let copy = self.to.keep_chunk(&self.from.chunk(chunk)?)?;
        self.chunks.insert(chunk.0, copy);
        Ok(copy)
    }
}
