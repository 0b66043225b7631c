//! Which field of a form became which, as two versions of a page have them.

use restage_html::Form;

use super::counterparts::FieldCounterpart;
use crate::builder::site_fields;
use crate::correspondence::pair_fields;

/// Which fields of a form have another name in another version of it.
pub fn renamed_fields(old: &Form, new: &Form) -> Vec<FieldCounterpart> {
    let (was, is) = (site_fields(old), site_fields(new));
    let pairs = pair_fields(&was, &is).into_iter().map(|pair| FieldCounterpart {
        was: was[pair.old].name.clone(),
        is: is[pair.new].name.clone(),
        confidence: pair.confidence,
    });
    pairs.filter(|pair| pair.was != pair.is).collect()
}
