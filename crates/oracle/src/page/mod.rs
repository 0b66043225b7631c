//! A response prepared for comparison: one [`Document`](document::Document) with its words, tags, links and forms.
//!
//! - `masked_body`: the response with its masks on, before it is read;
//! - `document`, `tag`, `text`, `listed`: what is read of it, once;
//! - `dates`, `time_evidence`, `relative`, `calendar`: what counts as a date;
//! - `elements`, `lookup`: which tags and attributes belong to style, layout, scripts; which are important;
//! - `digest`: hashes of what comparators look at.

pub(crate) mod calendar;
pub(crate) mod dates;
pub(crate) mod digest;
pub(crate) mod document;
pub(crate) mod elements;
pub(crate) mod listed;
pub(crate) mod lookup;
pub(crate) mod masked_body;
pub(crate) mod relative;
pub(crate) mod tag;
pub(crate) mod text;
pub(crate) mod time_evidence;
