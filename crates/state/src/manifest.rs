//! What a snapshot is made of, as written in the snapshot store (JSON, compressed).
//!
//! A [`Manifest`] lists its parts; each part has a label, by which a restore finds the configured part it
//! belongs to, and a record. A new kind of part is a new variant of [`PartRecord`].

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::attributes::Attributes;
use crate::server::ServerRecord;
use crate::snapshot_store::{ChunkId, TreeId};

/// The parts of one snapshot, in the order they are restored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) parts: Vec<LabelledRecord>,
}

/// One part's record and the name it goes by.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LabelledRecord {
    pub(crate) label: RawPath,
    pub(crate) record: PartRecord,
}

/// What is known of one part, by kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PartRecord {
    /// A folder: its listing, or none when it was absent.
    Folder { listing: Option<TreeId> },
    /// A SQLite file.
    Sqlite(DatabaseRecord),
    /// A database on a server.
    Server(ServerRecord),
    /// What a hook saved: the name under which it keeps it.
    Hook { name: String },
}

impl PartRecord {
    pub(crate) fn kind(&self) -> &str {
        match self {
            PartRecord::Folder { .. } => "folder",
            PartRecord::Sqlite(_) => "sqlite",
            PartRecord::Server(server) => &server.kind,
            PartRecord::Hook { .. } => "hook",
        }
    }

    pub(crate) fn is_absent_database(&self) -> bool {
        matches!(self, PartRecord::Sqlite(DatabaseRecord::Absent))
    }
}

/// A SQLite file as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DatabaseRecord {
    /// There was no file.
    Absent,
    /// The file was empty: opened by the application, nothing written yet.
    Empty(Attributes),
    /// There were pages.
    Pages(Pages),
}

/// The pages of a SQLite file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pages {
    pub(crate) attributes: Attributes,
    pub(crate) page_size: u32,
    pub(crate) count: u32,
    /// The pages' chunks, page 1 normalised (`sqlite::header`).
    pub(crate) tree: TreeId,
    /// Whether it was in WAL mode: only for making a vanished file anew.
    pub(crate) wal: bool,
    /// Hash of the schema, when it could be read.
    pub(crate) schema: Option<String>,
}

/// One thing in a folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Relative to the folder; empty for the folder itself.
    pub(crate) path: RawPath,
    pub(crate) node: Node,
}

/// What a thing in a folder is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Node {
    Directory { attributes: Attributes },
    File { attributes: Attributes, modified: Modified, size: u64, content: Content },
    Symlink { attributes: Attributes, modified: Modified, target: RawPath },
    Database(DatabaseRecord),
}

/// A modification time: seconds and nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Modified(pub(crate) i64, pub(crate) i64);

/// Where a file's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Content {
    Empty,
    /// A file of one chunk, as most are.
    Chunk(ChunkId),
    Tree(TreeId),
}

/// A path of arbitrary bytes: text where it is UTF-8, else a list of bytes, so that JSON loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum RawPath {
    Text(String),
    Bytes(Vec<u8>),
}

impl RawPath {
    pub(crate) fn to_path_buf(&self) -> PathBuf {
        match self {
            RawPath::Text(text) => PathBuf::from(text),
            RawPath::Bytes(bytes) => PathBuf::from(OsString::from_vec(bytes.clone())),
        }
    }
}

impl From<&Path> for RawPath {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => RawPath::Text(text.to_owned()),
            None => RawPath::Bytes(path.as_os_str().as_bytes().to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_any_bytes_survives_json() {
        for bytes in [&b"plain"[..], b"", b"sp ace/\xc3\xbc", b"bad\xff\xfe/name\n"] {
            let path = PathBuf::from(OsString::from_vec(bytes.to_vec()));
            let json = serde_json::to_string(&RawPath::from(path.as_path())).unwrap();
            let back: RawPath = serde_json::from_str(&json).unwrap();
            assert_eq!(back.to_path_buf(), path);
        }
    }
}
