//! A database file from its pages, where the application has none; and removing one with its companions.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::header;
use crate::error::{Error, Result};
use crate::manifest::Pages;
use crate::snapshot_store::SnapshotStore;

/// What SQLite keeps beside a database.
const SIBLINGS: [&str; 3] = ["-journal", "-wal", "-shm"];

/// The paths of what SQLite keeps beside `path`.
pub(crate) fn sibling_paths(path: &Path) -> impl Iterator<Item = PathBuf> {
    let path = path.to_owned();
    SIBLINGS.into_iter().map(move |suffix| {
        let mut name = OsString::from(&path);
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// Writes the snapshot's pages to `path`, which must not exist. The file appears whole or not at all; left
/// over journals of a former file go first, lest SQLite applies them.
pub(super) fn rebuild(path: &Path, store: &mut SnapshotStore, snapshot: &Pages) -> Result<()> {
    for sibling in sibling_paths(path) {
        remove(&sibling)?;
    }
    let parent = path.parent().unwrap_or(Path::new("/"));
    let file = tempfile::Builder::new()
        .prefix(".restage-")
        .tempfile_in(parent)
        .map_err(Error::io("make a file in", parent))?;
    write_pages(file.as_file(), path, store, snapshot, snapshot.wal)?;
    snapshot.attributes.put(file.path())?;
    file.persist(path).map_err(|failed| Error::io("make", path)(failed.error))?;
    Ok(())
}

/// The snapshot's pages as a file's bytes.
pub(super) fn write_pages(
    file: &File,
    path: &Path,
    store: &mut SnapshotStore,
    snapshot: &Pages,
    wal: bool,
) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    for (index, chunk) in store.chunks(snapshot.tree)?.into_iter().enumerate() {
        let mut page = store.chunk(chunk)?;
        if index == 0 {
            header::begin(&mut page, wal);
        }
        out.write_all(&page).map_err(Error::io("write", path))?;
    }
    out.flush().map_err(Error::io("write", path))
}

/// An empty file, as SQLite makes one when it opens a database that is not there.
pub(super) fn create_empty(path: &Path) -> Result<()> {
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(Error::io("make", path))?;
    Ok(())
}

/// Removes a database and what is beside it; returns how many files there were.
pub(super) fn remove_with_siblings(path: &Path) -> Result<u64> {
    let mut removed = u64::from(remove(path)?);
    for sibling in sibling_paths(path) {
        removed += u64::from(remove(&sibling)?);
    }
    Ok(removed)
}

fn remove(path: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(source) if source.kind() == ErrorKind::NotFound => Ok(false),
        Err(source) => Err(Error::io("remove", path)(source)),
    }
}
