//! Sessions of the old version, as they were recorded.
//!
//! - `old_step`: a request with what was answered; `act`: what its user did; `old_session`: all of a session.

mod act;
mod old_session;
mod old_step;

pub(crate) use act::Act;
pub(crate) use old_session::OldSession;
pub(crate) use old_step::OldStep;
