//! How faithful a run was to the recording: run + recording → fidelity.
//!
//! - `measure`: which steps were answered as recorded, session by session; `live_count`: of those with live values;
//! - `causes`: why a session left its path, and what to do about it;
//! - `credentials`: which requests prove who the user is;
//! - `neighbours`: what other sessions did meanwhile;
//! - `whole_seconds`: ids that are made of the time.
//!
//! Invariant: a session is looked at by itself, and of its bodies two at a time are in memory.

mod causes;
mod credentials;
mod live_count;
mod measure;
mod neighbours;
mod whole_seconds;

pub use live_count::LiveCount;
pub use measure::{Conditions, fidelity_of};
