//! What two snapshots hold, as far as it may differ.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::error::Result;
use crate::folder::read_chunks;
use crate::manifest::{Content, DatabaseRecord, Entry, Manifest, Node, PartRecord};
use crate::snapshot_store::{ChunkId, SnapshotStore, TreeId};

/// One item of a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    Folder { mode: u32 },
    File { mode: u32, size: u64, content: Content },
    Link { target: String },
    Database(DatabaseRecord),
}

/// Items by their path, as the snapshot names it.
pub(super) type Contents = BTreeMap<String, Item>;

impl Item {
    /// What it is called.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Item::Folder { .. } => "folder",
            Item::File { .. } => "file",
            Item::Link { .. } => "link",
            Item::Database(_) => "database",
        }
    }

    /// Whether nothing but the file's owner or time may differ.
    pub(super) fn is_like(&self, other: &Item) -> bool {
        match (self, other) {
            (Item::Database(a), Item::Database(b)) => match (a, b) {
                (DatabaseRecord::Pages(a), DatabaseRecord::Pages(b)) => a.tree == b.tree,
                (DatabaseRecord::Pages(_), _) | (_, DatabaseRecord::Pages(_)) => false,
                (DatabaseRecord::Absent, DatabaseRecord::Absent) => true,
                (DatabaseRecord::Empty(_), DatabaseRecord::Empty(_)) => true,
                _ => false,
            },
            (a, b) => a == b,
        }
    }
}

/// The items of both snapshots, without most of what they have in common.
pub(super) fn contents(
    store: &mut SnapshotStore,
    expected: &str,
    actual: &str,
) -> Result<(Contents, Contents)> {
    let (expected, actual) = (store.manifest(expected)?, store.manifest(actual)?);
    let (mut was, mut is) = (Contents::new(), Contents::new());
    let listed = |manifest: &Manifest| -> Vec<(String, TreeId)> {
        let listing = |part: &crate::manifest::LabelledRecord| match &part.record {
            PartRecord::Folder { listing } => listing.map(|tree| (shown(&part.label.to_path_buf()), tree)),
            PartRecord::Sqlite(_) | PartRecord::Server(_) | PartRecord::Hook { .. } => None,
        };
        manifest.parts.iter().filter_map(listing).collect()
    };
    let (listed_was, listed_is) = (listed(&expected), listed(&actual));
    for (label, tree) in &listed_was {
        let other = listed_is.iter().find(|(other, _)| other == label).map(|(_, tree)| *tree);
        was.extend(entries(store, label, *tree, other)?);
    }
    for (label, tree) in &listed_is {
        let other = listed_was.iter().find(|(other, _)| other == label).map(|(_, tree)| *tree);
        is.extend(entries(store, label, *tree, other)?);
    }
    for (manifest, contents) in [(expected, &mut was), (actual, &mut is)] {
        for part in manifest.parts {
            if let PartRecord::Sqlite(record) = part.record
                && record != DatabaseRecord::Absent
            {
                contents.insert(shown(&part.label.to_path_buf()), Item::Database(record));
            }
        }
    }
    Ok((was, is))
}

/// The entries of a listing, without the chunks of it that the other one has too.
fn entries(store: &mut SnapshotStore, label: &str, tree: TreeId, other: Option<TreeId>) -> Result<Contents> {
    if other == Some(tree) {
        return Ok(Contents::new());
    }
    let common: HashSet<ChunkId> = match other {
        Some(other) => store.chunks(other)?.into_iter().collect(),
        None => HashSet::new(),
    };
    let own: Vec<ChunkId> = store.chunks(tree)?.into_iter().filter(|c| !common.contains(c)).collect();
    let entry = |entry: Entry| {
        let below = entry.path.to_path_buf();
        (shown(&Path::new(label).join(below)), item(entry.node))
    };
    Ok(read_chunks(store, own)?.into_iter().map(entry).collect())
}

fn item(node: Node) -> Item {
    match node {
        Node::Directory { attributes } => Item::Folder { mode: attributes.mode },
        Node::File { attributes, size, content, .. } => Item::File { mode: attributes.mode, size, content },
        Node::Symlink { target, .. } => Item::Link { target: shown(&target.to_path_buf()) },
        Node::Database(record) => Item::Database(record),
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().trim_end_matches('/').to_owned()
}
