//! Which of the recorded submissions a form is sent with, by where its answer is to lead.
//!
//! A form that is taken leads elsewhere than one that is refused, and a search with many results elsewhere than one with few. Which
//! submission leads where is learnt by sending them.

use std::collections::{BTreeSet, HashMap};

use restage_site::{LookupTable, Submission};

/// Where the answers to a form led, by the submission that it was sent with.
#[derive(Debug, Default)]
pub(crate) struct SubmissionMemory {
    led_to: HashMap<(String, usize), BTreeSet<String>>,
}

/// What a form can be sent with: what sessions sent and the application took, then the tables alone, then what was refused.
pub(crate) fn candidates<'a>(lookup: &'a LookupTable, form: &str, user: &str) -> Vec<Option<&'a Submission>> {
    let (taken, refused): (Vec<_>, Vec<_>) =
        lookup.of_form(form, user).into_iter().partition(|submission| submission.accepted);
    taken.into_iter().map(Some).chain([None]).chain(refused.into_iter().map(Some)).collect()
}

impl SubmissionMemory {
    /// The place of the submission to send a form with: the first, unless its answer is known not to lead to the next node; then one whose
    /// answer does, or one that was not tried yet.
    pub(crate) fn choose(&self, form: &str, next: Option<&str>, candidates: &[Option<&Submission>]) -> usize {
        let Some(next) = next else { return 0 };
        if self.leads(form, 0, next) != Some(false) {
            return 0;
        }
        let places = || 0..candidates.len();
        if let Some(place) = places().find(|&place| self.leads(form, place, next) == Some(true)) {
            return place;
        }
        let untried = places().filter(|&place| !self.led_to.contains_key(&(form.to_owned(), place)));
        // Another one that is taken leads where the first did, unless it asks for something only.
        let order = |place: &usize| {
            let taken = candidates[*place].is_some_and(|submission| submission.accepted);
            (taken && !form.starts_with("GET "), *place)
        };
        untried.min_by_key(order).unwrap_or(0)
    }

    /// Whether the answer to a submission led to a node, when it was sent last.
    pub(crate) fn leads(&self, form: &str, place: usize, next: &str) -> Option<bool> {
        self.led_to.get(&(form.to_owned(), place)).map(|led_to| led_to.contains(next))
    }

    /// Notes where an answer leads.
    pub(crate) fn note(&mut self, form: &str, place: usize, led_to: BTreeSet<String>) {
        self.led_to.insert((form.to_owned(), place), led_to);
    }
}

#[cfg(test)]
mod tests {
    use restage_model::ExchangeId;

    use super::*;

    const FORM: &str = "POST /buy?amount";

    fn submission(accepted: bool) -> Submission {
        Submission { exchange: ExchangeId(1), user: "s1".to_owned(), accepted, fields: Vec::new() }
    }

    fn to(nodes: &[&str]) -> BTreeSet<String> {
        nodes.iter().map(|node| (*node).to_owned()).collect()
    }

    /// Catches: a form that is never sent so that it is refused, though only the refusal leads on; one that is sent for ever.
    #[test]
    fn what_leads_on_is_sent() {
        let (taken, other, refused) = (submission(true), submission(true), submission(false));
        let candidates = [Some(&taken), Some(&other), None, Some(&refused)];
        let mut memory = SubmissionMemory::default();
        assert_eq!(memory.choose(FORM, None, &candidates), 0);
        assert_eq!(memory.choose(FORM, Some("GET /help"), &candidates), 0);
        memory.note(FORM, 0, to(&["GET /thanks"]));
        assert_eq!(memory.choose(FORM, Some("GET /thanks"), &candidates), 0);
        // The tables alone may well be refused; what was taken comes last.
        assert_eq!(memory.choose(FORM, Some("GET /help"), &candidates), 2);
        memory.note(FORM, 2, to(&["GET /thanks"]));
        assert_eq!(memory.choose(FORM, Some("GET /help"), &candidates), 3);
        memory.note(FORM, 3, to(&["GET /help"]));
        assert_eq!(memory.choose(FORM, Some("GET /help"), &candidates), 3);
        assert_eq!(memory.choose(FORM, Some("GET /terms"), &candidates), 1);
        memory.note(FORM, 1, to(&[]));
        assert_eq!(memory.choose(FORM, Some("GET /terms"), &candidates), 0);
    }

    /// Catches: a search that is tried with what was refused before another search is.
    #[test]
    fn a_search_is_tried_in_order() {
        let (first, second, refused) = (submission(true), submission(true), submission(false));
        let candidates = [Some(&first), Some(&second), None, Some(&refused)];
        let mut memory = SubmissionMemory::default();
        memory.note("GET /find?q", 0, to(&["GET /"]));
        assert_eq!(memory.choose("GET /find?q", Some("GET /find?page&q"), &candidates), 1);
    }
}
