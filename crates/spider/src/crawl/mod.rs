//! A spider on an app: it is logged in as the sessions' users are, fills in forms with what they sent, and puts the state back after
//! everything that it presses (paper 3, step 2; paper 5, section 3.1).
//!
//! - `users`: the whole of it, user by user; `visitor`: who it is logged in as;
//! - `explorer`: one user's exploration; `scene`: a state that something was found in, to go on from; `pressing`: forms, and what comes
//!   after them; `changing`: links that say that they change something; `frontier`: what is still to be looked at, and where it ends; `promise`: what of
//!   that comes first;
//! - `trying`: what sessions' scripts and users sent, tried with live values;
//! - `request`: what it sends; `budget`: how much; `report`: what it saw, what it did not, and why.

mod budget;
mod changing;
mod explorer;
mod frontier;
mod pressing;
mod promise;
mod report;
mod request;
mod scene;
mod trying;
mod users;
mod visitor;

pub use budget::{Budget, StopReason};
pub use report::{CrawlProgress, CrawlReport, Skipped};
pub use users::{Crawl, CrawlError, crawl};

pub(crate) use request::Outgoing;
pub(crate) use visitor::{LoggedIn, Snapshots, Visitor};
