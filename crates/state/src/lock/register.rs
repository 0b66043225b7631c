//! What each running restage of this user works on: one file each, locked by its process while that lives.
//!
//! Two projects may name the same folder, or one inside another's. A lock on the folder itself would be lost when a restore
//! removes and makes it anew, and could be one that the application takes itself; so it is written down by path, elsewhere.
//! A process that is killed leaves its file, which is then locked by nobody: the project that it names may have a state to
//! put back ([`Abandoned`]), which whoever comes next to the same folder or database has to know.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::holder::Holder;
use crate::error::{Error, Result};

/// Names another folder for the register: for tests, and for containers that share a state.
const FOLDER: &str = "RESTAGE_LOCKS";
/// Where the register is by default, in the first of these that is there. It outlives a restart of the machine.
const PLACES: [&str; 2] = ["/var/tmp", "/tmp"];
/// The file that is locked while the others are looked at.
const GUARD: &str = "guard";

/// What a process works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    holder: Holder,
    used: Vec<Used>,
}

/// Something that one process at a time may work on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Used {
    /// A folder or a SQLite file, by its path without links and dots.
    Path(PathBuf),
    /// A database on a server, by what the server says it is.
    Database(String),
}

impl Used {
    /// Whether both cannot be worked on at once: they are the same, or one is inside the other.
    fn meets(&self, other: &Used) -> bool {
        match (self, other) {
            (Used::Path(one), Used::Path(other)) => one.starts_with(other) || other.starts_with(one),
            (one, other) => one == other,
        }
    }
}

/// A project whose process was killed while it worked on what another is about to work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abandoned {
    /// The process that was killed.
    pub holder: Holder,
    file: PathBuf,
}

impl Abandoned {
    /// Forgets it: the state is as it should be.
    pub fn forget(&self) {
        // It is found again where this fails, and nothing is put back then.
        let _ = fs::remove_file(&self.file);
    }
}

/// What this process works on, written down.
#[derive(Debug)]
pub(super) struct Registered {
    file: File,
    path: PathBuf,
    /// What killed processes of this project left behind.
    pub(super) own: Vec<Abandoned>,
}

/// What came of an attempt to be registered.
pub(super) enum Registration {
    Done(Registered),
    /// Another process works on the same.
    Busy(Holder),
    /// Killed processes of other projects did.
    Abandoned(Vec<Abandoned>),
}

impl Registered {
    pub(super) fn attempt(me: &Holder, used: &[Used]) -> Result<Registration> {
        let folder = folder()?;
        let guard = folder.join(GUARD);
        let opened = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&guard);
        let guard_file = opened.map_err(Error::io("open", &guard))?;
        guard_file.lock().map_err(Error::io("lock", &guard))?;
        let mut own = Vec::new();
        let mut others = Vec::new();
        for found in fs::read_dir(&folder).map_err(Error::io("list", &folder))?.flatten() {
            let path = found.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let Some((entry, alive)) = read(&path) else { continue };
            if !alive && !entry.holder.project.is_dir() {
                // There is nothing left to put back from.
                let _ = fs::remove_file(&path);
                continue;
            }
            if entry.holder.project == me.project && entry.holder.store == me.store {
                if !alive {
                    own.push(Abandoned { holder: entry.holder, file: path });
                }
            } else if entry.used.iter().any(|theirs| used.iter().any(|mine| mine.meets(theirs))) {
                if alive {
                    return Ok(Registration::Busy(entry.holder));
                }
                others.push(Abandoned { holder: entry.holder, file: path });
            }
        }
        if !others.is_empty() {
            return Ok(Registration::Abandoned(others));
        }
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}-{count}-{}.json", me.pid, me.since));
        let failed = |source| Error::io("write", &path)(source);
        let mut file =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(failed)?;
        file.lock().map_err(failed)?;
        let entry = Entry { holder: me.clone(), used: used.to_vec() };
        let text = serde_json::to_string(&entry).unwrap_or_default();
        // On the disk before the first byte of the state is changed.
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
        Ok(Registration::Done(Self { file, path, own }))
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // Whoever has it open already finds it empty: it tells of nothing any more.
        let _ = self.file.set_len(0);
        let _ = fs::remove_file(&self.path);
    }
}

/// What an entry says, and whether its process lives; none for one that says nothing, which is removed.
fn read(path: &Path) -> Option<(Entry, bool)> {
    let mut file = File::open(path).ok()?;
    let alive = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    match serde_json::from_str::<Entry>(&text) {
        Ok(entry) => Some((entry, alive)),
        Err(_) => {
            if !alive {
                // It was killed before it had written, so before it had changed anything.
                let _ = fs::remove_file(path);
            }
            None
        }
    }
}

/// The register's folder, which is this user's alone.
fn folder() -> Result<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let folder = match std::env::var_os(FOLDER).filter(|named| !named.is_empty()) {
        Some(named) => PathBuf::from(named),
        None => {
            let there = PLACES.iter().map(Path::new).find(|place| place.is_dir());
            there.unwrap_or(Path::new("/tmp")).join(format!("restage-{user}"))
        }
    };
    match fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(source) if source.kind() != ErrorKind::AlreadyExists => {
            return Err(Error::LockFolder { path: folder, what: source.to_string() });
        }
        _ => {}
    }
    let found = fs::symlink_metadata(&folder).map_err(Error::io("look at", &folder))?;
    if !found.is_dir() || found.uid() != user {
        return Err(Error::LockFolder { path: folder, what: "it is not this user's own folder".to_owned() });
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a folder inside another project's folder that is taken for another one.
    #[test]
    fn what_lies_inside_is_the_same() {
        let path = |path: &str| Used::Path(path.into());
        assert!(path("/data").meets(&path("/data/sub/x.db")));
        assert!(path("/data/sub/x.db").meets(&path("/data")));
        assert!(path("/data/x.db").meets(&path("/data/x.db")));
        assert!(!path("/data").meets(&path("/database")));
        assert!(!path("/data").meets(&Used::Database("/data".to_owned())));
    }
}
