//! The same difference on many steps, or after many sessions, is one change.

use std::collections::HashMap;

use restage_model::{Aftermath, Change, ChangeId, Difference, Key, Verdict};

/// What the differences of a session's state are seen by.
const STATE: &str = "State";

/// Which of the differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that fail.
    Failing,
    /// Those that were accepted.
    Accepted,
    /// Those that a rule ignores.
    Ignored,
}

impl Which {
    fn of_step(self, verdict: &Verdict) -> &[Difference] {
        match self {
            Self::Failing => &verdict.differences,
            Self::Accepted => &verdict.accepted,
            Self::Ignored => &verdict.ignored,
        }
    }

    fn of_aftermath(self, aftermath: &Aftermath) -> &[Difference] {
        match self {
            Self::Failing => &aftermath.differences,
            Self::Accepted => &aftermath.accepted,
            Self::Ignored => &aftermath.ignored,
        }
    }
}

/// The distinct differences of steps and aftermaths, the most frequent first.
pub(crate) fn group(verdicts: &[Verdict], aftermaths: &[Aftermath], which: Which) -> Vec<Change> {
    let mut groups = Groups::default();
    for verdict in verdicts {
        for difference in which.of_step(verdict) {
            let (change, keys) = groups.of(difference);
            if change.steps.last() != Some(&verdict.at) {
                change.steps.push(verdict.at);
                keys.push(verdict.key.clone());
            }
        }
    }
    for aftermath in aftermaths {
        for difference in which.of_aftermath(aftermath) {
            let (change, _) = groups.of(difference);
            if change.sessions.last() != Some(&aftermath.ordinal) {
                change.sessions.push(aftermath.ordinal);
            }
        }
    }
    groups.finish()
}

/// The distinct differences that fail.
pub fn group_changes(verdicts: &[Verdict], aftermaths: &[Aftermath]) -> Vec<Change> {
    group(verdicts, aftermaths, Which::Failing)
}

/// The name of the change that a difference is of.
pub fn change_id(difference: &Difference) -> ChangeId {
    ChangeId(blake3::hash(shape_of(difference).as_bytes()).to_hex()[..6].to_owned())
}

/// What all differences of a change have in common.
fn shape_of(difference: &Difference) -> String {
    if difference.seen_by == STATE {
        shape(&without_values(&difference.summary))
    } else {
        shape(&difference.summary)
    }
}

/// A summary with its numbers left out: a total that is wrong on every page is one change, though it is
/// another total each time. A status is no such number.
pub(crate) fn shape(summary: &str) -> String {
    if is_of_statuses(summary) {
        return summary.to_owned();
    }
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

fn is_of_statuses(summary: &str) -> bool {
    let is_status =
        |text: &str| text == "none" || text.len() == 3 && text.bytes().all(|b| b.is_ascii_digit());
    let statuses = summary.strip_prefix("status ").and_then(|rest| rest.split_once(" became "));
    statuses.is_some_and(|(was, is)| is_status(was) && is_status(is))
}

/// The changes so far, each with the page of each of its steps.
#[derive(Default)]
struct Groups {
    places: HashMap<String, usize>,
    changes: Vec<(Change, Vec<Key>)>,
}

impl Groups {
    fn of(&mut self, difference: &Difference) -> &mut (Change, Vec<Key>) {
        let place = *self.places.entry(shape_of(difference)).or_insert_with(|| {
            let change = Change {
                id: change_id(difference),
                summary: difference.summary.clone(),
                difference: difference.clone(),
                keys: Vec::new(),
                steps: Vec::new(),
                sessions: Vec::new(),
            };
            self.changes.push((change, Vec::new()));
            self.changes.len() - 1
        });
        &mut self.changes[place]
    }

    fn finish(self) -> Vec<Change> {
        let named = |(change, keys)| Change { keys: most_frequent(keys), ..change };
        let mut changes: Vec<Change> = self.changes.into_iter().map(named).collect();
        // Changes of pages come in the order of their first steps, before those that only aftermaths show.
        changes.sort_by_key(|c| {
            let first = c.steps.first().copied();
            (std::cmp::Reverse(c.steps.len() + c.sessions.len()), first.is_none(), first)
        });
        changes
    }
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
    use restage_model::Outcome;

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
            ignored: Vec::new(),
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

    #[test]
    fn numbers_are_left_out_but_statuses_are_not() {
        assert_eq!(shape("text \"Total $42.00\""), "text \"Total $#.#\"");
        // Else who accepts a page that is gone accepts one that crashes.
        assert_ne!(shape("status 200 became 404"), shape("status 200 became 500"));
        assert_eq!(shape("status 20 became 21 of 30"), "status # became # of #");
    }
}
