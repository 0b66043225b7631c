//! From the verdicts of one session after another to what they come to together.

use std::collections::HashMap;

use restage_model::{Change, ChangeId, Key, Outcome, Run, SettledChange, StepAt, Unused, Verdict};

use crate::verdicts::{JudgedSession, settled};
use crate::{Comparison, Rules, VerdictCounts};

/// What the sessions so far come to.
pub(crate) struct Summary<'r> {
    rules: &'r Rules,
    counts: VerdictCounts,
    weaker: Vec<(String, usize)>,
    changes: Changes,
    accepted: Changes,
    ignored: Changes,
    /// What met nothing in any session so far; none before the first.
    unused: Option<Unused>,
    missing: Vec<StepAt>,
}

impl<'r> Summary<'r> {
    pub(crate) fn new(rules: &'r Rules) -> Self {
        Self {
            rules,
            counts: VerdictCounts::default(),
            weaker: Vec::new(),
            changes: Changes::default(),
            accepted: Changes::default(),
            ignored: Changes::default(),
            unused: None,
            missing: Vec::new(),
        }
    }

    /// Takes a session, before anything is accepted or ignored.
    pub(crate) fn add(&mut self, raw: JudgedSession) {
        let (session, found) = settled(raw, &self.rules.accepted, &self.rules.ignored);
        for verdict in &session.verdicts {
            self.counts.steps += 1;
            self.counts.failing += usize::from(verdict.outcome == Outcome::Fail);
            self.counts.weakened += usize::from(verdict.weakened);
            self.counts.masked += usize::from(!verdict.masked.is_empty());
            if verdict.weakened {
                self.add_weaker(&verdict.oracle);
            }
        }
        if let Some(aftermath) = &session.aftermath {
            self.counts.aftermaths += 1;
            self.counts.failing_aftermaths += usize::from(aftermath.outcome == Outcome::Fail);
        }
        for change in found.changes {
            self.changes.add(change, String::new(), &session.verdicts);
        }
        for SettledChange { change, why } in found.accepted {
            self.accepted.add(change, why, &session.verdicts);
        }
        for SettledChange { change, why } in found.ignored {
            self.ignored.add(change, why, &session.verdicts);
        }
        self.unused = Some(match self.unused.take() {
            None => found.unused,
            Some(mut unused) => {
                unused.accepted.retain(|id| found.unused.accepted.contains(id));
                unused.rules.retain(|rule| found.unused.rules.contains(rule));
                unused
            }
        });
    }

    /// Takes steps that one run lacks.
    pub(crate) fn add_missing(&mut self, steps: impl IntoIterator<Item = StepAt>) {
        self.missing.extend(steps);
    }

    pub(crate) fn finish(mut self, expected: &Run, actual: &Run) -> Comparison {
        self.weaker.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        // Where nothing was judged, nothing was met.
        let unused = self.unused.unwrap_or_else(|| Unused {
            accepted: self.rules.accepted.ids().cloned().collect(),
            rules: self.rules.ignored.iter().map(ToString::to_string).collect(),
        });
        let settled = |changes: Changes| -> Vec<SettledChange> {
            changes.finish().into_iter().map(|(change, why)| SettledChange { change, why }).collect()
        };
        Comparison {
            expected: expected.name.clone(),
            actual: actual.name.clone(),
            oracle: self.rules.oracle.to_string(),
            counts: self.counts,
            weaker_oracles: self.weaker,
            changes: self.changes.finish().into_iter().map(|(change, _)| change).collect(),
            accepted: settled(self.accepted),
            ignored: settled(self.ignored),
            unused,
            missing: self.missing,
            replayed: None,
            judgement: None,
        }
    }

    fn add_weaker(&mut self, oracle: &str) {
        match self.weaker.iter_mut().find(|(known, _)| known == oracle) {
            Some((_, n)) => *n += 1,
            None => self.weaker.push((oracle.to_owned(), 1)),
        }
    }
}

/// The changes of all sessions so far, each once.
#[derive(Default)]
struct Changes {
    places: HashMap<ChangeId, usize>,
    found: Vec<Found>,
}

struct Found {
    change: Change,
    /// Why it fails nothing, where it does not.
    why: String,
    /// How many steps of each page show it.
    keys: HashMap<Key, usize>,
}

impl Changes {
    /// Takes a change as one session shows it, with that session's verdicts.
    fn add(&mut self, mut change: Change, why: String, verdicts: &[Verdict]) {
        let (steps, sessions) = (std::mem::take(&mut change.steps), std::mem::take(&mut change.sessions));
        let place = *self.places.entry(change.id.clone()).or_insert_with(|| {
            self.found.push(Found { change, why, keys: HashMap::new() });
            self.found.len() - 1
        });
        let found = &mut self.found[place];
        for at in &steps {
            if let Ok(verdict) = verdicts.binary_search_by_key(at, |verdict| verdict.at) {
                *found.keys.entry(verdicts[verdict].key.clone()).or_default() += 1;
            }
        }
        found.change.steps.extend(steps);
        found.change.sessions.extend(sessions);
    }

    /// The most frequent first; changes of pages in the order of their first steps, before those that only aftermaths show.
    fn finish(self) -> Vec<(Change, String)> {
        let named = |Found { change, why, keys }| (Change { keys: most_frequent(keys), ..change }, why);
        let mut changes: Vec<(Change, String)> = self.found.into_iter().map(named).collect();
        changes.sort_by_key(|(change, _)| {
            let first = change.steps.first().copied();
            (std::cmp::Reverse(change.steps.len() + change.sessions.len()), first.is_none(), first)
        });
        changes
    }
}

fn most_frequent(keys: HashMap<Key, usize>) -> Vec<Key> {
    let mut counted: Vec<(Key, usize)> = keys.into_iter().collect();
    counted.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
    counted.into_iter().map(|(key, _)| key).collect()
}
