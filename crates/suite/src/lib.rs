//! What makes one suite of another, and what writes a suite for other tools.
//!
//! - `reduce`: fewer sessions that still do all that is required (paper 1, section 3.2);
//! - `needs`: which sessions need which, so that a suite with some of the sessions can be made one that runs by itself;
//! - `page_parameters`: which parameters lead to different pages, learnt from pages;
//! - `export`: a suite as HAR, and as scripts for curl, hurl, k6 and Playwright;
//! - `source`: where exchanges and their bodies are read from.
//!
//! Nothing here does I/O: exchanges and bodies come through an [`ExchangeSource`], which the store is to the commands.

pub mod export;
mod needs;
mod page_parameters;
pub mod reduce;
mod source;

pub use needs::{Need, Needs, Observed, ObservedStep, Why, find_needs};
pub use page_parameters::ParameterLearner;
pub use source::{ExchangeSource, SourceError, body_text};
