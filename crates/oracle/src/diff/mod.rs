//! Where two answers differ.
//!
//! - `sequence_diff`, `hunks`: two sequences; `align`: two lists of alike things;
//! - `page_diff`, `tag_diff`, `hidden_diff`: the edits of a page, and which comparators see them (`touched`); `moved_dates`: dates that are no part of an edit beside them; `reordered`: edits that are one reordering; `collector`: the differences found so far, in bounds.

pub(crate) mod align;
pub(crate) mod collector;
pub(crate) mod hidden_diff;
pub(crate) mod hunks;
pub(crate) mod moved_dates;
pub(crate) mod page_diff;
mod reordered;
pub(crate) mod sequence_diff;
pub(crate) mod tag_diff;
pub(crate) mod touched;
