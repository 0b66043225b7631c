//! The entries of a saved folder, in chunks.
//!
//! The list is cut after entries whose path's hash says so, about every 64th: a cut does not depend on
//! what comes before it, so a file added or changed alters one chunk of the list and no other.

use crate::error::{Error, Result};
use crate::manifest::{Entry, RawPath};
use crate::snapshot_store::{ChunkId, SnapshotStore, TreeId, TreeWriter};

pub(crate) fn write_listing(store: &mut SnapshotStore, entries: &[Entry]) -> Result<TreeId> {
    let mut tree = TreeWriter::default();
    for run in entries.chunk_by(|entry, _| !ends_chunk(&entry.path)) {
        let json = serde_json::to_vec(run).map_err(|error| damaged(store, error))?;
        let chunk = store.keep_chunk(&json)?;
        tree.push(store, chunk)?;
    }
    tree.finish(store)
}

pub(crate) fn read_listing(store: &mut SnapshotStore, tree: TreeId) -> Result<Vec<Entry>> {
    let chunks = store.chunks(tree)?;
    read_chunks(store, chunks)
}

/// The entries in some of a listing's chunks.
pub(crate) fn read_chunks(store: &mut SnapshotStore, chunks: Vec<ChunkId>) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for chunk in chunks {
        let json = store.chunk(chunk)?;
        let run: Vec<Entry> = serde_json::from_slice(&json).map_err(|error| damaged(store, error))?;
        entries.extend(run);
    }
    Ok(entries)
}

fn ends_chunk(path: &RawPath) -> bool {
    let path = path.to_path_buf();
    blake3::hash(path.as_os_str().as_encoded_bytes()).as_bytes()[0] & 63 == 0
}

fn damaged(store: &SnapshotStore, error: serde_json::Error) -> Error {
    Error::SnapshotStoreDamaged {
        path: store.path().to_owned(),
        what: format!("a folder's listing: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::attributes::Attributes;
    use crate::manifest::Node;

    #[test]
    fn one_new_entry_changes_one_chunk() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SnapshotStore::open(&folder.path().join("store.db")).unwrap();
        let attributes = Attributes { mode: 0o755, uid: 0, gid: 0 };
        let entry =
            |name: &str| Entry { path: RawPath::from(Path::new(name)), node: Node::Directory { attributes } };
        let mut entries: Vec<_> = (0..1000).map(|number| entry(&format!("{number:04}"))).collect();
        let tree = store.write(|store| write_listing(store, &entries)).unwrap();
        assert!(store.stored_chunks() > 3);
        assert_eq!(read_listing(&mut store, tree).unwrap(), entries);
        entries.insert(500, entry("0499b"));
        let tree = store.write(|store| write_listing(store, &entries)).unwrap();
        assert!((1..=2).contains(&store.stored_chunks()));
        assert_eq!(read_listing(&mut store, tree).unwrap(), entries);
    }
}
