//! A suite on an app under a state policy: what a run is made of, and what becomes of it.
//!
//! - `replay`: the run as a whole; `baseline`: the run on the trusted version, and its check;
//! - `plan`: what all sessions of a run share; `context`: what they know of each other; `prefetch`: the recording, read ahead of the replay;
//! - `worker`: one app process, which replays one session at a time; `session`: one session, step by step;
//! - `pace`: keeping apart in time what the recording kept apart;
//! - `events`: what the run tells of as it goes on; `phase`: what has to be done before the process may end;
//! - `snapshots`: which are made and restored; `writer`: steps go to the store beside the replay;
//! - `merge_shards`: the runs of a suite's shards become one; `remove`: a run and its snapshots go.

mod baseline;
mod context;
mod events;
mod merge_shards;
mod pace;
mod phase;
mod plan;
mod prefetch;
mod remove;
mod replay;
mod session;
mod snapshots;
mod worker;
mod writer;

pub use baseline::{Baseline, NewBaseline, make_baseline};
pub use events::EventSink;
pub use merge_shards::{MergeError, Merged, Piece, merge_runs};
pub use phase::{Phase, PhaseCell};
pub use remove::remove_run;
pub use replay::{Project, Replay, replay};
pub use snapshots::{AFTER, ASIDE, INITIAL, START};

pub(crate) use context::SessionContext;
pub(crate) use events::step_replayed;
pub(crate) use pace::Pace;
pub(crate) use plan::Plan;
pub(crate) use prefetch::Prefetch;
pub(crate) use session::{Outcome, Outgoing, SessionReplay};
pub(crate) use snapshots::{ensure_initial, place_state, put_back};
pub(crate) use worker::Worker;
pub(crate) use writer::{StepWriter, Writer};
