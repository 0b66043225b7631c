//! The sessionizer: telling one user's exchanges from another's (paper 1, section 3).
//!
//! Pure functions over a batch of exchanges: nothing here reads or writes.
//!
//! - `rules`: what the user may say about it;
//! - `cookie_names`: which cookies of an application's traffic name its sessions;
//! - `static_class`: which exchanges are only looks (images, styles, scripts, fonts);
//! - `sessionize`: the one pass that sorts exchanges into sessions.

mod cookie_names;
mod rules;
mod sessionize;
mod static_class;

pub use rules::{By, ByError, LeaveOut, PathPattern, SessionRules};
pub use sessionize::sessionize;
pub use static_class::StaticClass;
