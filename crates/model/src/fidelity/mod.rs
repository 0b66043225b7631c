//! How faithful a run was to the recording: which steps were answered as when they were recorded.
//!
//! - [`Departure`]: what of one answer is not as recorded;
//! - [`Cause`]: what made a session leave its path, and what to do about it;
//! - [`Fidelity`]: the measure of a run, [`SessionFidelity`] of one of its sessions.

mod cause;
mod departure;
mod measure;

pub use cause::{BeganAt, Cause, CauseKind};
pub use departure::Departure;
pub use measure::{Fidelity, LeftAt, SessionFidelity};
