//! Header fields on their way through the recorder.
//!
//! - `hop_by_hop`: fields of one connection, which are not passed on;
//! - `host_rewriting`: fields that name the application or the recorder (`Host`, `Origin`, `Location`, …);
//! - `cookie_rewriting`: cookies for a client that knows the application by another name.

mod cookie_rewriting;
pub(crate) mod hop_by_hop;
mod host_rewriting;

pub(crate) use host_rewriting::{HostPlan, HostRewriting, sent_host};
