//! Maps an application: from what recorded sessions show, and by a spider.
//!
//! - `sessions`: the map as far as recorded sessions went, what they sent, and who the users are. No app is needed;
//! - `crawl`: a spider on an app: it is logged in as the sessions' users are, fills in forms with what they sent, and puts the state back
//!   after everything that it presses;
//! - `generating`: sequences over the map become sessions, filled in on the app;
//! - `page_answer`: an answer as both need it; `data_answer`: one that is JSON or XML.
//!
//! Invariants: requests go to the app and nowhere else; the application's state is left as it was found.

mod crawl;
mod data_answer;
mod generating;
mod page_answer;
mod sessions;

pub use crawl::{Budget, Crawl, CrawlError, CrawlProgress, CrawlReport, Skipped, StopReason, crawl};
pub use generating::{
    GeneratedSessions, MissedWay, MissedWhy, SequenceWalk, UserSequences, Values, WalkedCover, walk_sequences,
};
pub use sessions::{
    KnownUser, ReadError, SessionPath, Traffic, is_logout, proves_identity, read_sessions, session_paths,
};
