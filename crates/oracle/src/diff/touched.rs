//! Which parts of two pages an edit touches, and which a comparator sees differ.

use std::collections::HashSet;

use restage_model::{Difference, Place};

use crate::comparators::features::Features;
use crate::comparators::view::{Item, Origin};
use crate::diff::collector::{Found, held};
use crate::diff::page_diff::Order;

/// Parts of two pages: words by where they stand, tags and style sheets by their token.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    listed: bool,
    words: [Vec<(u32, u32)>; 2],
    tokens: [HashSet<u32>; 2],
}

impl Touched {
    /// Those of what was removed and what was added.
    pub(crate) fn of(order: Order, removed: &[Item], added: &[Item]) -> Self {
        let mut touched = Self { listed: order == Order::Any, ..Self::default() };
        for (side, items) in [removed, added].into_iter().enumerate() {
            for item in items {
                match item.origin {
                    Origin::Word { from, to, .. } => touched.words[side].push((from, to)),
                    Origin::Tag(token) | Origin::Sheet(token) | Origin::Listed { token, .. } => {
                        touched.tokens[side].insert(token);
                    }
                    Origin::Line(..) | Origin::Blob => {}
                }
            }
            touched.words[side].sort_unstable();
        }
        touched
    }

    /// Two tags, of which one became the other.
    pub(crate) fn tags(was: u32, is: u32) -> Self {
        Self { tokens: [HashSet::from([was]), HashSet::from([is])], ..Self::default() }
    }

    /// Whether a comparator to which these differ sees an edit.
    pub(crate) fn sees(&self, edit: &Edit, features: Features) -> bool {
        let meets = (0..2).any(|side| {
            let (ours, theirs) = (&self.tokens[side], &edit.touched.tokens[side]);
            let (few, many) = if ours.len() < theirs.len() { (ours, theirs) } else { (theirs, ours) };
            few.iter().any(|token| many.contains(token)) || meet(&self.words[side], &edit.touched.words[side])
        });
        let attribute = match &edit.found.0 {
            Place::Attribute { element, attribute, .. } => {
                features.sees_attribute(self.listed, element.as_bytes(), attribute.as_bytes())
            }
            _ => true,
        };
        meets && attribute
    }
}

/// Whether two lists of ranges, each in order, have a place in common.
fn meet(ours: &[(u32, u32)], theirs: &[(u32, u32)]) -> bool {
    let (mut ours, mut theirs) = (ours.iter().peekable(), theirs.iter().peekable());
    while let (Some(a), Some(b)) = (ours.peek(), theirs.peek()) {
        if a.0 < b.1 && b.0 < a.1 {
            return true;
        }
        if a.1 <= b.1 {
            ours.next()
        } else {
            theirs.next()
        };
    }
    false
}

/// One edit, and who sees it.
#[derive(Debug)]
pub(crate) struct Edit {
    touched: Touched,
    found: Found,
    seen_by: Vec<String>,
    hidden: bool,
}

impl Edit {
    pub(crate) fn of(touched: Touched, found: Found) -> Self {
        Self { touched, found, seen_by: Vec::new(), hidden: false }
    }

    /// One of what no reader sees: only who compares bytes does.
    pub(crate) fn hidden(found: Found) -> Self {
        Self { touched: Touched::default(), found, seen_by: Vec::new(), hidden: true }
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Notes that it is seen by this comparator.
    pub(crate) fn is_seen_by(&mut self, id: &str) {
        if !self.seen_by.iter().any(|by| by == id) {
            self.seen_by.push(id.to_owned());
        }
    }

    /// The difference, where somebody sees it.
    pub(crate) fn seen(self) -> Option<Difference> {
        let (place, was, is) = self.found;
        let (was, is) = held(was, is);
        (!self.seen_by.is_empty()).then_some(Difference { seen_by: self.seen_by, place, was, is })
    }
}
