//! What two snapshots hold, as far as it may differ.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::depot::{ChunkId, Depot, TreeId};
use crate::error::Result;
use crate::folder::read_chunks;
use crate::manifest::{Content, DatabaseRecord, Entry, Manifest, Node, PartRecord};

/// One thing of a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Thing {
    Folder { mode: u32 },
    File { mode: u32, size: u64, content: Content },
    Link { target: String },
    Database(DatabaseRecord),
}

/// Things by their path, as the snapshot names it.
pub(super) type Things = BTreeMap<String, Thing>;

impl Thing {
    /// What it is called.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Thing::Folder { .. } => "folder",
            Thing::File { .. } => "file",
            Thing::Link { .. } => "link",
            Thing::Database(_) => "database",
        }
    }

    /// Whether nothing but the file's owner or time may differ.
    pub(super) fn is_like(&self, other: &Thing) -> bool {
        match (self, other) {
            (Thing::Database(a), Thing::Database(b)) => match (a, b) {
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

/// The things of both snapshots, without most of what they have in common.
pub(super) fn things(depot: &mut Depot, expected: &str, actual: &str) -> Result<(Things, Things)> {
    let (expected, actual) = (depot.manifest(expected)?, depot.manifest(actual)?);
    let (mut was, mut is) = (Things::new(), Things::new());
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
        was.extend(entries(depot, label, *tree, other)?);
    }
    for (label, tree) in &listed_is {
        let other = listed_was.iter().find(|(other, _)| other == label).map(|(_, tree)| *tree);
        is.extend(entries(depot, label, *tree, other)?);
    }
    for (manifest, things) in [(expected, &mut was), (actual, &mut is)] {
        for part in manifest.parts {
            if let PartRecord::Sqlite(record) = part.record
                && record != DatabaseRecord::Absent
            {
                things.insert(shown(&part.label.to_path_buf()), Thing::Database(record));
            }
        }
    }
    Ok((was, is))
}

/// The entries of a listing, without the chunks of it that the other one has too.
fn entries(depot: &mut Depot, label: &str, tree: TreeId, other: Option<TreeId>) -> Result<Things> {
    if other == Some(tree) {
        return Ok(Things::new());
    }
    let common: HashSet<ChunkId> = match other {
        Some(other) => depot.chunks(other)?.into_iter().collect(),
        None => HashSet::new(),
    };
    let own: Vec<ChunkId> = depot.chunks(tree)?.into_iter().filter(|c| !common.contains(c)).collect();
    let entry = |entry: Entry| {
        let below = entry.path.to_path_buf();
        (shown(&Path::new(label).join(below)), thing(entry.node))
    };
    Ok(read_chunks(depot, own)?.into_iter().map(entry).collect())
}

fn thing(node: Node) -> Thing {
    match node {
        Node::Directory { attributes } => Thing::Folder { mode: attributes.mode },
        Node::File { attributes, size, content, .. } => Thing::File { mode: attributes.mode, size, content },
        Node::Symlink { target, .. } => Thing::Link { target: shown(&target.to_path_buf()) },
        Node::Database(record) => Thing::Database(record),
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().trim_end_matches('/').to_owned()
}
