//! What recorded sessions show of an application: its map as far as they went, what they sent, and who its users are.
//!
//! - `read`: a suite, exchange by exchange; `walk`: one session, and how it came from page to page;
//! - `login`: which requests log a user in or out; `user_kinds`: users who are offered the same are of one kind;
//! - `shown`: requests that no page offers, of scripts and of users who type addresses;
//! - `traffic`: what is known of the sessions besides the map.

mod login;
mod read;
mod shown;
mod traffic;
mod user_kinds;
mod walk;

pub use read::{ReadError, SessionPath, read_sessions, session_paths};
pub(crate) use shown::{ShownKind, ShownSession, ShownStep};
pub use traffic::{KnownUser, Traffic};

pub use login::{is_logout, proves_identity};
pub(crate) use user_kinds::{is_nobodys, is_plain};
pub(crate) use walk::offered_by;
