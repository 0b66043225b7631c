//! What a folder holds now: a sorted walk that follows no links.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use walkdir::WalkDir;

use crate::error::{Error, Result};
use crate::sqlite::{is_database, sibling_paths};

/// One thing found in a folder.
pub(super) struct Found {
    /// Relative to the folder; empty for the folder itself.
    pub(super) path: PathBuf,
    pub(super) metadata: Metadata,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Directory,
    File,
    Symlink,
    Database,
    /// A socket, pipe or device: not saved, and left alone.
    Special,
}

/// Everything in the folder `root`, parents before children, or none when there is no such folder.
/// `known` tells of files of which it is known whether they are databases.
pub(super) fn scan(
    root: &Path,
    excluded: &HashSet<PathBuf>,
    patience: Duration,
    known: &dyn Fn(&Path, &Metadata) -> Option<bool>,
) -> Result<Option<Vec<Found>>> {
    match fs::metadata(root) {
        Err(source) if source.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(Error::io("examine", root)(source)),
        Ok(metadata) if !metadata.is_dir() => return Err(Error::NotAFolder { path: root.to_owned() }),
        Ok(_) => {}
    }
    let mut all = Vec::new();
    let mut beside_databases = HashSet::new();
    let walk = WalkDir::new(root).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| !excluded.contains(entry.path())) {
        let Some((path, metadata)) = examine(root, entry)? else { continue };
        let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
        let kind = if metadata.is_dir() {
            Kind::Directory
        } else if metadata.is_symlink() {
            Kind::Symlink
        } else if !metadata.is_file() {
            Kind::Special
        } else if known(&relative, &metadata)
            .map_or_else(|| is_database(&path, metadata.len(), patience), Ok)?
        {
            beside_databases.extend(sibling_paths(&relative));
            Kind::Database
        } else {
            Kind::File
        };
        all.push(Found { path: relative, metadata, kind });
    }
    all.retain(|found| !beside_databases.contains(&found.path));
    Ok(Some(all))
}

/// An entry with its metadata; none for what vanished while we walked.
fn examine(root: &Path, entry: walkdir::Result<walkdir::DirEntry>) -> Result<Option<(PathBuf, Metadata)>> {
    let examined = entry.and_then(|entry| {
        // A root that is a link stands for the folder it names; other links stand for themselves.
        let metadata =
            if entry.depth() == 0 { fs::metadata(entry.path()).ok() } else { Some(entry.metadata()?) };
        Ok(metadata.map(|metadata| (entry.into_path(), metadata)))
    });
    match examined {
        Ok(examined) => Ok(examined),
        Err(error) if error.io_error().is_some_and(|source| source.kind() == ErrorKind::NotFound) => Ok(None),
        Err(error) => {
            let path = error.path().unwrap_or(root).to_owned();
            Err(Error::io("read", &path)(error.into()))
        }
    }
}
