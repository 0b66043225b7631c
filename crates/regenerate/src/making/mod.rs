//! From planned sequences to sessions that can be replayed.

mod needed_pages;
mod new_session;
mod source;

pub use needed_pages::needed_pages;
pub use new_session::{MadeSession, make_session};
pub use source::SourceSession;
