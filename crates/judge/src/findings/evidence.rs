//! What is kept of verdicts to see which changes are one thing.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use restage_model::{ChangeId, Difference, Key, Place, differing_parts};

use crate::JudgedSession;

/// Of so many sessions of a change it is kept what became what.
const SESSIONS: usize = 400;
/// Values of fewer letters and digits, both sides together, are the same by chance.
const TELLING: usize = 5;

/// What is kept of verdicts to see which changes are one thing.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// The sessions that ask for a page, in order.
    pub(super) visits: HashMap<Key, Vec<u32>>,
    /// The sessions of which it is known what they left behind.
    pub(super) aftermaths: Vec<u32>,
    /// What became what, by change: the session, and a hash of both values.
    pub(super) values: HashMap<ChangeId, HashSet<(u32, u64)>>,
}

impl Evidence {
    /// Takes a session, with what is accepted or ignored set aside.
    pub(crate) fn add(&mut self, session: &JudgedSession) {
        for verdict in &session.verdicts {
            let ordinal = verdict.at.session;
            match self.visits.get_mut(&verdict.key) {
                Some(visits) if visits.last() == Some(&ordinal) => {}
                Some(visits) => visits.push(ordinal),
                None => {
                    self.visits.insert(verdict.key.clone(), vec![ordinal]);
                }
            }
            verdict.differences.iter().for_each(|difference| self.add_values(ordinal, difference));
        }
        if let Some(aftermath) = &session.aftermath {
            self.aftermaths.push(aftermath.ordinal);
            aftermath
                .differences
                .iter()
                .for_each(|difference| self.add_values(aftermath.ordinal, difference));
        }
    }

    fn add_values(&mut self, session: u32, difference: &Difference) {
        let pairs = values(difference);
        if pairs.is_empty() {
            return;
        }
        let known = self.values.entry(difference.change_id()).or_default();
        if known.len() < SESSIONS {
            known.extend(pairs.into_iter().map(|pair| (session, pair)));
        }
    }
}

/// Hashes of what became what in a difference, as far as that tells something.
fn values(difference: &Difference) -> Vec<u64> {
    if let Place::Row { cells, .. } = &difference.place {
        let changed = cells.iter().filter_map(|cell| Some((cell.was.as_deref()?, cell.is.as_deref()?)));
        return changed.filter_map(|(was, is)| pair(was, is)).collect();
    }
    let (Some(was), Some(is)) = (&difference.was, &difference.is) else { return Vec::new() };
    // Of a line of text, the part that differs is what a table holds, too.
    let (was_part, is_part) = differing_words(was, is);
    [pair(was, is), pair(was_part, is_part)].into_iter().flatten().collect()
}

/// The words that differ, whole.
fn differing_words<'t>(was: &'t str, is: &'t str) -> (&'t str, &'t str) {
    let (was_part, is_part) = differing_parts(was, is, 0);
    (whole_words(was, was_part.text), whole_words(is, is_part.text))
}

/// A part of a text, with what is left of the words at its ends.
fn whole_words<'t>(text: &'t str, part: &str) -> &'t str {
    let Some(begin) =
        (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize).filter(|at| *at <= text.len())
    else {
        return text;
    };
    let end = (begin + part.len()).min(text.len());
    let start = text[..begin].rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let stop = text[end..].find(char::is_whitespace).map_or(text.len(), |at| end + at);
    text.get(start..stop).unwrap_or(text).trim()
}

/// A hash of what became what, however it is written: `$23.95` is 2395, `Ada@Example.org` is ada@example.org.
fn pair(was: &str, is: &str) -> Option<u64> {
    let (was, is) = (plain(was), plain(is));
    let tells = was.len() + is.len() >= TELLING && was != is;
    tells.then(|| BuildHasherDefault::<DefaultHasher>::default().hash_one((was, is)))
}

/// Letters and digits; of an amount, its digits.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    let all: String = letters.collect();
    let digits = all.chars().filter(char::is_ascii_digit).count();
    // A currency's name beside a number is not part of it; a code has more letters than that.
    if digits >= 3 && all.chars().count() - digits <= 3 {
        return all.chars().filter(char::is_ascii_digit).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_value_is_known_however_it_is_written() {
        assert_eq!(pair("$23.95", "$13.95"), pair("2395", "1395"));
        assert_eq!(pair("`Ada@Example.org`", "`ben@x.de`"), pair("ada@example.org", "ben@x.de"));
        assert_ne!(pair("$23.95", "$13.95"), pair("$13.95", "$23.95"));
        assert_eq!(pair("1", "2"), None, "the same by chance");
        let text = Difference::changed(
            "C",
            Place::Text { after: None },
            "Total: $23.95 with tax",
            "Total: $13.95 with tax",
        );
        assert!(values(&text).contains(&pair("2395", "1395").unwrap_or_default()));
    }
}
