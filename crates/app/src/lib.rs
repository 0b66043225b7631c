//! The application under test as a process: started, watched, copied and stopped.
//!
//! - `app_spec`: how to start one version; `process`: it runs, on a free port; `ready`: whether it answers;
//! - `supervisor`: keeps it running, and starts it again when it ended; `health`: whether it ended or hangs;
//! - `idle`: waits until it has nothing left to do; `logs`: what it wrote meanwhile;
//! - `app_mark`: how its processes are known, so that none outlives it; `ending`: they are asked to leave, then made to;
//! - `clock`, `clock_file`: what its clock shows, where libfaketime is installed;
//! - `copies`, `layout`, `copy_folder`: copies of the application, each with a state of its own; `launch`: how their
//!   processes see their own folders at the application's paths; `placeholders`: what they are told of themselves.
//!
//! Invariants: an app is stopped with all its children, whatever process groups they made; one that ran before is
//! neither started nor stopped; nothing here knows of recordings, suites or runs.

mod app_mark;
mod app_spec;
mod clock;
mod clock_file;
mod copies;
mod copy_folder;
mod ending;
mod error;
mod health;
mod idle;
mod launch;
mod layout;
mod logs;
mod placeholders;
mod process;
mod ready;
mod supervisor;

pub use app_mark::end_orphans;
pub use app_spec::{AppSpec, Restart, STOP_TIMEOUT};
pub use clock::{CALIBRATION_HOURS_AHEAD, Clock, libfaketime};
pub use clock_file::ClockFile;
pub use copies::{AppCopy, Copies};
pub use error::AppError;
pub use health::{Health, RequestResult, Trouble};
pub use launch::Launch;
pub use logs::{Logs, Written};
pub use placeholders::databases_named;
pub use process::App;
pub use supervisor::Supervisor;
