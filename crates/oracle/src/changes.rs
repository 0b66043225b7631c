//! The same difference on many steps is one change.

use std::collections::HashMap;

use restage_model::{Change, ChangeId, Key, Outcome, StepAt, Verdict};

/// The distinct differences of the failing verdicts, the most frequent first.
pub(crate) fn group(verdicts: &[Verdict]) -> Vec<Change> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut changes: Vec<(Change, Vec<Key>)> = Vec::new();
    for verdict in verdicts.iter().filter(|v| v.outcome == Outcome::Fail) {
        for difference in &verdict.differences {
            let shape = shape(&difference.summary);
            let place = *places.entry(shape.clone()).or_insert_with(|| {
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
            let (change, keys) = &mut changes[place];
            if change.steps.last() != Some(&verdict.at) {
                change.steps.push(verdict.at);
                keys.push(verdict.key.clone());
            }
        }
    }
    let mut changes: Vec<Change> =
        changes.into_iter().map(|(change, keys)| Change { keys: most_frequent(keys), ..change }).collect();
    changes.sort_by_key(|c| (std::cmp::Reverse(c.steps.len()), first(&c.steps)));
    changes
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

fn most_frequent(keys: Vec<Key>) -> Vec<Key> {
    let mut counts: HashMap<Key, usize> = HashMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    let mut counted: Vec<(Key, usize)> = counts.into_iter().collect();
    counted.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
    counted.into_iter().map(|(key, _)| key).collect()
}

fn first(steps: &[StepAt]) -> Option<StepAt> {
    steps.first().copied()
}
