//! What an operation did: counts for people and for the tests that hold us to "only what changed".

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

/// What a save looked at and what it stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SaveReport {
    /// Parts saved.
    pub parts: usize,
    /// Files, links and folders seen.
    pub examined_files: u64,
    /// Database pages read; none for a database that is provably unchanged.
    pub examined_pages: u64,
    /// Size of the state.
    pub bytes: u64,
    /// Rows of databases on servers that were read.
    pub examined_rows: u64,
    /// Files whose content had to be read.
    pub read_files: u64,
    /// Database pages that were new to the snapshot store.
    pub stored_pages: u64,
    /// Chunks of files that were new to the snapshot store.
    pub stored_chunks: u64,
    /// Bytes the snapshot store grew by, compressed.
    pub stored_bytes: u64,
    /// How long it took.
    pub duration: Duration,
}

/// What a restore looked at and what it wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RestoreReport {
    /// Parts restored.
    pub parts: usize,
    /// Files, links and folders compared.
    pub examined_files: u64,
    /// Database pages compared; none for a database that is provably unchanged.
    pub examined_pages: u64,
    /// Files, links and folders created or changed, databases not counted.
    pub written_files: u64,
    /// Database pages written back.
    pub written_pages: u64,
    /// Rows of databases on servers written back or removed.
    pub written_rows: u64,
    /// Tables, views and the like of databases on servers made, altered or dropped.
    pub written_objects: u64,
    /// Bytes of content written back.
    pub written_bytes: u64,
    /// Files, links and folders removed.
    pub removed_files: u64,
    /// How long it took.
    pub duration: Duration,
}

/// One place where the state is not as in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Difference {
    /// The file, link, folder or database.
    pub path: PathBuf,
    /// In what way.
    pub kind: DifferenceKind,
}

/// In what way a path differs from the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceKind {
    /// It is there now and was not.
    Added,
    /// It was there and is no more.
    Removed,
    /// Its kind, content or permissions differ.
    Changed,
}
