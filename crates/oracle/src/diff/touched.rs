//! Which parts of two pages an edit touches, and which a comparator sees differ.

use std::collections::{BTreeSet, HashMap, HashSet};

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

    /// Whether a comparator to which these differ sees an edit that they touch.
    pub(crate) fn sees(&self, edit: &Edit, features: Features) -> bool {
        match &edit.found.0 {
            Place::Attribute { element, attribute, .. } => {
                features.sees_attribute(self.listed, element.as_bytes(), attribute.as_bytes())
            }
            _ => true,
        }
    }
}

/// Finds the edits that touch what something else touches: a page may have very many of both.
pub(crate) struct EditIndex {
    /// By token, on either side.
    tokens: [HashMap<u32, Vec<usize>>; 2],
    /// Ranges of the text in order, on either side, each with its edit.
    words: [Vec<(u32, u32, usize)>; 2],
}

impl EditIndex {
    pub(crate) fn of(edits: &[Edit]) -> Self {
        let mut index = Self { tokens: Default::default(), words: Default::default() };
        for (at, edit) in edits.iter().enumerate() {
            for side in 0..2 {
                for token in &edit.touched.tokens[side] {
                    index.tokens[side].entry(*token).or_default().push(at);
                }
                index.words[side].extend(edit.touched.words[side].iter().map(|(from, to)| (*from, *to, at)));
            }
        }
        index.words.iter_mut().for_each(|words| words.sort_unstable());
        index
    }

    /// The edits that have a part in common with these, in order.
    pub(crate) fn met_by(&self, touched: &Touched) -> BTreeSet<usize> {
        let mut met = BTreeSet::new();
        for side in 0..2 {
            for token in &touched.tokens[side] {
                met.extend(self.tokens[side].get(token).into_iter().flatten());
            }
            let words = &self.words[side];
            for (from, to) in &touched.words[side] {
                let first = words.partition_point(|(_, end, _)| end <= from);
                let meeting = words[first..].iter().take_while(|(start, ..)| start < to);
                met.extend(meeting.map(|(.., edit)| edit));
            }
        }
        met
    }
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
