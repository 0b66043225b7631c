//! Changes that are intended, by their names.

use std::collections::BTreeMap;

use restage_model::{ChangeId, Difference};

use crate::changes::change_id;

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
