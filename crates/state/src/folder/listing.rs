//! The entries of a saved folder, in chunks.
//!
//! The list is cut after entries whose path's hash says so, about every 64th: a cut does not depend on
//! what comes before it, so a file added or changed alters one chunk of the list and no other.

use crate::depot::{ChunkId, Depot, TreeId, TreeWriter};
use crate::error::{Error, Result};
use crate::manifest::{Entry, RawPath};

pub(crate) fn write_listing(depot: &mut Depot, entries: &[Entry]) -> Result<TreeId> {
    let mut tree = TreeWriter::default();
    for run in entries.chunk_by(|entry, _| !ends_chunk(&entry.path)) {
        let json = serde_json::to_vec(run).map_err(|error| damaged(depot, error))?;
        let chunk = depot.keep_chunk(&json)?;
        tree.push(depot, chunk)?;
    }
    tree.finish(depot)
}

pub(crate) fn read_listing(depot: &mut Depot, tree: TreeId) -> Result<Vec<Entry>> {
    let chunks = depot.chunks(tree)?;
    read_chunks(depot, chunks)
}

/// The entries in some of a listing's chunks.
pub(crate) fn read_chunks(depot: &mut Depot, chunks: Vec<ChunkId>) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for chunk in chunks {
        let json = depot.chunk(chunk)?;
        let run: Vec<Entry> = serde_json::from_slice(&json).map_err(|error| damaged(depot, error))?;
        entries.extend(run);
    }
    Ok(entries)
}

fn ends_chunk(path: &RawPath) -> bool {
    let path = path.to_path_buf();
    blake3::hash(path.as_os_str().as_encoded_bytes()).as_bytes()[0] & 63 == 0
}

fn damaged(depot: &Depot, error: serde_json::Error) -> Error {
    Error::DepotDamaged { path: depot.path().to_owned(), what: format!("a folder's listing: {error}") }
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
        let mut depot = Depot::open(&folder.path().join("depot.db")).unwrap();
        let attributes = Attributes { mode: 0o755, uid: 0, gid: 0 };
        let entry =
            |name: &str| Entry { path: RawPath::from(Path::new(name)), node: Node::Directory { attributes } };
        let mut entries: Vec<_> = (0..1000).map(|number| entry(&format!("{number:04}"))).collect();
        let tree = depot.write(|depot| write_listing(depot, &entries)).unwrap();
        assert!(depot.stored_chunks() > 3);
        assert_eq!(read_listing(&mut depot, tree).unwrap(), entries);
        entries.insert(500, entry("0499b"));
        let tree = depot.write(|depot| write_listing(depot, &entries)).unwrap();
        assert!((1..=2).contains(&depot.stored_chunks()));
        assert_eq!(read_listing(&mut depot, tree).unwrap(), entries);
    }
}
