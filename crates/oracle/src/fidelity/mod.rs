//! Whether a live answer is what was recorded.
//!
//! Not whether two answers are the same: months may lie between them, and ids, tokens, dates and what is drawn at random differ. Asked is whether the
//! user would find herself on the same page, with the same things on it: a login page in place of an account, an error, an empty list
//! or a missing form are something else.
//!
//! - `departure`: the comparison, and in which order parts are looked at;
//! - `target`: where a redirect leads;
//! - `words`: the words of a text that are the same every time;
//! - `outline`: what a page has: title, headings, forms, lists, words;
//! - `members`: what a JSON body has;
//! - `varying`: what varies from run to run, and does not count;
//! - `text_change`: how two texts differ, which tells why.

pub(crate) mod departure;
mod members;
mod outline;
mod target;
pub(crate) mod text_change;
pub(crate) mod varying;
mod words;
