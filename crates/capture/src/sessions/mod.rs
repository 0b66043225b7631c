//! The sessionizer: telling one user's exchanges from another's (paper 1, section 3).
//!
//! Pure functions: nothing here reads or writes. [`Sessionizer`] takes exchanges one by one and keeps a few bytes of each;
//! [`Sorted`] makes each session when it is looked at.
//!
//! - `rules`: what the user may say about it;
//! - `static_class`: which exchanges are only looks (images, styles, scripts, fonts);
//! - `row`, `texts`, `places`, `notes`: what is remembered of exchanges;
//! - `cookie_names`: which cookies of an application's traffic name its sessions; `marking`: what marks an exchange;
//! - `sorter`: the one pass that sorts exchanges into sessions;
//! - `filter`: what is kept out of a replay, and why; `bots`: sessions that are no person's;
//! - `sessionizer`: all of it together; `sorted`: the sessions; `sort_out`: for exchanges that are all at hand.

mod bots;
mod cookie_names;
mod filter;
mod marking;
mod notes;
mod places;
mod row;
mod rules;
mod sessionizer;
mod sort_out;
mod sorted;
mod sorter;
mod static_class;
mod texts;

pub use bots::BotSign;
pub use filter::Reason;
pub use rules::{By, ByError, LeaveOut, PathPattern, SessionRules};
pub use sessionizer::Sessionizer;
pub use sort_out::{SortedOut, sessionize, sort_out};
pub use sorted::Sorted;
pub use static_class::StaticClass;
