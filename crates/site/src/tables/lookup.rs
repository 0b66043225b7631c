//! The parameter look-up table: what sessions sent, by form and by the parameter's name (paper 3, step 1.2).

use std::collections::HashMap;

use restage_model::ExchangeId;

use crate::builder::name_template;

/// So many submissions of one form are kept, no two alike.
const SUBMISSIONS: usize = 24;
/// So many values of one name are kept.
const VALUES: usize = 24;
/// Longer values are not kept by name: they belong to their form.
const LONGEST: usize = 400;

/// What sessions sent.
#[derive(Clone, Debug, Default)]
pub struct LookupTable {
    forms: HashMap<String, Vec<Submission>>,
    names: HashMap<String, Vec<(String, ExchangeId)>>,
}

/// What a session sent for a form: the values belong together, as a user's name and her password do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// The request.
    pub exchange: ExchangeId,
    /// Who was logged in.
    pub user: String,
    /// Whether the application took it, as far as its answer tells: it did not show the form once more.
    pub accepted: bool,
    /// Names and values, in order.
    pub fields: Vec<(String, String)>,
}

impl LookupTable {
    /// Takes in what a session sent to a node. Values that a page had put into the request are of no use: `typed` says of a name
    /// whether the user had a say in it.
    pub fn add(&mut self, node: &str, submission: Submission, typed: impl Fn(&str) -> bool) {
        for (name, value) in submission
            .fields
            .iter()
            .filter(|(name, value)| !value.is_empty() && value.len() <= LONGEST && typed(name))
        {
            let values = self.names.entry(name_template(name)).or_default();
            if values.len() < VALUES && !values.iter().any(|(known, _)| known == value) {
                values.push((value.clone(), submission.exchange));
            }
        }
        let known = self.forms.entry(node.to_owned()).or_default();
        let alike = |other: &Submission| {
            let typed_of = |fields: &[(String, String)]| -> Vec<(String, String)> {
                fields.iter().filter(|(name, _)| typed(name)).cloned().collect()
            };
            typed_of(&other.fields) == typed_of(&submission.fields) && other.user == submission.user
        };
        if known.len() < SUBMISSIONS && !known.iter().any(alike) {
            known.push(submission);
        }
    }

    /// What sessions sent for a form: what was accepted first, and of that, what this user sent.
    pub fn of_form<'a>(&'a self, node: &str, user: &str) -> Vec<&'a Submission> {
        let mut found: Vec<&Submission> = self.forms.get(node).into_iter().flatten().collect();
        found.sort_by_key(|submission| (!submission.accepted, submission.user != user));
        found
    }

    /// What sessions sent for parameters of this name, the first one first.
    pub fn of_name(&self, name: &str) -> impl Iterator<Item = &(String, ExchangeId)> {
        self.names.get(&name_template(name)).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(exchange: i64, user: &str, fields: &[(&str, &str)]) -> Submission {
        let fields = fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Submission { exchange: ExchangeId(exchange), user: user.to_owned(), accepted: true, fields }
    }

    /// Catches: a table that grows with the traffic, tokens that are offered as what users type, another user's values first.
    #[test]
    fn each_value_is_kept_once_and_what_pages_hold_is_not() {
        let mut table = LookupTable::default();
        for n in 0..100 {
            let token = n.to_string();
            table.add("POST /a?q&t", submission(n, "s1", &[("q", "x"), ("t", &token)]), |name| name == "q");
        }
        table.add("POST /a?q&t", submission(7, "s2", &[("q", "y"), ("t", "1")]), |name| name == "q");
        assert_eq!(
            table.of_form("POST /a?q&t", "s2").iter().map(|s| s.exchange.0).collect::<Vec<_>>(),
            [7, 0]
        );
        assert_eq!(table.of_name("q").map(|(value, _)| value.as_str()).collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(table.of_name("t").count(), 0);
    }
}
