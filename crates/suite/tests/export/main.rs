//! Exports of small suites that hold what is hard to write: quotes, braces, line ends, bytes that are no text.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod har;
mod memory;
mod scripts;
