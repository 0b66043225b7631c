//! Access logs with a JSON object a line.
//!
//! - `line`: a line's exchange;
//! - `fields`: what the names of fields mean, whoever wrote the log.

mod fields;
mod line;

pub use line::parse;
