//! Start an application, replay sessions on it with live values, make runs (paper 1, section 4).
//!
//! - `app`: an application version as a process on a free port, stopped with all its children;
//! - `ahead`: the recording, read ahead of the replay;
//! - `client`: one keep-alive connection to it, and to nothing else;
//! - `jar`: the cookies that the live server gave;
//! - `visit`, `live`, `redirect`, `form`, `filling`, `multipart`, `link`: what led to a recorded request, and what the live
//!   application offers in its place; `likeness`: how alike two texts are;
//! - `origin`, `trail`, `carry`: where in earlier responses the values stood that scripts send along;
//! - `clock`: the app's clock, where libfaketime is installed;
//! - `session`: one session, step by step; `request`: one request with its header fields and cookies;
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
mod carry;
mod client;
mod clock;
mod error;
mod filling;
mod form;
mod jar;
mod likeness;
mod link;
mod live;
mod logs;
mod multipart;
mod origin;
mod pace;
mod redirect;
mod remove;
mod request;
mod rest;
mod run;
mod session;
mod snapshots;
mod trail;
mod visit;
mod writer;

pub use app::{App, AppSpec};
pub use baseline::{Baseline, make_baseline};
pub use clock::{CALIBRATION_HOURS_AHEAD, libfaketime};
pub use error::{AppError, ReplayError};
pub use remove::remove_run;
pub use run::{Project, Replay, Tick, replay};
pub use snapshots::{AFTER, ASIDE, INITIAL};
