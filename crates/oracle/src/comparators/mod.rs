//! Comparators: named points in a small space of features (paper 2, section 3).
//!
//! - `features`: the space; `comparator`: the 22 named points;
//! - `registry`, `definition`: a project's own points;
//! - `view`: what a comparator sees of a document.

pub(crate) mod comparator;
pub(crate) mod definition;
pub(crate) mod features;
pub(crate) mod registry;
pub(crate) mod view;
