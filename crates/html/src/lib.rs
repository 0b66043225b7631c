//! One fast tokenizer pass over HTML; forms, links, fields and titles out of it.
//!
//! - [`Tokens`] is a page as the HTML standard's tokenizer sees it, in one compact piece of memory: what
//!   every comparator works on, so that no comparator parses again;
//! - [`Page`] is what a user can do with a page: its links, its forms and what their fields hold.
//!
//! No tree is built: HTML on the web is unclosed and misnested, and neither use needs one.

mod forms;
mod page;
mod tag_scan;
mod token_sink;
mod tokens;

pub use forms::{Choice, Field, FieldKind, Form};
pub use page::{Link, Meta, Page};
pub use tokens::{Attrs, Token, Tokens};
