//! Comparators, oracle expressions, verdicts and changes (paper 1, section 5; paper 2).
//!
//! A [`Comparator`] is a named point in a small space of [`Features`]. A response is read once into a
//! [`Document`]: its words, and one atom a tag that already holds the hash each kind of comparator
//! needs. A comparator is then a selection of atoms and words, and no comparator parses again.
//!
//! - `elements`: which tags and attributes belong to style, layout, scripts; which are important;
//! - `features`, `comparator`: the space, and the named points in it;
//! - `document`, `dates`: a response prepared for comparison;
//! - `difference`: what a person would say changed;
//! - `expression`: `C-WD | N+I`;
//! - `judge`: run + run → verdicts, with noisy steps judged by what is not noisy;
//! - `changes`: the same difference on many steps is one change.

mod changes;
mod comparator;
mod dates;
mod digest;
mod difference;
mod document;
mod elements;
mod expression;
mod features;
mod flist;
mod judge;
mod listed;
mod tag;
mod text;

pub use comparator::{Comparator, compare};
pub use document::Document;
pub use expression::{ExpressionError, Oracle};
pub use features::{Features, FormDetail, TagDetail, TextDetail};
pub use flist::{PageFlow, flow_differences};
pub use judge::{BodySource, JudgeError, Judged, compare_runs};
