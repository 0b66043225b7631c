//! The differences found so far: each once, in bounds.

use std::collections::HashSet;

use restage_model::{Difference, Excerpt, Place, differing_parts};

/// More differences than these are counted, not told.
pub(crate) const TOLD: usize = 200;
/// After so many, they are not even made to see whether they have been told: most have.
const TRIED: usize = 20_000;
/// Of longer parts a difference holds, in bytes, what differs and a little around it, and no more than that.
const HELD: usize = 16 * 1024;
const HELD_AROUND: usize = 200;

/// A place, the part as expected, the part as it is.
pub(crate) type Found = (Place, Option<String>, Option<String>);

/// The differences found so far by one that looks.
pub(crate) struct DifferenceCollector {
    seen_by: String,
    differences: Vec<Difference>,
    told: HashSet<Difference>,
    tried: usize,
    more: usize,
}

impl DifferenceCollector {
    pub(crate) fn by(seen_by: &str) -> Self {
        Self { seen_by: seen_by.to_owned(), differences: Vec::new(), told: HashSet::new(), tried: 0, more: 0 }
    }

    /// Adds a difference, unless it is there already. It is made only when it will be kept.
    pub(crate) fn add(&mut self, found: impl FnOnce() -> Found) {
        if self.differences.len() == TOLD || self.tried == TRIED {
            self.more += 1;
            return;
        }
        self.tried += 1;
        let (place, was, is) = found();
        let (was, is) = held(was, is);
        let difference = Difference { seen_by: vec![self.seen_by.clone()], place, was, is };
        if self.told.insert(difference.clone()) {
            self.differences.push(difference);
        }
    }

    /// A part that became another.
    pub(crate) fn changed(&mut self, found: impl FnOnce() -> (Place, String, String)) {
        self.add(|| {
            let (place, was, is) = found();
            (place, Some(was), Some(is))
        });
    }

    pub(crate) fn finish(self) -> Vec<Difference> {
        let mut differences = self.differences;
        if self.more > 0 {
            let place = Place::More { count: self.more, of: None };
            differences.push(Difference { seen_by: vec![self.seen_by], place, was: None, is: None });
        }
        differences
    }
}

/// Two parts as a difference holds them: whole where they are short, else from a little before to a little after what
/// differs.
pub(crate) fn held(was: Option<String>, is: Option<String>) -> (Option<String>, Option<String>) {
    let is_short = |side: &Option<String>| side.as_ref().is_none_or(|text| text.len() <= HELD);
    if is_short(&was) && is_short(&is) {
        return (was, is);
    }
    let (before, after) = (was.as_deref().unwrap_or_default(), is.as_deref().unwrap_or_default());
    let (before, after) = differing_parts(before, after, HELD_AROUND);
    let part = |excerpt: Excerpt<'_>| {
        let text = excerpt.text;
        let (front, back) = (excerpt.before(), excerpt.behind());
        if text.len() <= HELD {
            return format!("{front}{text}{back}");
        }
        let (head, tail) =
            (text.floor_char_boundary(HELD * 2 / 3), text.ceil_char_boundary(text.len() - HELD / 3));
        format!("{front}{}…{}{back}", &text[..head], &text[tail..])
    };
    (was.is_some().then(|| part(before)), is.is_some().then(|| part(after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(n: usize) -> Found {
        (Place::Text { after: None }, Some(format!("{n}")), None)
    }

    #[test]
    fn what_is_too_much_is_counted() {
        let mut found = DifferenceCollector::by("X");
        (0..203).for_each(|n| found.add(|| text(n)));
        let differences = found.finish();
        assert_eq!(differences.len(), 201);
        assert_eq!(differences[200].to_string(), "and 3 more");
    }

    #[test]
    fn what_has_been_told_is_not_told_again() {
        let mut found = DifferenceCollector::by("X");
        (0..50_000).for_each(|n| found.add(|| text(n % 7)));
        let differences = found.finish();
        assert_eq!(differences.len(), 8);
        assert_eq!(differences[7].to_string(), "and 30000 more");
    }

    #[test]
    fn of_long_parts_what_differs_is_held() {
        let long = "é".repeat(HELD);
        let (was, is) = held(Some(format!("{long}1{long}")), Some(format!("{long}2{long}")));
        let (was, is) = (was.unwrap(), is.unwrap());
        assert!(was.len() < 1000 && was.contains('1') && is.contains('2'), "{was}");
        let (was, is) = held(Some(format!("a{long}")), Some(format!("b{}", "ü".repeat(HELD))));
        let (was, is) = (was.unwrap(), is.unwrap());
        assert!(was.starts_with("aé") && is.starts_with("bü") && was.len() < 2 * HELD);
        assert_eq!(held(None, Some("x".repeat(HELD))).1.unwrap().len(), HELD);
    }
}
