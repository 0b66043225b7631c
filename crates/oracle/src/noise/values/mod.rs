//! Which part of a value varies.
//!
//! - `pattern`: a value with its varying parts named; `atoms`: the parts that there are; `date_form`: how a date is written.

pub(crate) mod atoms;
mod date_form;
pub(super) mod pattern;
