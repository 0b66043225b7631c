//! One session, tried on the new version step by step until it comes out as intended.
//!
//! - `candidate`: something to try in place of a step; `generate`: what there is to try; `feedback`: what to try after something that
//!   did not come out as intended; `trial`: trying it; `expectation`: what should come of it;
//! - `session_search`: the session on its way; `one_step`: a step of it; `whole_session`: all of it, going back where a login turns out to have failed;
//! - `halves`: a session that becomes two; `memory`: what worked for other sessions is tried first.
//!
//! Invariant: what is kept was sent to the application exactly as it is kept, after exactly what comes before it.

mod accepted;
mod candidate;
mod expectation;
mod feedback;
mod generate;
mod halves;
mod leaving_out;
mod memory;
mod one_step;
mod session_search;
mod trial;
mod whole_session;

pub(crate) use halves::{SecondHalf, repair_in_halves};
pub(crate) use memory::Memory;
pub(crate) use session_search::{Chosen, Search};
pub(crate) use whole_session::repair_session;
