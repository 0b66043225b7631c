//! What can go wrong with a replay.

use std::path::PathBuf;

use restage_app::AppError;
use restage_state::Error as StateError;
use restage_store::StoreError;
use thiserror::Error;

/// What can go wrong with a replay.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The app did not start, or ended.
    #[error(transparent)]
    App(Box<AppError>),
    /// Policy `restore` without snapshots to restore from.
    #[error(
        "session {0} has no snapshot to restore\n  hint: make a baseline of this suite first (`restage baseline`), or choose another policy with --state"
    )]
    NoSnapshot(String),
    /// What was asked for cannot be done: why, and what to do instead.
    #[error("{0}")]
    Refused(String),
    /// The app of a copy failed; the application itself is copy 1.
    #[error(
        "copy {number} of the application: {source}\n  hint: copies must not share ports, sockets or lock files; `{{copy}}` in `command` and `env` tells them apart"
    )]
    Copy {
        /// Which.
        number: u16,
        /// With what.
        source: Box<ReplayError>,
    },
    /// The app served, and could not be started again.
    #[error("{source}\n  hint: what was replayed until then is stored: `restage runs show {run}` shows it")]
    AppLost {
        /// The run.
        run: String,
        /// Why.
        source: Box<AppError>,
    },
    /// A file of restage's own could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No network, no threads: the system has no room.
    #[error("the system refused: {0}")]
    System(#[from] std::io::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A snapshot could not be saved or restored.
    #[error(transparent)]
    State(#[from] StateError),
    /// The state from before the replay could not be put back.
    #[error(
        "the application's state is not put back as it was before the replay: {source}\n  hint: it is kept; when the cause is gone, the next command that uses the data restores it first, or do it now: `restage snapshots restore \"{snapshot}\"`"
    )]
    NotPutBack {
        /// The snapshot that holds it.
        snapshot: String,
        /// Why.
        source: StateError,
    },
    /// The replay failed, and then the state could not be put back.
    #[error("{0}\nand {1}")]
    Both(Box<ReplayError>, Box<ReplayError>),
    /// It was interrupted.
    #[error("interrupted\n  hint: what was replayed until then is stored")]
    Interrupted,
}

impl From<AppError> for ReplayError {
    fn from(error: AppError) -> Self {
        match error {
            AppError::NoCopy(why) => Self::Refused(why),
            AppError::Write { path, source } => Self::Write { path, source },
            AppError::System(source) => Self::System(source),
            AppError::State(source) => Self::State(source),
            AppError::Interrupted => Self::Interrupted,
            error => Self::App(Box::new(error)),
        }
    }
}
