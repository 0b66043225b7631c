//! Whether an answer is what the user was after.
//!
//! - `word_weights`: which words tell pages apart; `page_likeness`: how much alike two pages are;
//! - `verdict`: what is thought of an answer.

mod page_likeness;
mod verdict;
mod word_weights;

pub(crate) use page_likeness::filled_in;
pub(crate) use verdict::{Expected, Trouble, Verdict, judge};
pub(crate) use word_weights::WordWeights;
