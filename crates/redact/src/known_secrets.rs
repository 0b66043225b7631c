//! Secrets that were met before, found again wherever they stand.
//!
//! Each is known by a long run of letters and digits that few others have, so that a text is looked through once, run by run, however many are known.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::candidates::telling_run;
use crate::encoding::{after_escape, every_spelling};
use crate::secret_kind::Kind;

/// How many are known at a time, at least; the oldest are forgotten first.
const ENOUGH: usize = 200_000;
/// Runs shorter than this are not looked at.
pub(crate) const SHORTEST_RUN: usize = 2;

/// One secret and its stand-in.
#[derive(Clone, Debug)]
struct Entry {
    kind: Kind,
    value: String,
    /// What stands before and after the run, spelled in one way, and all of the stand-in spelled likewise.
    spelled: Vec<(String, String, String)>,
}

/// Secrets that were met before.
#[derive(Debug)]
pub(crate) struct KnownSecrets {
    /// How many are known at a time, at least.
    enough: usize,
    new: HashMap<Box<[u8]>, Vec<Entry>, FixedState>,
    old: HashMap<Box<[u8]>, Vec<Entry>, FixedState>,
}

impl Default for KnownSecrets {
    fn default() -> Self {
        Self { enough: ENOUGH, new: HashMap::default(), old: HashMap::default() }
    }
}

/// Where a known secret stands in a text.
#[derive(Debug)]
pub(crate) struct Sighting<'k> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    /// The stand-in, spelled as the secret was.
    pub(crate) stand_in: &'k str,
}

impl KnownSecrets {
    /// None is ever forgotten.
    pub(crate) fn of_any_number() -> Self {
        Self { enough: usize::MAX, ..Self::default() }
    }

    /// Adds a secret; whether it was not known.
    pub(crate) fn add(&mut self, kind: Kind, value: &str, stand_in: &str) -> bool {
        let Some(run) = telling_run(value).filter(|run| run.len() >= SHORTEST_RUN) else { return false };
        let key = run.as_bytes();
        let has = |entries: Option<&Vec<Entry>>| entries.is_some_and(|e| e.iter().any(|e| e.value == value));
        if has(self.new.get(key)) {
            return false;
        }
        let known = has(self.old.get(key));
        if self.new.len() >= self.enough {
            self.old = std::mem::take(&mut self.new);
        }
        let entry = Entry { kind, value: value.to_owned(), spelled: spelled(value, run, stand_in) };
        self.new.entry(key.into()).or_default().push(entry);
        !known
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.new.is_empty() && self.old.is_empty()
    }

    /// Whether a secret is known.
    pub(crate) fn has(&self, value: &str) -> bool {
        telling_run(value).is_some_and(|run| self.entries(run.as_bytes()).any(|e| e.value == value))
    }

    /// All that are known, with their stand-ins.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.new.values().chain(self.old.values()).flatten();
        entries.filter_map(|entry| Some((entry.value.as_str(), entry.spelled.first()?.2.as_str())))
    }

    fn entries(&self, run: &[u8]) -> impl Iterator<Item = &Entry> {
        self.new.get(run).into_iter().chain(self.old.get(run)).flatten()
    }

    /// All known secrets in a text, in order.
    pub(crate) fn find<'k>(&'k self, text: &[u8], mut found: impl FnMut(Sighting<'k>)) {
        if self.is_empty() {
            return;
        }
        let mut at = 0;
        while at < text.len() {
            if !text[at].is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let length =
                text[at..].iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(text.len() - at);
            let end = at + length;
            if length >= SHORTEST_RUN {
                let start = after_escape(text, at, end);
                // What looks like an escape may be none.
                for from in [Some(at), (start != at).then_some(start)].into_iter().flatten() {
                    if from < end
                        && let Some(sighting) = self.at(text, from, end)
                    {
                        at = sighting.end.max(end);
                        found(sighting);
                        break;
                    }
                }
            }
            at = at.max(end);
        }
    }

    /// A secret that is known by that run.
    fn at<'k>(&'k self, text: &[u8], start: usize, end: usize) -> Option<Sighting<'k>> {
        self.entries(&text[start..end]).find_map(|entry| {
            let (before, after, stand_in) = entry.spelled.iter().find(|(before, after, _)| {
                text[..start].ends_with(before.as_bytes()) && text[end..].starts_with(after.as_bytes())
            })?;
            Some(Sighting { start: start - before.len(), end: end + after.len(), kind: entry.kind, stand_in })
        })
    }
}

fn spelled(value: &str, run: &str, stand_in: &str) -> Vec<(String, String, String)> {
    let split = value.find(run).unwrap_or(0);
    let before = every_spelling(&value[..split]);
    let after = every_spelling(&value[split + run.len()..]);
    let mut spelled: Vec<(String, String, String)> = Vec::new();
    for ((before, after), whole) in before.into_iter().zip(after).zip(every_spelling(stand_in)) {
        if !spelled.iter().any(|(b, a, _)| *b == before && *a == after) {
            spelled.push((before, after, whole));
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(known: &KnownSecrets, text: &str) -> String {
        let mut out = String::new();
        let mut from = 0;
        known.find(text.as_bytes(), |sighting| {
            out.push_str(&text[from..sighting.start]);
            out.push_str(sighting.stand_in);
            from = sighting.end;
        });
        out + &text[from..]
    }

    /// Catches: a secret that is overlooked in another spelling or right after an escape, or found inside a longer word.
    #[test]
    fn found_in_every_spelling() {
        let mut known = KnownSecrets::default();
        assert!(known.add(Kind::Password, "p@ss w0rd&1", "q@xy z1ab&9"));
        assert!(!known.add(Kind::Password, "p@ss w0rd&1", "q@xy z1ab&9"));
        assert!(known.add(Kind::Token, "abc123", "xyz789"));
        for (text, expected) in [
            ("it is p@ss w0rd&1.", "it is q@xy z1ab&9."),
            ("a=p%40ss+w0rd%261&b", "a=q%40xy+z1ab%269&b"),
            ("a=p%40ss%20w0rd%261&b", "a=q%40xy%20z1ab%269&b"),
            ("<b>p@ss w0rd&amp;1</b>", "<b>q@xy z1ab&amp;9</b>"),
            ("x%3Dabc123%26", "x%3Dxyz789%26"),
            (r"\nabc123\n", r"\nxyz789\n"),
            ("/abc123/abc1234/xabc123", "/xyz789/abc1234/xabc123"),
        ] {
            assert_eq!(replaced(&known, text), expected);
        }
    }
}
