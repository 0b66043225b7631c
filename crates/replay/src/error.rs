//! What can go wrong with a replay.

use std::path::PathBuf;
use std::time::Duration;

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
        "the application's state is not put back as it was before the replay: {source}\n  hint: it is kept; when the cause is gone, `restage snapshots restore \"{snapshot}\"` puts it back"
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
        Self::App(Box::new(error))
    }
}

/// What can go wrong with an app.
#[derive(Debug, Error)]
pub enum AppError {
    /// The app's command could not be started.
    #[error(
        "the app `{app}` could not be started: {source}\n  command: {command}\n  hint: check `command` and `dir` in restage.toml"
    )]
    Start {
        /// The app.
        app: String,
        /// Its command.
        command: String,
        /// Why.
        source: std::io::Error,
    },
    /// The app's clock cannot be set.
    #[error(
        "the app `{app}` is to run under the clock `{clock}`, which needs libfaketime, and that is not installed\n  hint: on Debian and Ubuntu: apt install libfaketime; elsewhere RESTAGE_LIBFAKETIME may name the library; `--clock real` leaves the clock alone"
    )]
    NoFaketime {
        /// The app.
        app: String,
        /// The clock.
        clock: crate::clock::Clock,
    },
    /// The clock of an app that runs already cannot be set.
    #[error(
        "the app `{app}` runs already, so that the clock `{clock}` cannot be set for it\n  hint: give it a `command` in place of its `address`, or choose `--clock real`"
    )]
    NotItsClock {
        /// The app.
        app: String,
        /// The clock.
        clock: crate::clock::Clock,
    },
    /// The app ended before it answered.
    #[error(
        "the app `{app}` ended before it was ready ({status})\n  command: {command}\n{output}  hint: run the command by hand, with {{port}} replaced by a free port"
    )]
    Died {
        /// The app.
        app: String,
        /// Its command.
        command: String,
        /// How it ended.
        status: String,
        /// Its last output.
        output: String,
    },
    /// The app did not answer in time.
    #[error("the app `{app}` did not answer GET {ready} on port {port} within {} s\n  command: {command}\n{output}  hint: the command must listen on {{port}}; `ready` and `ready-timeout` in restage.toml say what to wait for and how long", .waited.as_secs())]
    NotReady {
        /// The app.
        app: String,
        /// Its command.
        command: String,
        /// The path that was asked for.
        ready: String,
        /// The port it was given.
        port: u16,
        /// How long was waited.
        waited: Duration,
        /// Its last output.
        output: String,
    },
    /// The app served, and could not be started again.
    #[error(
        "{since}, and the app `{app}` did not come back: {starts} starts failed\n  what was replayed until then is stored: `restage runs show {run}` shows it\n  the last start: {last}"
    )]
    NotBack {
        /// The app.
        app: String,
        /// Why it had to be started.
        since: String,
        /// How often it was tried.
        starts: usize,
        /// What the last start failed with.
        last: String,
        /// The run.
        run: String,
    },
}
