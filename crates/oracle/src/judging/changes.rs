//! The same difference on many steps, or after many sessions, is one change.

use std::collections::HashMap;

use restage_model::{Aftermath, Change, ChangeId, Difference, Key, Verdict};

/// Which of the differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
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
    let mut groups = ChangeGroups::default();
    verdicts.iter().for_each(|verdict| groups.add_step(verdict, which));
    aftermaths.iter().for_each(|aftermath| groups.add_aftermath(aftermath, which));
    groups.finish()
}

/// The distinct differences that fail.
pub fn group_changes(verdicts: &[Verdict], aftermaths: &[Aftermath]) -> Vec<Change> {
    group(verdicts, aftermaths, Which::Failing)
}

/// The changes so far, each with how often it shows on which page. Verdicts are added one at a time, in order.
#[derive(Debug, Default)]
pub struct ChangeGroups {
    places: HashMap<ChangeId, usize>,
    changes: Vec<(Change, HashMap<Key, usize>)>,
}

impl ChangeGroups {
    /// Adds the differences of a step.
    pub fn add_step(&mut self, verdict: &Verdict, which: Which) {
        let mut here = HashMap::new();
        for difference in which.of_step(verdict) {
            let (change, keys) = self.of(difference);
            count(change, &mut here);
            if change.steps.last() != Some(&verdict.at) {
                change.steps.push(verdict.at);
                *keys.entry(verdict.key.clone()).or_default() += 1;
            }
        }
    }

    /// Adds the differences of what a session left behind.
    pub fn add_aftermath(&mut self, aftermath: &Aftermath, which: Which) {
        let mut here = HashMap::new();
        for difference in which.of_aftermath(aftermath) {
            let (change, _) = self.of(difference);
            count(change, &mut here);
            if change.sessions.last() != Some(&aftermath.ordinal) {
                change.sessions.push(aftermath.ordinal);
            }
        }
    }

    fn of(&mut self, difference: &Difference) -> &mut (Change, HashMap<Key, usize>) {
        let id = difference.change_id();
        let place = *self.places.entry(id.clone()).or_insert_with(|| {
            let change = Change {
                id,
                difference: difference.clone(),
                keys: Vec::new(),
                steps: Vec::new(),
                sessions: Vec::new(),
                at_once: 0,
            };
            self.changes.push((change, HashMap::new()));
            self.changes.len() - 1
        });
        let group = &mut self.changes[place];
        for by in &difference.seen_by {
            if !group.0.difference.seen_by.contains(by) {
                group.0.difference.seen_by.push(by.clone());
            }
        }
        group
    }

    /// The changes, the most frequent first.
    pub fn finish(self) -> Vec<Change> {
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

/// Counts a change once more in the same step or aftermath.
fn count(change: &mut Change, here: &mut HashMap<ChangeId, usize>) {
    let times = here.entry(change.id.clone()).or_insert(0);
    *times += 1;
    change.at_once = change.at_once.max(*times);
}

fn most_frequent(counts: HashMap<Key, usize>) -> Vec<Key> {
    let mut counted: Vec<(Key, usize)> = counts.into_iter().collect();
    counted.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
    counted.into_iter().map(|(key, _)| key).collect()
}

#[cfg(test)]
mod tests {
    use restage_model::{CellChange, Outcome, Place};

    use super::*;

    fn gone(table: &str, row: &str, title: &str) -> Difference {
        let cells = vec![CellChange { column: "title".to_owned(), was: Some(title.to_owned()), is: None }];
        let place = Place::Row {
            database: "a.db".to_owned(),
            table: table.to_owned(),
            row: vec![("id".to_owned(), row.to_owned())],
            with: Vec::new(),
            cells,
            more: false,
        };
        Difference::gone("State", place, title)
    }

    fn aftermath(ordinal: u32, differences: Vec<Difference>) -> Aftermath {
        Aftermath {
            ordinal,
            session: format!("s{ordinal}"),
            outcome: Outcome::Fail,
            differences,
            accepted: Vec::new(),
            ignored: Vec::new(),
            masked: Vec::new(),
            masked_rows: restage_model::MaskedRows::default(),
        }
    }

    #[test]
    fn rows_that_are_missing_after_each_session_are_one_change_whatever_was_in_them() {
        let changes = group_changes(
            &[],
            &[
                aftermath(0, vec![gone("line", "3", "`Emma`")]),
                aftermath(2, vec![gone("line", "17", "`It's`"), gone("line", "18", "`Nemo`")]),
                aftermath(3, vec![gone("book", "1", "`Emma`")]),
            ],
        );
        let sessions: Vec<&[u32]> = changes.iter().map(|c| c.sessions.as_slice()).collect();
        assert_eq!(sessions, [&[0, 2][..], &[3]]);
        assert_eq!((changes[0].at_once, changes[1].at_once), (2, 1), "two rows after s2");
        assert_eq!(changes[0].summary(), "row 3 of line (a.db) is gone: title `Emma`");
        assert!(changes.iter().all(|c| c.steps.is_empty() && c.keys.is_empty()));
    }

    /// Catches a change that names only the comparator that saw it first.
    #[test]
    fn a_change_names_all_that_saw_it() {
        let text = |by: &str| Difference::changed(by, Place::Text { after: None }, "a", "b");
        let changes = group_changes(&[], &[aftermath(0, vec![text("C-WD")]), aftermath(1, vec![text("D")])]);
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].difference.seen_by, ["C-WD", "D"]);
    }
}
