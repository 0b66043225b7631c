//! Why a file cannot be imported at all.

use restage_store::StoreError;
use thiserror::Error;

/// Why a file cannot be imported at all. A part that cannot be read is no error: it is counted.
#[derive(Debug, Error)]
pub enum ImportError {
    /// It cannot be opened or read.
    #[error("cannot read {name}: {source}\n  hint: check the name and that you may read it")]
    Read {
        /// The file.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// Reading failed in the middle.
    #[error("cannot read on: {0}")]
    Io(#[from] std::io::Error),
    /// It is of no format that is known.
    #[error(
        "{name} is of no format that restage knows: {found}\n  hint: --format har, clf, combined, jsonlog or gor says what it is; mitmproxy's flows become HAR with `mitmdump -nr FLOWS --set hardump=out.har`"
    )]
    Unknown {
        /// The file.
        name: String,
        /// What it looks like.
        found: String,
    },
    /// It is not of the format that it is said to be.
    #[error("{name} is not {format}: {found}\n  hint: {hint}")]
    NotOfFormat {
        /// The file.
        name: String,
        /// What it was read as.
        format: &'static str,
        /// What is there instead.
        found: String,
        /// What to do.
        hint: &'static str,
    },
    /// The user asked it to end.
    #[error(
        "stopped while importing {name}\n  hint: what was read is stored; import the file again for the rest, nothing is stored twice"
    )]
    Stopped {
        /// The file.
        name: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
