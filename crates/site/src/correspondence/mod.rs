//! Which node of a newer map is which of an older one, though it was renamed, moved, or changed.
//!
//! - `found`: what is found: for each old node the new one, with a confidence, the reasons, and which field became which;
//! - `words`: what names and texts are compared by; `fields`: which field of a form became which; `field_gaps`: where one stands;
//! - `features`: what is known of each node, and how telling that is; `evidence`: what speaks for and against a pair;
//! - `candidates`: pairs that are worth a look; `matching`: the pairs that are taken.
//!
//! Two unrelated nodes are worse as a pair than none: in doubt there is none.

mod candidates;
mod evidence;
mod features;
mod field_gaps;
mod fields;
mod found;
mod matching;
mod words;

pub use evidence::{Evidence, Reason};
pub use fields::FieldReason;
pub(crate) use fields::pair_fields;
pub use found::{Correspondence, FieldMatch, NodeMatch};
pub use matching::correspondence;
pub(crate) use words::normal;
