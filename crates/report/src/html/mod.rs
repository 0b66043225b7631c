//! A self-contained HTML file: nothing is fetched, and it opens from a folder as from a server. What a large report has no room for is in files beside it, in
//! `NAME.files/`.
//!
//! - `document`: the page as a whole, its head and its verdict;
//! - `chart`: bars, drawn as inline SVG;
//! - `changes`: what changed, each once;
//! - `settled`: what differs and fails nothing;
//! - `sessions`: every session as a strip of its steps;
//! - `step`: one step, unfolded; `server_side`: what the server did for it; `aftermath`: what a session left behind;
//! - `limits`: how large it may grow; `step_files`: the files beside it; `targets`: where a step is shown;
//! - `pages`: which bodies the report holds, and how they are shown;
//! - `script`: the little that needs JavaScript. Without it everything can be read but the rendered
//!   pages, which are put into their frames only when somebody looks.
//!
//! All of it is `maud`, which escapes what it is given; only our own style and script are taken as they
//! are.

mod aftermath;
mod changes;
mod chart;
mod document;
mod limits;
mod pages;
mod script;
mod server_side;
mod sessions;
mod settled;
mod step;
mod step_files;
mod targets;

pub use document::{html, write_html};
pub(crate) use script::STYLE;
