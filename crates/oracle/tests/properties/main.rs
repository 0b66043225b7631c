//! Properties of comparators and oracles, on arbitrary pages and edits of them.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod expressions;
mod order;
mod pages;
