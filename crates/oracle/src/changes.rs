//! The same difference on many steps, or after many sessions, is one change.

use std::collections::HashMap;

use restage_model::{Aftermath, Change, ChangeId, Difference, Key, Outcome, Verdict};

/// What the differences of a session's state are seen by.
const STATE: &str = "State";

/// The distinct differences of the failing verdicts and aftermaths, the most frequent first.
pub fn group_changes(verdicts: &[Verdict], aftermaths: &[Aftermath]) -> Vec<Change> {
    let mut grouped = Grouped::default();
    for verdict in verdicts.iter().filter(|v| v.outcome == Outcome::Fail) {
        for difference in &verdict.differences {
            let (change, keys) = grouped.of(difference);
            if change.steps.last() != Some(&verdict.at) {
                change.steps.push(verdict.at);
                keys.push(verdict.key.clone());
            }
        }
    }
    for aftermath in aftermaths.iter().filter(|a| a.outcome == Outcome::Fail) {
        for difference in &aftermath.differences {
            let (change, _) = grouped.of(difference);
            if change.sessions.last() != Some(&aftermath.ordinal) {
                change.sessions.push(aftermath.ordinal);
            }
        }
    }
    grouped.finish()
}

#[derive(Default)]
struct Grouped {
    places: HashMap<String, usize>,
    /// Each with the key of every step it shows in.
    changes: Vec<(Change, Vec<Key>)>,
}

impl Grouped {
    /// The change that a difference is one of.
    fn of(&mut self, difference: &Difference) -> &mut (Change, Vec<Key>) {
        let shape = if difference.seen_by == STATE {
            shape(&without_values(&difference.summary))
        } else {
            shape(&difference.summary)
        };
        let changes = &mut self.changes;
        let place = *self.places.entry(shape).or_insert_with_key(|shape| {
            let change = Change {
                id: ChangeId(blake3::hash(shape.as_bytes()).to_hex()[..6].to_owned()),
                summary: difference.summary.clone(),
                difference: difference.clone(),
                keys: Vec::new(),
                steps: Vec::new(),
                sessions: Vec::new(),
            };
            changes.push((change, Vec::new()));
            changes.len() - 1
        });
        &mut self.changes[place]
    }

    fn finish(self) -> Vec<Change> {
        let with_keys = |(change, keys)| Change { keys: most_frequent(keys), ..change };
        let mut changes: Vec<Change> = self.changes.into_iter().map(with_keys).collect();
        changes.sort_by_key(|c| {
            let first_session = c.sessions.first().map(|session| (*session, u32::MAX));
            let first = c.steps.first().map(|at| (at.session, at.step)).or(first_session);
            (std::cmp::Reverse(c.steps.len().max(c.sessions.len())), first)
        });
        changes
    }
}

/// A summary with its numbers left out: a total that is wrong on every page is one change, though it is
/// another total each time.
fn shape(summary: &str) -> String {
    let mut out = String::with_capacity(summary.len());
    for c in summary.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}

/// What is said of a row without what was in it: a row that is missing after every session is one change, though
/// it is another row each time.
fn without_values(summary: &str) -> String {
    let ends =
        [" is gone: ", " appeared: "].iter().filter_map(|end| summary.find(end).map(|at| at + end.len()));
    let summary = ends.min().map_or(summary, |end| &summary[..end]);
    // Texts are in backticks, bytes are x'…'.
    let mut out = String::new();
    let mut rest = summary;
    while let Some(from) = rest.find(['`', '\'']) {
        let mark = &rest[from..from + 1];
        let Some(length) = rest[from + 1..].find(mark) else { break };
        out.push_str(&rest[..from + 1]);
        rest = &rest[from + 1 + length..];
        out.push_str(&rest[..1]);
        rest = &rest[1..];
    }
    out + rest
}

fn most_frequent(keys: Vec<Key>) -> Vec<Key> {
    let mut counts: HashMap<Key, usize> = HashMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    let mut counted: Vec<(Key, usize)> = counts.into_iter().collect();
    counted.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
    counted.into_iter().map(|(key, _)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aftermath(ordinal: u32, differences: &[(&str, &str)]) -> Aftermath {
        let difference = |(seen_by, summary): &(&str, &str)| Difference {
            seen_by: (*seen_by).to_owned(),
            summary: (*summary).to_owned(),
            expected: String::new(),
            actual: String::new(),
        };
        Aftermath {
            ordinal,
            session: format!("s{ordinal}"),
            outcome: Outcome::Fail,
            differences: differences.iter().map(difference).collect(),
            accepted: Vec::new(),
            masked: Vec::new(),
        }
    }

    #[test]
    fn rows_that_are_missing_after_each_session_are_one_change_whatever_was_in_them() {
        let changes = group_changes(
            &[],
            &[
                aftermath(0, &[("State", "row 3 of line (a.db) is gone: title `Emma`, price 3")]),
                aftermath(
                    2,
                    &[
                        ("State", "row 17 of line (a.db) is gone: title `It's`, price 4"),
                        ("State", "row 18 of line (a.db) is gone: title `Nemo`, price 4"),
                        ("State", "row `x1` of t (a.db): a was `1`, is x'0a'; b was `2`, is `3`"),
                    ],
                ),
                aftermath(3, &[("State", "row `y2` of t (a.db): a was `9`, is x'ff'; b was `8`, is `7`")]),
                aftermath(4, &[("State", "row 1 of line (a.db) appeared: title `Emma`")]),
            ],
        );
        let sessions: Vec<&[u32]> = changes.iter().map(|c| c.sessions.as_slice()).collect();
        assert_eq!(sessions, [&[0, 2][..], &[2, 3], &[4]]);
        assert_eq!(changes[0].summary, "row 3 of line (a.db) is gone: title `Emma`, price 3");
        assert!(changes.iter().all(|c| c.steps.is_empty() && c.keys.is_empty()));
    }
}
