//! Changes that are intended, by their names.

use std::collections::BTreeMap;

use restage_model::{ChangeId, Difference};

/// The changes that were accepted as intended, each with the reason that was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    by_id: BTreeMap<ChangeId, String>,
    /// Those of the first format, which named a change by a short hash of its sentence.
    of_format_1: BTreeMap<ChangeId, String>,
}

impl FromIterator<(ChangeId, String)> for Accepted {
    fn from_iter<I: IntoIterator<Item = (ChangeId, String)>>(entries: I) -> Self {
        let mut accepted = Self::default();
        entries.into_iter().for_each(|(id, reason)| accepted.add(id, reason));
        accepted
    }
}

impl Accepted {
    /// Adds a change by its id. Of two entries for one change the first counts.
    pub fn add(&mut self, id: ChangeId, reason: String) {
        self.by_id.entry(id).or_insert(reason);
    }

    /// Adds a change by the id that the first format gave it.
    pub fn add_of_format_1(&mut self, id: ChangeId, reason: String) {
        self.of_format_1.entry(id).or_insert(reason);
    }

    /// The changes' names, in order.
    pub fn ids(&self) -> impl Iterator<Item = &ChangeId> {
        self.by_id.keys().chain(self.of_format_1.keys())
    }

    /// Why a change was accepted, by the name it is accepted under; none where it was not, empty where no reason was
    /// given.
    pub fn reason(&self, id: &ChangeId) -> Option<&str> {
        self.by_id.get(id).or_else(|| self.of_format_1.get(id)).map(String::as_str)
    }

    /// The name under which a difference is accepted.
    pub fn of(&self, difference: &Difference) -> Option<&ChangeId> {
        // Most projects accept little, and most differences are looked up in vain.
        let by_id =
            (!self.by_id.is_empty()).then(|| self.by_id.get_key_value(&difference.change_id())).flatten();
        let of_format_1 = || {
            let id = (!self.of_format_1.is_empty()).then(|| difference.change_id_of_format_1())?;
            self.of_format_1.get_key_value(&id)
        };
        by_id.or_else(of_format_1).map(|(id, _)| id)
    }

    /// The name under which the first format accepted what was then told in these words.
    pub(crate) fn of_sentence(&self, sentence: &str) -> Option<&ChangeId> {
        let id = (!self.of_format_1.is_empty()).then(|| ChangeId::of_format_1(sentence))?;
        self.of_format_1.get_key_value(&id).map(|(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use restage_model::Place;

    use super::*;

    #[test]
    fn both_formats_hold() {
        let total = |was: &str| Difference::changed("C-WD", Place::Text { after: None }, was, "$0");
        let mut accepted = Accepted::default();
        assert_eq!(accepted.of(&total("$42")), None);
        accepted.add_of_format_1(ChangeId::of_format_1(r##"text "$#" became "$#""##), "then".to_owned());
        let id = accepted.of(&total("$7")).cloned().unwrap();
        assert_eq!((id.0.len(), accepted.reason(&id)), (6, Some("then")));
        accepted.add(total("$1").change_id(), "now".to_owned());
        let id = accepted.of(&total("$7")).cloned().unwrap();
        assert_eq!((id.0.len(), accepted.reason(&id)), (64, Some("now")));
        assert_eq!(accepted.of(&total("€7")), None);
    }

    #[test]
    fn what_accepting_would_stand_for() {
        let more =
            Difference { place: Place::More { count: 3, of: None }, was: None, is: None, seen_by: vec![] };
        assert!(!more.can_be_accepted());
        let status = Difference::changed("Flist", Place::Status, "200", "404");
        assert!(status.can_be_accepted() && status.names_no_place() && !status.differs_in_numbers());
        let redirect = Difference::changed("Flist", Place::Redirect, "/a", "/b");
        assert!(!redirect.names_no_place() && !redirect.differs_in_numbers());
        let text = |is| Difference::changed("C", Place::Text { after: None }, "$42", is);
        assert!(text("$9").differs_in_numbers() && !text("€9").differs_in_numbers());
    }
}
