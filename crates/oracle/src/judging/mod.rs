//! Run + run → verdicts and changes.
//!
//! - `inspection`: a step of one run beside that of another; `judge`: verdicts; `hits`: which comparators see what;
//! - `changes`: the same difference on many steps, or after many sessions, is one change;
//! - `suppress`: changes that fail nothing, since they were `accepted` or a rule has them `ignored` by a `pattern`.

pub(crate) mod accepted;
pub(crate) mod changes;
pub(crate) mod hits;
pub(crate) mod ignored;
pub(crate) mod inspection;
pub(crate) mod judge;
pub(crate) mod pattern;
pub(crate) mod suppress;
