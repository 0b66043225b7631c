//! Permissions, owners and times of files: read from the system, put back where they differ.

use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Gid, Timespec, Timestamps, UTIME_OMIT, Uid};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::manifest::Modified;

/// Permission bits and owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attributes {
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl Attributes {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self { mode: metadata.mode() & 0o7777, uid: metadata.uid(), gid: metadata.gid() }
    }

    /// Makes `path`, which is not a symbolic link, have these attributes; true when something changed.
    pub(crate) fn put(self, path: &Path) -> Result<bool> {
        let now = Self::of(&fs::symlink_metadata(path).map_err(Error::io("examine", path))?);
        let owner = self.put_owner(path, now)?;
        // A change of owner clears the set-user-id bits, so the mode comes after it.
        if owner || now.mode != self.mode {
            fs::set_permissions(path, fs::Permissions::from_mode(self.mode))
                .map_err(Error::io("set the permissions of", path))?;
        }
        Ok(owner || now.mode != self.mode)
    }

    /// The owner alone, as for a symbolic link; only root can give files away, others keep theirs.
    pub(crate) fn put_owner(self, path: &Path, now: Self) -> Result<bool> {
        if (now.uid, now.gid) == (self.uid, self.gid) || !rustix::process::geteuid().is_root() {
            return Ok(false);
        }
        rustix::fs::chownat(
            CWD,
            path,
            Some(Uid::from_raw(self.uid)),
            Some(Gid::from_raw(self.gid)),
            AtFlags::SYMLINK_NOFOLLOW,
        )
        .map_err(|source| Error::io("set the owner of", path)(source.into()))?;
        Ok(true)
    }

    /// Whether restoring these over `now` would change something.
    pub(crate) fn differ(self, now: Self) -> bool {
        self.mode != now.mode
            || (rustix::process::geteuid().is_root() && (self.uid, self.gid) != (now.uid, now.gid))
    }
}

impl Modified {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self(metadata.mtime(), metadata.mtime_nsec())
    }

    /// Sets the modification time of `path`, of a link itself where it is one.
    pub(crate) fn put(self, path: &Path) -> Result<()> {
        let times = Timestamps {
            last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT as _ },
            last_modification: Timespec { tv_sec: self.0, tv_nsec: self.1 as _ },
        };
        rustix::fs::utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|source| Error::io("set the time of", path)(source.into()))
    }
}

/// What the system tells of a file without reading it: equal stamps, old enough, mean equal content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Git's rule of the racily clean: a file that changed this shortly before it was looked at may have
    /// changed again within the clock's grain, so its stamp proves nothing. Times ahead of the clock
    /// prove nothing either.
    pub(crate) fn is_settled(&self, now_seconds: i64) -> bool {
        self.changed.0 + 2 < now_seconds && self.modified.0 + 2 < now_seconds
    }
}
