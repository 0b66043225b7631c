//! The sessionizer: telling one user's exchanges from another's (paper 1, section 3).
//!
//! Pure functions: nothing here reads or writes. [`Sessionizer`] takes exchanges one by one and keeps a few bytes of each;
//! [`SessionList`] makes each session when it is looked at.
//!
//! - `rules`: what the user may say about it;
//! - `static_class`: which exchanges are only looks (images, styles, scripts, fonts);
//! - `row`, `interner`, `clients`, `identifiers`: what is remembered of exchanges;
//! - `cookie_names`: which cookies of an application's traffic name its sessions; `marking`: what marks an exchange;
//! - `assigner`: the one pass that sorts exchanges into sessions;
//! - `filter`: what is kept out of a replay, and why; `bots`: sessions that are no person's;
//! - `sessionizer`: all of it together; `session_list`: the sessions; `sessionize`: for exchanges that are all at hand.

mod assigner;
mod bots;
mod clients;
mod cookie_names;
mod filter;
mod identifiers;
mod interner;
mod marking;
mod row;
mod rules;
mod session_list;
mod sessionize;
mod sessionizer;
mod static_class;

pub use bots::BotSign;
pub use filter::Reason;
pub use rules::{By, ByError, LeaveOut, SessionRules};
pub use session_list::SessionList;
pub use sessionize::{FilteredSessions, sessionize, sessionize_and_filter};
pub use sessionizer::Sessionizer;
pub use static_class::StaticClass;
