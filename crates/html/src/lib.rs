//! One fast tokenizer pass over HTML; forms, links, fields and titles out of it.
//!
//! - [`Tokens`] is a page as the HTML standard's tokenizer sees it, in one compact piece of memory: what
//!   every comparator works on, so that no comparator parses again;
//! - [`Page`] is what a user can do with a page: its links, its forms and what their fields hold.
//!
//! - [`OtherWays`] is what a page leads to by other means, and what links say of themselves besides their text;
//! - [`Surroundings`] and [`Outline`] are what stands beside a link, a form or anything else on a page, which tells it from
//!   others like it.
//!
//! No tree is built: HTML on the web is unclosed and misnested, and no use needs one.

mod forms;
mod headings;
mod other_ways;
mod outline;
mod page;
mod surroundings;
mod tag_scan;
mod token_sink;
mod tokens;

pub use forms::{Button, Choice, Field, FieldKind, Form, InputType};
pub use headings::headings;
pub use other_ways::OtherWays;
pub use outline::{Outline, OutlineBuilder, Spot, is_void};
pub use page::{Link, Meta, Page};
pub use surroundings::Surroundings;
pub use tokens::{Attrs, Token, Tokens};
