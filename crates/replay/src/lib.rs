//! Start an application, replay sessions on it with live values, make runs (paper 1, section 4).
//!
//! - `spec`, `app`: an application version as a process on a free port, stopped with all its children; `ready`: whether
//!   it answers; `processes`: how its children are known; `health`: whether it ended or hangs; `keeper`: started again then;
//! - `ahead`: the recording, read ahead of the replay;
//! - `client`: one keep-alive connection to it, and to nothing else;
//! - `jar`: the cookies that the live server gave;
//! - `visit`, `live`, `redirect`, `form`, `filling`, `link`: what led to a recorded request, and what the live
//!   application offers in its place; `likeness`: how alike two texts are;
//! - `origin`, `trail`, `carry`: where in earlier responses the values stood that scripts send along;
//! - `clock`, `clock_file`: the app's clock, where libfaketime is installed;
//! - `session`: one session, step by step; `request`: one request with its header fields and cookies;
//! - `writer`: steps go to the store beside the replay;
//! - `pace`: keeping apart in time what the recording kept apart;
//! - `rest`, `logs`: what a session leaves behind: a state at rest, and what the app wrote meanwhile;
//! - `snapshots`: which are made and restored;
//! - `plan`: what all sessions of a run share; `worker`: one app process, which replays one session at a time;
//! - `order`: in which order sessions are replayed; `parallel`: side by side, each on a copy of the application; `copies`,
//!   `layout`, `tree`: how copies are made; `launch`: how their processes see their own folders at the application's paths;
//! - `overlap`: all at once on one app; `schedule`: what is sent when;
//! - `run`: a suite on an app under a state policy; `remove`: and away with it; `merge`: the runs of a suite's shards
//!   become one;
//! - `baseline`: the gold standard, and its check.
//!
//! Invariants: a replay sends to the app it started, or was told to join, and to no other address; it stops the app it
//! started with all its children; it leaves the application's state as it found it.

mod ahead;
mod app;
mod baseline;
mod carry;
mod client;
mod clock;
mod clock_file;
mod copies;
mod error;
mod filling;
mod form;
mod health;
mod jar;
mod keeper;
mod launch;
mod layout;
mod likeness;
mod link;
mod live;
mod logs;
mod merge;
mod order;
mod origin;
mod overlap;
mod pace;
mod parallel;
mod plan;
mod processes;
mod ready;
mod redirect;
mod remove;
mod request;
mod rest;
mod run;
mod schedule;
mod secrecy;
mod session;
mod snapshots;
mod spec;
mod trail;
mod tree;
mod unseen;
mod visit;
mod worker;
mod writer;

pub use app::App;
pub use baseline::{Baseline, make_baseline};
pub use clock::{CALIBRATION_HOURS_AHEAD, Clock, libfaketime};
pub use error::{AppError, ReplayError};
pub use merge::{MergeError, Merged, Piece, merge_runs};
pub use order::Order;
pub use remove::remove_run;
pub use run::{Project, Replay, Tick, replay};
pub use secrecy::{Secrecy, cover};
pub use snapshots::{AFTER, ASIDE, INITIAL};
pub use spec::{AppSpec, Restart};
