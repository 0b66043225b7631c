//! Replay sessions on an application with live values, make runs (paper 1, section 4).
//!
//! - `live`: a recorded request as the live application would have the browser send it;
//! - `run`: a suite on an app under a state policy, the baseline and its check, and what becomes of runs;
//! - `order`: one session after another, side by side on copies, or all at once;
//! - `stage`: an app with its state, for those who decide on each request by the answer before;
//! - `facts`: what the app's probes write for each step;
//! - `secrecy`: secrets are put back before they are sent, and covered before they are stored.
//!
//! The app as a process is in `restage-app`; the connection, the cookies, links and forms are in `restage-browser`.
//!
//! Invariants: a replay sends to the app it started, or was told to join, and to no other address; it stops the app it
//! started with all its children; it leaves the application's state as it found it.

mod error;
mod facts;
mod live;
mod order;
mod run;
mod secrecy;
mod stage;

pub use error::ReplayError;
pub use facts::{FactsAsked, cover_facts};
pub use order::Order;
pub use restage_app::{
    App, AppError, AppSpec, CALIBRATION_HOURS_AHEAD, Clock, Copies, Restart, STOP_TIMEOUT, databases_named,
    end_orphans, libfaketime,
};
pub use run::{
    AFTER, ASIDE, Baseline, EventSink, INITIAL, MergeError, Merged, NewBaseline, Phase, PhaseCell, Piece,
    Project, Replay, START, make_baseline, merge_runs, remove_run, replay,
};
pub use secrecy::{Secrecy, cover};
pub use stage::{Stage, StagedSession, on_stage};
