//! A project's secrets: what replaces them, what looks for them, and where a replay gets them back from.

mod redaction;
mod sanitize;
mod scan;

pub use redaction::{SweepProgress, redacted_counts, sweep};
pub use sanitize::{Sanitized, sanitize};
pub use scan::Secrets;
