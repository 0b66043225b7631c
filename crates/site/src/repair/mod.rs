//! Sessions of an old version made paths of the new version's map (paper 3, step 4).
//!
//! - `trace`: a session as the map sees it; `counterparts`: what an old node is on the new map;
//! - `network`: the new map by number, and the cheapest ways over it;
//! - `form_fields`: which field of a form became which;
//! - `parameters`: what of a request's parameters goes, stays, is called otherwise, or is new;
//! - `cause`: why something is repaired; `plan`: what becomes of a session; `planner`: how that is found;
//!   `walk`: one session, step by step.
//!
//! Nothing here knows an application: who does, asks for the next best way where one turns out not to be one.
//!
//! Invariants: a planned session is a path of the new map, where each step comes from a page that the session has visited; what is
//! one already is left as it is.

mod cause;
mod counterparts;
mod form_fields;
mod network;
mod parameters;
mod plan;
mod planner;
mod trace;
mod walk;

pub use cause::{Cause, Repair};
pub use counterparts::{Counterpart, Counterparts, FieldCounterpart};
pub use form_fields::renamed_fields;
pub use network::{Network, Way};
pub use parameters::{AddedParameter, ParameterChange, RenamedParameter};
pub use plan::{Plan, PlannedPart, PlannedStep, StepAction};
pub use planner::Planner;
pub use trace::{Trace, TraceStep};
