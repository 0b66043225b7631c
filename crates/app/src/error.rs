//! What can go wrong with an app.

use std::path::PathBuf;
use std::time::Duration;

use restage_state::Error as StateError;
use thiserror::Error;

use crate::clock::Clock;

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
        clock: Clock,
    },
    /// The clock of an app that runs already cannot be set.
    #[error(
        "the app `{app}` runs already, so that the clock `{clock}` cannot be set for it\n  hint: give it a `command` in place of its `address`, or choose `--clock real`"
    )]
    NotItsClock {
        /// The app.
        app: String,
        /// The clock.
        clock: Clock,
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
        "{since}, and the app `{app}` did not come back: {starts} starts failed\n  the last start: {last}"
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
    },
    /// The application cannot be copied: why, and what to do instead.
    #[error("{0}")]
    NoCopy(String),
    /// A file of restage's own could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No port, no process: the system has no room.
    #[error("the system refused: {0}")]
    System(#[from] std::io::Error),
    /// Where the application's state is cannot be told.
    #[error(transparent)]
    State(#[from] StateError),
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
}
