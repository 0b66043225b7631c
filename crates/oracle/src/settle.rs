//! Takes out of a comparison what fails nothing: changes that were accepted, and what rules ignore.
//!
//! Nothing is dropped: what is taken out of the differences of a step is kept beside them.

use std::collections::{BTreeSet, HashMap};

use restage_model::{Change, ChangeId, Comparison, Difference, Outcome, SettledChange, Unused};

use crate::accepted::Accepted;
use crate::changes::{Which, change_id, group};
use crate::ignored::IgnoreRule;

/// Moves differences that are accepted or ignored aside, in every step and aftermath, and groups all anew. A step
/// passes when nothing else differs.
///
/// An accepted change passes anywhere; a rule ignores what it says on the pages it names. A difference that is both is
/// called accepted.
pub fn settle(comparison: &mut Comparison, accepted: &Accepted, rules: &[IgnoreRule]) {
    let mut settling =
        Settling { accepted, used: BTreeSet::new(), by_rule: HashMap::new(), hits: vec![false; rules.len()] };
    for verdict in &mut comparison.verdicts {
        let parts = Parts {
            outcome: &mut verdict.outcome,
            differences: &mut verdict.differences,
            accepted: &mut verdict.accepted,
            ignored: &mut verdict.ignored,
        };
        let key = &verdict.key;
        settling.sort(parts, |d| rules.iter().position(|rule| rule.matches(key, d)));
    }
    for aftermath in &mut comparison.aftermaths {
        let parts = Parts {
            outcome: &mut aftermath.outcome,
            differences: &mut aftermath.differences,
            accepted: &mut aftermath.accepted,
            ignored: &mut aftermath.ignored,
        };
        settling.sort(parts, |d| rules.iter().position(|rule| rule.matches_aftermath(d)));
    }
    let group = |which| group(&comparison.verdicts, &comparison.aftermaths, which);
    let settled = |which, why: &dyn Fn(&ChangeId) -> String| -> Vec<SettledChange> {
        group(which)
            .into_iter()
            .map(|change: Change| SettledChange { why: why(&change.id), change })
            .collect()
    };
    let reason = |id: &ChangeId| accepted.reason(id).unwrap_or_default().to_owned();
    let rule = |id: &ChangeId| settling.by_rule.get(id).map_or_else(String::new, |&at| rules[at].to_string());
    let (changes, accepted_changes) = (group(Which::Failing), settled(Which::Accepted, &reason));
    let ignored_changes = settled(Which::Ignored, &rule);
    comparison.changes = changes;
    comparison.accepted = accepted_changes;
    comparison.ignored = ignored_changes;
    comparison.unused = Unused {
        accepted: accepted.ids().filter(|id| !settling.used.contains(id)).cloned().collect(),
        rules: rules
            .iter()
            .zip(&settling.hits)
            .filter(|(_, hit)| !**hit)
            .map(|(r, _)| r.to_string())
            .collect(),
    };
}

/// What a verdict and an aftermath have alike.
struct Parts<'a> {
    outcome: &'a mut Outcome,
    differences: &'a mut Vec<Difference>,
    accepted: &'a mut Vec<Difference>,
    ignored: &'a mut Vec<Difference>,
}

struct Settling<'a> {
    accepted: &'a Accepted,
    used: BTreeSet<&'a ChangeId>,
    /// The first rule that ignored a change.
    by_rule: HashMap<ChangeId, usize>,
    hits: Vec<bool>,
}

impl Settling<'_> {
    fn sort(&mut self, parts: Parts<'_>, rule_of: impl Fn(&Difference) -> Option<usize>) {
        let Parts { outcome, differences, accepted, ignored } = parts;
        let mut all = std::mem::take(differences);
        // What was settled before may be no more.
        all.append(accepted);
        all.append(ignored);
        if all.is_empty() {
            return;
        }
        for difference in all {
            let rule = rule_of(&difference);
            if let Some(rule) = rule {
                self.hits[rule] = true;
            }
            if let Some(id) = self.accepted.of(&difference) {
                self.used.insert(id);
                accepted.push(difference);
            } else if let Some(rule) = rule {
                self.by_rule.entry(change_id(&difference)).or_insert(rule);
                ignored.push(difference);
            } else {
                differences.push(difference);
            }
        }
        *outcome = if differences.is_empty() { Outcome::Pass } else { Outcome::Fail };
    }
}

#[cfg(test)]
mod tests {
    use restage_model::{Aftermath, Key, StepAt, Verdict};

    use super::*;
    use crate::pattern::DifferencePattern;
    use crate::pattern::tests::difference;
    use crate::rules::KeyPattern;

    /// A step for each page with what differs there, and a last aftermath.
    fn comparison(pages: &[(&str, &[&str])], after: &[&str]) -> Comparison {
        let outcome = |said: &[&str]| if said.is_empty() { Outcome::Pass } else { Outcome::Fail };
        let differences = |said: &[&str]| said.iter().map(|s| difference(s)).collect();
        let verdict = |(step, (uri, said)): (usize, &(&str, &[&str]))| Verdict {
            at: StepAt { session: 0, step: step as u32 },
            session: "s1".to_owned(),
            key: Key::of("GET", uri, ""),
            outcome: outcome(said),
            oracle: "C-WD".to_owned(),
            weakened: false,
            differences: differences(said),
            accepted: Vec::new(),
            ignored: Vec::new(),
            masked: Vec::new(),
            stale: None,
        };
        Comparison {
            expected: "e".to_owned(),
            actual: "a".to_owned(),
            oracle: "C-WD".to_owned(),
            verdicts: pages.iter().enumerate().map(verdict).collect(),
            aftermaths: vec![Aftermath {
                ordinal: 0,
                session: "s1".to_owned(),
                outcome: outcome(after),
                differences: differences(after),
                accepted: Vec::new(),
                ignored: Vec::new(),
                masked: Vec::new(),
            }],
            changes: Vec::new(),
            accepted: Vec::new(),
            ignored: Vec::new(),
            unused: Unused::default(),
            missing: Vec::new(),
        }
    }

    fn accepting(said: &[&str]) -> Accepted {
        said.iter().map(|s| (change_id(&difference(s)), format!("because of {s}"))).collect()
    }

    fn ignoring(key: &str, said: &str) -> IgnoreRule {
        IgnoreRule {
            keys: vec![KeyPattern::new(key)],
            seen_by: None,
            difference: DifferencePattern::new(said),
        }
    }

    fn fails(comparison: &Comparison) -> Vec<bool> {
        comparison.verdicts.iter().map(|v| v.outcome == Outcome::Fail).collect()
    }

    #[test]
    fn an_accepted_change_passes_anywhere_and_nothing_else_does() {
        let mut comparison =
            comparison(&[("/a", &["sum 5"]), ("/b", &["sum 7", "odd"]), ("/c", &[])], &["sum 1"]);
        settle(&mut comparison, &accepting(&["sum 0", "gone"]), &[]);
        assert_eq!(fails(&comparison), [false, true, false]);
        assert!(comparison.failing_aftermaths().next().is_none());
        assert_eq!(comparison.verdicts[1].accepted, [difference("sum 7")]);
        assert_eq!(comparison.verdicts[1].differences, [difference("odd")]);
        let accepted = &comparison.accepted[0];
        assert_eq!((accepted.change.steps.len(), accepted.change.sessions.as_slice()), (2, &[0][..]));
        assert_eq!(accepted.why, "because of sum 0");
        assert_eq!(comparison.changes.iter().map(|c| c.summary.as_str()).collect::<Vec<_>>(), ["odd"]);
        assert_eq!(comparison.unused.accepted, [change_id(&difference("gone"))]);
        // Without the entry it fails again: nothing was lost.
        settle(&mut comparison, &Accepted::default(), &[]);
        assert_eq!(fails(&comparison), [true, true, false]);
        assert_eq!((comparison.changes.len(), comparison.accepted.len()), (2, 0));
    }

    #[test]
    fn a_rule_ignores_on_its_pages_alone() {
        let mut comparison =
            comparison(&[("/a", &["sum 5"]), ("/b", &["sum 7"]), ("/a", &["odd"])], &["sum 1"]);
        let rules = [ignoring("GET /a", "sum #"), ignoring("GET /zzz", "*")];
        settle(&mut comparison, &Accepted::default(), &rules);
        assert_eq!(fails(&comparison), [false, true, true]);
        assert_eq!(comparison.failing_aftermaths().count(), 1);
        // The same change fails on one page and is ignored on the other.
        assert_eq!(comparison.ignored[0].change.id, comparison.changes[0].id);
        assert_eq!(comparison.ignored[0].why, "GET /a: sum #");
        assert_eq!(comparison.changes[0].keys, [Key::of("GET", "/b", "")]);
        assert_eq!(comparison.unused.rules, ["GET /zzz: *"]);
        settle(&mut comparison, &Accepted::default(), &[ignoring("state and log", "sum *")]);
        assert_eq!(comparison.failing_aftermaths().count(), 0);
        assert_eq!(fails(&comparison), [true; 3]);
    }

    #[test]
    fn what_is_both_is_accepted_and_neither_is_unused() {
        let mut comparison = comparison(&[("/a", &["sum 5"])], &[]);
        settle(&mut comparison, &accepting(&["sum 5"]), &[ignoring("*", "*")]);
        assert!(comparison.unused.is_empty());
        assert_eq!((comparison.accepted.len(), comparison.ignored.len()), (1, 0));
    }

    #[test]
    fn a_failing_step_without_a_difference_stays_failing() {
        let mut comparison = comparison(&[("/a", &[])], &[]);
        comparison.verdicts[0].outcome = Outcome::Fail;
        settle(&mut comparison, &accepting(&["sum 5"]), &[ignoring("*", "*")]);
        assert_eq!(fails(&comparison), [true]);
    }
}
