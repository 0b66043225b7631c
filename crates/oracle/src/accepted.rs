//! Changes that are intended, by their names.

use std::collections::BTreeMap;

use restage_model::{ChangeId, Difference};

use crate::changes::{change_id, shape};

/// The changes that were accepted as intended, each with the reason that was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted(BTreeMap<ChangeId, String>);

impl FromIterator<(ChangeId, String)> for Accepted {
    /// Of two entries for one change the first counts.
    fn from_iter<I: IntoIterator<Item = (ChangeId, String)>>(entries: I) -> Self {
        let mut accepted = BTreeMap::new();
        for (id, reason) in entries {
            accepted.entry(id).or_insert(reason);
        }
        Self(accepted)
    }
}

impl Accepted {
    /// The changes' names, in order.
    pub fn ids(&self) -> impl Iterator<Item = &ChangeId> {
        self.0.keys()
    }

    /// Why a change was accepted; none where it was not, empty where no reason was given.
    pub fn reason(&self, id: &ChangeId) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    /// The name of the accepted change that a difference is of.
    pub(crate) fn of(&self, difference: &Difference) -> Option<&ChangeId> {
        // Most projects accept little, and most differences are looked up in vain.
        if self.0.is_empty() {
            return None;
        }
        self.0.get_key_value(&change_id(difference)).map(|(id, _)| id)
    }
}

/// Whether a difference can be accepted: one that only counts what is not told cannot, since it would stand for
/// anything.
pub fn can_be_accepted(difference: &Difference) -> bool {
    let untold = difference.expected.is_empty()
        && difference.actual.is_empty()
        && difference.summary.starts_with("and ")
        && difference.summary.ends_with(" more");
    !untold
}

/// Whether a difference is said without a word of the page it was found on, so that the same is said of many pages:
/// `status 200 became 404`.
pub fn names_no_place(difference: &Difference) -> bool {
    let said = &difference.summary;
    let flow = difference.seen_by == "Flist"
        && !said.starts_with("the redirect to ")
        && !said.contains(" leads to ");
    flow || said == "white space changed"
        || said.starts_with("white space changed in the source")
        || said.starts_with("the content is not the same")
}

/// Whether a difference is one of numbers alone, so that the change it is of has any number in their place.
pub fn differs_in_numbers(difference: &Difference) -> bool {
    let Difference { expected, actual, .. } = difference;
    // Statuses are numbers that a change does not leave out.
    let left_out = shape(&difference.summary) != difference.summary;
    left_out && expected != actual && shape(expected) == shape(actual)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(summary: &str, expected: &str, actual: &str) -> Difference {
        Difference {
            seen_by: "Flist".to_owned(),
            summary: summary.to_owned(),
            expected: expected.to_owned(),
            actual: actual.to_owned(),
        }
    }

    #[test]
    fn what_accepting_would_stand_for() {
        assert!(!can_be_accepted(&difference("and 3 more", "", "")));
        assert!(can_be_accepted(&difference("and 3 more", "a", "")));
        let status = difference("status 200 became 404", "200", "404");
        assert!(names_no_place(&status) && !differs_in_numbers(&status));
        let redirect = difference("the redirect to /a now leads to /b", "/a", "/b");
        assert!(!names_no_place(&redirect) && !differs_in_numbers(&redirect));
        assert!(differs_in_numbers(&difference("text \"$42\" became \"$9\"", "$42", "$9")));
        assert!(!differs_in_numbers(&difference("text \"$42\" became \"€9\"", "$42", "€9")));
    }
}
