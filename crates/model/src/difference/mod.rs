//! One difference between what was expected and what is: data, with the sentence a person reads as its display.
//!
//! - `place`: where it is, in the terms of what was compared;
//! - `kind`: what it is about: an error, data, flow, a form, a link, text, looks (paper 1's fault categories);
//! - `identity`: which change it is of, whatever the comparator that saw it and whatever words it is told in;
//! - `wording`: the sentence; `excerpt`: the part of a long text that is worth showing.

mod excerpt;
mod identity;
mod kind;
mod place;
mod wording;

use serde::{Deserialize, Serialize};

pub use excerpt::{Excerpt, counted, differing_parts, quoted, quoted_apart, shortened, shown_apart};
pub use identity::{ChangeId, number_free};
pub use kind::DifferenceKind;
pub use place::{CellChange, FileAspect, Place, StoredThing};

/// One difference between two responses, two states, or two logs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Difference {
    /// What saw it: comparators (`C-WD`), or `Flist`, `Headers`, `Errors`, `State`, `Log`, `JSON`, …
    pub seen_by: Vec<String>,
    /// Where it is.
    pub place: Place,
    /// The part as expected; none where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The part as it is now; none where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<String>,
}

impl Difference {
    /// A part that became another.
    pub fn changed(seen_by: &str, place: Place, was: impl Into<String>, is: impl Into<String>) -> Self {
        Self { seen_by: vec![seen_by.to_owned()], place, was: Some(was.into()), is: Some(is.into()) }
    }

    /// A part that is there no more.
    pub fn gone(seen_by: &str, place: Place, was: impl Into<String>) -> Self {
        Self { seen_by: vec![seen_by.to_owned()], place, was: Some(was.into()), is: None }
    }

    /// A part that was not there.
    pub fn appeared(seen_by: &str, place: Place, is: impl Into<String>) -> Self {
        Self { seen_by: vec![seen_by.to_owned()], place, was: None, is: Some(is.into()) }
    }

    /// The part as expected; empty where there was none.
    pub fn expected(&self) -> &str {
        self.was.as_deref().unwrap_or_default()
    }

    /// The part as it is now; empty where there is none.
    pub fn actual(&self) -> &str {
        self.is.as_deref().unwrap_or_default()
    }

    /// Who saw it, in a line: `C-WD, N+I`.
    pub fn seen_by_all(&self) -> String {
        self.seen_by.join(", ")
    }

    /// Whether it was seen by this one.
    pub fn is_seen_by(&self, name: &str) -> bool {
        self.seen_by.iter().any(|by| by == name)
    }

    /// Whether both are the same edit, whoever saw it.
    pub fn is_same_edit(&self, other: &Self) -> bool {
        self.place == other.place && self.was == other.was && self.is == other.is
    }

    /// Whether it can be accepted: one that only counts what is not told cannot, since it would stand for anything.
    pub fn can_be_accepted(&self) -> bool {
        !matches!(self.place, Place::More { .. })
    }

    /// Whether it says nothing of where on the page it is, so that the same is found on many pages:
    /// `status 200 became 404`.
    pub fn names_no_place(&self) -> bool {
        match &self.place {
            Place::Status | Place::ContentType | Place::NoAnswer | Place::Answered | Place::Content => true,
            Place::WhiteSpace { after } => after.is_none(),
            _ => false,
        }
    }

    /// Whether it differs in numbers alone, so that the change it is of has any number in their place.
    pub fn differs_in_numbers(&self) -> bool {
        // Statuses are numbers that a change does not leave out.
        !matches!(self.place, Place::Status)
            && self.was != self.is
            && matches!((&self.was, &self.is), (Some(was), Some(is)) if number_free(was) == number_free(is))
    }

    /// Puts other texts in place of those that `cover` has one for: values as they are, those with a name (a column, a member of JSON, a field, a cookie, a
    /// header) with that name before them, by which a secret is known.
    pub fn cover(&mut self, cover: &mut dyn FnMut(&str) -> Option<String>) {
        let mut one = |text: &mut String| {
            if let Some(covered) = cover(text) {
                *text = covered;
            }
        };
        let mut named = |name: &str, value: &mut String| {
            let name = format!("{name} = ");
            let mut text = format!("{name}{value}");
            one(&mut text);
            if let Some(covered) = text.strip_prefix(&name) {
                *value = covered.to_owned();
            }
        };
        let name = match &self.place {
            Place::Json { path } => path.rsplit(['.', '[']).next().map(|name| name.trim_matches(['"', ']'])),
            Place::Attribute { named, .. } => named.as_deref(),
            Place::Header { name, .. } | Place::Cookie { name, attribute: None } => Some(name.as_str()),
            _ => None,
        };
        if let Some(name) = name.filter(|name| !name.is_empty()).map(str::to_owned) {
            self.was.iter_mut().chain(&mut self.is).for_each(|value| named(&name, value));
        }
        if let Place::Row { row, with, cells, .. } = &mut self.place {
            row.iter_mut().chain(with).for_each(|(column, value)| named(column, value));
            for CellChange { column, was, is } in cells {
                was.iter_mut().chain(is).for_each(|value| named(column, value));
            }
        }
        // What has a name is told by itself, too.
        self.was.iter_mut().chain(&mut self.is).chain(self.place.texts_mut()).for_each(one);
    }
}
