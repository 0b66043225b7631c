//! Fewer sessions that still do all that is required (paper 1, section 3.2).
//!
//! A session matters to a reduction only by its set of requirements: the keys it asks for, or their pairs, or
//! parameters, or lines of code. `requirements` finds them in the recorded requests, and [`Coverage`] holds them as
//! sorted numbers. `groups` puts sessions with the same set together, so that the techniques work on distinct sets:
//!
//! - `hgs`: Harrold, Gupta and Soffa (1993): the requirements that the fewest sessions meet come first;
//! - `concept`: formal concept analysis (Sampath and others, 2004): one session for each set that is in no other;
//!   [`Concepts`] takes sessions one by one, in any order, with the same result;
//! - `greedy`: always the session that meets most of what is not met yet;
//! - every n-th session, which keeps no requirement on purpose: what a reduction has to beat.
//!
//! [`reduce`] works on a coverage, [`reduce_suite`] on a suite and leaves a [`Receipt`].
//!
//! Invariant: but for every n-th, what was met before is met after. The same input gives the same sessions.

mod concept;
mod coverage;
mod greedy;
mod groups;
mod hgs;
mod needs;
mod receipt;
mod requirement;
mod requirements;
mod suite;
mod technique;
mod ties;
mod values;

pub use concept::{Concepts, Dropped};
pub use coverage::{Coverage, RequirementNames};
pub use needs::with_needed;
pub use receipt::{Receipt, ReplayTime, Size};
pub use requirement::Requirement;
pub use requirements::{requirements_of, session_requirements};
pub use suite::{Plan, ReduceError, Reduction, SessionFacts, Timing, reduce_suite};
pub use technique::{Technique, reduce};
pub use ties::Ties;

pub(crate) use values::is_token;
