//! Learning which parameters lead to different pages: `do` of `/doku.php?do=edit`, and not `id` of `/doku.php?id=start`.
//!
//! A parameter is learnt where its values, everything else being equal, lead to pages that have nothing in common but the site's
//! frame: other forms, other fields, other elements. Pages that differ in their content alone share the form they are poured
//! into, and are one page.
//!
//! - `page_features`: what a page is built of, without its content;
//! - `seen_page`: what is remembered of a request and its answer;
//! - `evidence`: what the pages of one path say of one parameter;
//! - `learner`: all paths and parameters, in bounded memory.
//!
//! Invariants: learning is a pure function of what was added, in any order. In doubt, a parameter is data. What was answered
//! without a body teaches nothing.

mod evidence;
mod learner;
mod page_features;
mod seen_page;

pub use learner::ParameterLearner;
