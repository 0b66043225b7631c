//! What varies from run to run on one and the same version, and masks for just those parts.
//!
//! A page that shows the time, a token, a random choice or an order among equals differs from itself. `learn`
//! finds in several answers to the same step the smallest parts that vary, `apply` puts a stand-in in their place
//! before anything is compared, and says what it covered. All comparators then look at the page without them.
//!
//! - `values`: the part of a value that varies: `took {number} ms`;
//! - `tree`, `selector`: elements, and how to name them: `ul.news > li > a`;
//! - `mask`: one part of a page that varies; `entry`: as it is written in a file;
//! - `apply`: a page with its masks on;
//! - `masked_share`: how much of a page that is;
//! - `pairing`, `ties`, `learn`, `widen`: from answers to masks; `page`: of one page of a run; `run`: of all;
//! - `number`: lists whose number of items varies, in two pages side by side;
//! - `evidence`: how far a mask reaches, by what was seen to vary;
//! - `today`: dates that say the day of the runs;
//! - `source`: JSON, XML and plain text as elements, so that one kind of mask is enough;
//! - `profile`: the masks and the oracle of every page; `calibrate`: how they are learnt from runs.

pub(crate) mod apply;
pub(crate) mod calibrate;
mod entry;
mod evidence;
pub(crate) mod learn;
pub(crate) mod mask;
pub(crate) mod masked_share;
pub(crate) mod number;
pub(crate) mod page;
mod pairing;
pub(crate) mod profile;
pub(crate) mod run;
mod selector;
pub(crate) mod source;
mod ties;
mod today;
pub(crate) mod tree;
pub(crate) mod values;
mod widen;

/// What stands in the place of a masked part.
pub(crate) const STAND_IN: &str = "\u{27e8}masked\u{27e9}";

/// Whether a text is a date or a time, or a moment told from now, and nothing else.
pub(crate) fn is_date(text: &str) -> bool {
    let text = text.trim().trim_matches(['"', '\u{27e8}', '\u{27e9}']);
    values::atoms::Class::of(text) == values::atoms::Class::Date || values::atoms::is_ago(text)
}
