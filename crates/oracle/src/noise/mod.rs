//! What varies from run to run on one and the same version, and masks for just those parts.
//!
//! A page that shows the time, a token, a random choice or an order among equals differs from itself. `learn`
//! finds in several answers to the same step the smallest parts that vary, `apply` puts a stand-in in their place
//! before anything is compared, and says what it covered. All comparators then look at the page without them.
//!
//! - `atoms`, `pattern`: the part of a value that varies: `took {number} ms`; `date_form`: how a date is written;
//! - `tree`, `selector`: elements, and how to name them: `ul.news > li > a`;
//! - `mask`: one part of a page that varies; `entry`: as it is written in a file;
//! - `apply`: a page with its masks on;
//! - `pairing`, `ties`, `learn`, `widen`: from answers to masks; `page`: of one page of a run; `run`: of all;
//! - `source`: JSON, XML and plain text as elements, so that one kind of mask is enough;
//! - `profile`: the masks and the oracle of every page; `calibrate`: how they are learnt from runs.

pub(crate) mod apply;
pub(crate) mod atoms;
pub(crate) mod calibrate;
mod date_form;
mod entry;
pub(crate) mod learn;
pub(crate) mod mask;
pub(crate) mod page;
mod pairing;
mod pattern;
pub(crate) mod profile;
pub(crate) mod run;
mod selector;
pub(crate) mod source;
mod ties;
pub(crate) mod tree;
mod widen;

/// What stands in the place of a masked part.
pub(crate) const STAND_IN: &str = "\u{27e8}masked\u{27e9}";

/// Whether a text is a date or a time and nothing else.
pub(crate) fn is_date(text: &str) -> bool {
    atoms::Class::of(text.trim().trim_matches(['"', '\u{27e8}', '\u{27e9}'])) == atoms::Class::Date
}
