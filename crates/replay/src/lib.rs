//! Start an application, replay sessions on it with live values, make runs (paper 1, section 4).
//!
//! - `app`: an application version as a process on a free port, stopped with all its children;
//! - `ahead`: the recording, read ahead of the replay;
//! - `client`: one keep-alive connection to it, and to nothing else;
//! - `jar`: the cookies that the live server gave;
//! - `visit`, `live`, `form`, `multipart`, `link`: where a recorded request's values came from, and what the live
//!   application offers in their place;
//! - `clock`: the app's clock, where libfaketime is installed;
//! - `session`: one session, step by step;
//! - `writer`: steps go to the store beside the replay;
//! - `run`: a suite on an app under a state policy;
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
mod link;
mod live;
mod multipart;
mod run;
mod session;
mod visit;
mod writer;

pub use app::{App, AppSpec};
pub use baseline::{Baseline, make_baseline};
pub use clock::{CALIBRATION_HOURS_AHEAD, libfaketime};
pub use error::{AppError, ReplayError};
pub use run::{ASIDE, INITIAL, Project, Replay, Tick, replay};
