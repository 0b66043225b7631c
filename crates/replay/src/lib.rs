//! Start an application, replay sessions on it with live values, make runs (paper 1, section 4).
//!
//! - `app`: an application version as a process on a free port, stopped with all its children;
//! - `ahead`: the recording, read ahead of the replay;
//! - `client`: one keep-alive connection to it, and to nothing else;
//! - `jar`: the cookies that the live server gave;
//! - `visit`, `live`, `form`, `multipart`, `link`: where a recorded request's values came from, and what the live
//!   application offers in their place; `likeness`: how alike two texts are;
//! - `clock`: the app's clock, where libfaketime is installed;
//! - `session`: one session, step by step;
//! - `writer`: steps go to the store beside the replay;
//! - `pace`: keeping apart in time what the recording kept apart;
//! - `rest`, `logs`: what a session leaves behind: a state at rest, and what the app wrote meanwhile;
//! - `snapshots`: which are made and restored;
//! - `run`: a suite on an app under a state policy; `remove`: and away with it;
//! - `baseline`: the gold standard, and its check.
//!
//! Invariants: a replay sends to the app it started and to no other address; it stops the app and all
//! its children; it leaves the application's state as it found it.

mod ahead;
mod app;
mod baseline;
mod client;
mod clock;
mod error;
mod form;
mod jar;
mod likeness;
mod link;
mod live;
mod logs;
mod multipart;
mod pace;
mod remove;
mod rest;
mod run;
mod session;
mod snapshots;
mod unseen;
mod visit;
mod writer;

pub use app::{App, AppSpec};
pub use baseline::{Baseline, make_baseline};
pub use clock::{CALIBRATION_HOURS_AHEAD, libfaketime};
pub use error::{AppError, ReplayError};
pub use remove::remove_run;
pub use run::{Project, Replay, Tick, replay};
pub use snapshots::{AFTER, ASIDE, INITIAL};
