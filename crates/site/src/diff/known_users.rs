//! Whom both maps know. What only a user saw whom one of them lacks is not known to be gone, or new.

use std::collections::BTreeSet;

use crate::site::Site;

/// The users of two maps.
pub(crate) struct KnownUsers {
    both: BTreeSet<String>,
}

impl KnownUsers {
    pub(crate) fn of(old: &Site, new: &Site) -> Self {
        let names =
            |site: &Site| -> BTreeSet<String> { site.users.iter().map(|user| user.name.clone()).collect() };
        Self { both: names(old).intersection(&names(new)).cloned().collect() }
    }

    /// Whether a part of a map that is there for these users can be compared with the other map. Where the maps have no user in common,
    /// their users are called otherwise, and everything is compared.
    pub(crate) fn can_compare(&self, users: &BTreeSet<String>) -> bool {
        users.is_empty() || self.both.is_empty() || !users.is_disjoint(&self.both)
    }

    /// Those of some users whom both maps know.
    pub(crate) fn known<'a>(&'a self, users: &'a BTreeSet<String>) -> impl Iterator<Item = &'a str> {
        users.intersection(&self.both).map(String::as_str)
    }
}
