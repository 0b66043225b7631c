//! The sessionizer: telling one user's exchanges from another's (paper 1, section 3).
//!
//! Pure functions over a batch of exchanges: nothing here reads or writes.
//!
//! - `rules`: what the user may say about it;
//! - `cookie_names`: which cookies of an application's traffic name its sessions;
//! - `static_class`: which exchanges are only looks (images, styles, scripts, fonts);
//! - `filter`: what is kept out of a replay, and why; `bots`: sessions that are no person's;
//! - `sessionize`: the one pass that sorts exchanges into sessions;
//! - `sort_out`: which of them are a test.

mod bots;
mod cookie_names;
mod filter;
mod rules;
mod sessionize;
mod sort_out;
mod static_class;

pub use filter::Reason;
pub use rules::{By, ByError, LeaveOut, PathPattern, SessionRules};
pub use sessionize::sessionize;
pub use sort_out::{SortedOut, reasons, sort_out};
pub use static_class::StaticClass;
