//! The recorder between a real client and a real upstream, on the loopback interface.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod forms;
mod naming;
mod passing;
mod stage;
mod stopping;
mod storing;
mod tls;
mod upgrading;
