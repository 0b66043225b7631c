//! Sessions of an old version made valid on the new one (paper 3, step 4), each tried on the application.
//!
//! - `old`: sessions as they were recorded, and what their users did;
//! - `seen_answer`: an answer, as a user sees it; `intent`: whether it is what the user was after;
//! - `live`: a session on its way on the new version;
//! - `ways`: what can be done on a page in place of what a user did;
//! - `search`: one session, tried until it comes out as intended;
//! - `context`: what all sessions share; `suite_repair`: all of a suite; `new_session`: what it becomes; `report`: what was done, and why.
//!
//! Invariants: what is kept was sent to the new version exactly as it is kept, and looked at; a session that is valid as it is stays as
//! it is; the application's state is left as it was found.

mod context;
mod intent;
mod live;
mod new_session;
mod old;
mod report;
mod search;
mod seen_answer;
mod suite_repair;
mod ways;

pub use report::{Finding, RemainingTrouble, RepairCounts, RepairOutcome, RepairReport, SessionRepair};
pub use suite_repair::{RepairInput, RepairProgress, RepairedSuite, repair_suite, seen_by_spider};
