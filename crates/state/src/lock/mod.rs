//! One restage at a time on one state.
//!
//! A [`StateLock`] is three locks, taken together or not at all, and gone with the process that holds them, however it ends:
//!
//! - `lock_file`: the project's, a lock of the operating system on a file in its own folder;
//! - `register`: what each running restage of this user works on, so that two projects that name the same folder, SQLite file or
//!   database (or one inside another's) are told apart from two that do not;
//! - `crate::server`: an advisory lock in each database on a server, for other users and other machines.
//!
//! [`Holder`] is who holds it. An entry of the register that a killed process left behind names the project whose state may have to
//! be put back first ([`Abandoned`]).

mod holder;
mod lock_file;
mod register;
mod state_lock;

pub use holder::Holder;
pub use register::Abandoned;
pub use state_lock::{Attempt, Busy, Locker, StateLock};
