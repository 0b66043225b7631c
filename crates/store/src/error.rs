//! What can go wrong with the store, and what to do about it.

use std::path::PathBuf;

use rusqlite::ErrorCode;
use thiserror::Error;

/// What can go wrong with the store.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is none.
    #[error(
        "there is no store at {0}\n  hint: `restage record` makes one; or run restage in the folder that holds restage.toml"
    )]
    Missing(PathBuf),
    /// A file or folder could not be made.
    #[error("cannot open the store {path}: {source}\n  hint: check that the folder can be written")]
    Create {
        /// The store's file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not a store, or is damaged.
    #[error(
        "{path} is not a readable restage store: {what}\n  hint: it was left untouched; put a backup in its place, or move it aside to begin anew"
    )]
    Damaged {
        /// The store's file.
        path: PathBuf,
        /// What SQLite says.
        what: String,
    },
    /// It was written by a newer restage.
    #[error(
        "{path} was written by a newer restage (its format is {found}, this one knows up to {known})\n  hint: it was left untouched; update restage, or name another store with --store"
    )]
    Newer {
        /// The store's file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// A name that is taken.
    #[error("a {kind} called `{name}` is there already\n  hint: choose another name with --into")]
    Taken {
        /// `run` or `suite`.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// Two sessions of one name.
    #[error(
        "two sessions of the suite `{suite}` are called `{session}`\n  hint: each session of a suite has a name of its own"
    )]
    Twice {
        /// The suite.
        suite: String,
        /// The sessions' name.
        session: String,
    },
    /// A name that is not there.
    #[error("there is no {kind} called `{name}`\n  hint: {there}")]
    Unknown {
        /// `run`, `suite`, `session`, …
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// What there is instead.
        there: String,
    },
    /// A stored row or body that does not read back.
    #[error("the store is damaged: {0}\n  hint: put a backup in its place, or record anew")]
    Unreadable(String),
    /// SQLite failed.
    #[error("the store: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

impl StoreError {
    /// Whether the disk, or the room left for the store, is full.
    pub fn is_full(&self) -> bool {
        self.code() == Some(ErrorCode::DiskFull)
    }

    /// Whether another process holds the store.
    pub fn is_busy(&self) -> bool {
        matches!(self.code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
    }

    /// Whether the file, or its folder, cannot be written.
    pub(crate) fn is_read_only(&self) -> bool {
        let refused = [ErrorCode::ReadOnly, ErrorCode::CannotOpen, ErrorCode::PermissionDenied];
        self.code().is_some_and(|code| refused.contains(&code))
    }

    fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Sqlite(error) => error.sqlite_error_code(),
            _ => None,
        }
    }
}
