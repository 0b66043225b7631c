//! Every format over the same small store, with pages that attack whoever shows them.

// The whole crate is tests, which clippy only sees inside `#[test]` functions.
#![allow(clippy::unwrap_used)]

mod covered;
mod html;
mod json;
mod junit;
mod shop;
mod terminal;
