//! A project's lock: a file that one process has locked. The kernel lets go of it when that process ends, however it ends; what is
//! written in it only says who it is.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::holder::Holder;
use crate::error::{Error, Result};

/// The file's name in restage's own folder.
const NAME: &str = "lock";

/// The project's lock, held.
#[derive(Debug)]
pub(super) struct LockFile(File);

impl LockFile {
    /// Takes the lock, or says who has it: none where that process has only just taken it.
    pub(super) fn take(own_folder: &Path, me: &Holder) -> Result<Result<Self, Option<Holder>>> {
        let path = own_folder.join(NAME);
        let failed = |source| Error::io("lock the project by", &path)(source);
        let opened =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        let mut file = opened.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Err(Self::holder(own_folder))),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let said = serde_json::to_string(me).unwrap_or_default();
        file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
        file.write_all(said.as_bytes()).map_err(failed)?;
        Ok(Ok(Self(file)))
    }

    /// The living process that has the lock, by what the file says. Nothing is locked, so that looking disturbs nobody.
    pub(super) fn holder(own_folder: &Path) -> Option<Holder> {
        let mut text = String::new();
        File::open(own_folder.join(NAME)).ok()?.read_to_string(&mut text).ok()?;
        serde_json::from_str::<Holder>(&text).ok().filter(Holder::is_alive)
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // The file stays: another process may be waiting with it open. It names nobody any more.
        let _ = self.0.set_len(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a lock that two have, one that outlives its holder, or one that does not say whose it is.
    #[test]
    fn one_has_it_at_a_time_and_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let me = Holder::this_process("restage test", folder.path(), Path::new("s"));
        let held = LockFile::take(folder.path(), &me).unwrap().unwrap();
        assert_eq!(LockFile::holder(folder.path()), Some(me.clone()));
        assert_eq!(LockFile::take(folder.path(), &me).unwrap().unwrap_err(), Some(me.clone()));
        drop(held);
        assert_eq!(LockFile::holder(folder.path()), None);
        assert!(LockFile::take(folder.path(), &me).unwrap().is_ok());
    }
}
