//! ReducerThread only sessions that bring something new, while it is recorded (paper 1, section 2: reduction on the fly).
//!
//! When a session is over, it is added to the concepts ([`restage_suite::reduce::Concepts`]) of all that were. If all that it
//! requires is in another session, it is dropped from the store; if it holds all that others require, they are. So the store
//! grows with the number of distinct behaviours and not with the traffic.
//!
//! [`OnlineReducer`] does it once, [`ReducerThread`] from time to time in a thread of its own: neither the traffic nor the writer waits for
//! it, but for the moments in which SQLite lets only one of them write.
//!
//! Invariants: what was there before the recording, and what a run or a suite has, stays. A session that is not over stays.

mod reducer;
mod reducer_thread;
mod stored_exchanges;

pub use reducer::{OnlineReducer, ReductionTally};
pub use reducer_thread::ReducerThread;
pub use stored_exchanges::{ScannedExchanges, StoredExchanges};
