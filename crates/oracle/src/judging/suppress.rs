//! Takes out of a comparison what fails nothing: changes that were accepted, and what rules ignore.
//!
//! Nothing is dropped: what is taken out of the differences of a step is kept beside them.

use std::collections::{BTreeSet, HashMap};

use restage_model::{
    Aftermath, Change, ChangeId, Difference, DifferenceKind, Key, OldWording, Outcome, StepComparison,
    Verdict,
};
use restage_model::{SettledChange, Unused};

use crate::judging::accepted::Accepted;
use crate::judging::changes::{ChangeGroups, Which};
use crate::judging::ignored::IgnoreRule;

/// Moves differences that are accepted or ignored aside, in every step and aftermath, and groups all anew. A step
/// passes when nothing else differs.
///
/// An accepted change passes anywhere; a rule ignores what it says on the pages it names. A difference that is both is
/// called accepted.
pub fn settle(comparison: &mut StepComparison, accepted: &Accepted, rules: &[IgnoreRule]) {
    let mut suppression = Suppression::by(accepted, rules);
    comparison.verdicts.iter_mut().for_each(|verdict| suppression.apply(verdict));
    comparison.aftermaths.iter_mut().for_each(|aftermath| suppression.apply_to_aftermath(aftermath));
    let found = suppression.finish();
    comparison.changes = found.changes;
    comparison.accepted = found.accepted;
    comparison.ignored = found.ignored;
    comparison.unused = found.unused;
}

/// Sorts differences into those that fail, those that are accepted and those that a rule ignores, verdict by verdict,
/// and groups each sort into changes.
pub struct Suppression<'a> {
    accepted: &'a Accepted,
    rules: &'a [IgnoreRule],
    /// What is milder than this fails nothing.
    fail_on: Option<DifferenceKind>,
    used: BTreeSet<&'a ChangeId>,
    /// Under which name a change is accepted, and the first rule that ignored it.
    accepted_as: HashMap<ChangeId, &'a ChangeId>,
    ignored_by: HashMap<ChangeId, usize>,
    hits: Vec<bool>,
    groups: [ChangeGroups; 3],
}

/// All that was sorted, as changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SortedChanges {
    /// Those that fail, the most frequent first.
    pub changes: Vec<Change>,
    /// Those that were accepted.
    pub accepted: Vec<SettledChange>,
    /// Those that a rule ignores.
    pub ignored: Vec<SettledChange>,
    /// What suppressed nothing.
    pub unused: Unused,
}

const SORTS: [Which; 3] = [Which::Failing, Which::Accepted, Which::Ignored];

impl<'a> Suppression<'a> {
    /// By what is accepted and what is to be ignored.
    pub fn by(accepted: &'a Accepted, rules: &'a [IgnoreRule]) -> Self {
        Self {
            accepted,
            rules,
            fail_on: None,
            used: BTreeSet::new(),
            accepted_as: HashMap::new(),
            ignored_by: HashMap::new(),
            hits: vec![false; rules.len()],
            groups: Default::default(),
        }
    }

    /// Only differences of this kind and of worse ones fail; the others are ignored. Of all kinds where there is none.
    pub fn failing_from(self, fail_on: Option<DifferenceKind>) -> Self {
        Self { fail_on, ..self }
    }

    /// Sorts the differences of a step.
    pub fn apply(&mut self, verdict: &mut Verdict) {
        let parts = Parts {
            outcome: &mut verdict.outcome,
            differences: &mut verdict.differences,
            accepted: &mut verdict.accepted,
            ignored: &mut verdict.ignored,
        };
        self.sort(parts, Some(&verdict.key), &verdict.old_wording);
        for (groups, which) in self.groups.iter_mut().zip(SORTS) {
            groups.add_step(verdict, which);
        }
    }

    /// Sorts the differences of what a session left behind.
    pub fn apply_to_aftermath(&mut self, aftermath: &mut Aftermath) {
        let parts = Parts {
            outcome: &mut aftermath.outcome,
            differences: &mut aftermath.differences,
            accepted: &mut aftermath.accepted,
            ignored: &mut aftermath.ignored,
        };
        self.sort(parts, None, &[]);
        for (groups, which) in self.groups.iter_mut().zip(SORTS) {
            groups.add_aftermath(aftermath, which);
        }
    }

    /// The changes of all that was sorted.
    pub fn finish(self) -> SortedChanges {
        let Self { accepted, rules, fail_on, used, accepted_as, ignored_by, hits, groups } = self;
        let [changes, accepted_changes, ignored_changes] = groups.map(ChangeGroups::finish);
        let settled = |changes: Vec<Change>, why: &dyn Fn(&ChangeId) -> String| -> Vec<SettledChange> {
            changes.into_iter().map(|change| SettledChange { why: why(&change.id), change }).collect()
        };
        let reason = |id: &ChangeId| {
            let name = accepted_as.get(id).copied().unwrap_or(id);
            accepted.reason(name).unwrap_or_default().to_owned()
        };
        let milder = fail_on.map_or_else(String::new, |kind| format!("[oracle] fail-on = \"{kind}\""));
        let rule =
            |id: &ChangeId| ignored_by.get(id).map_or_else(|| milder.clone(), |&at| rules[at].to_string());
        let idle = rules.iter().zip(&hits).filter(|(_, hit)| !**hit);
        SortedChanges {
            changes,
            accepted: settled(accepted_changes, &reason),
            ignored: settled(ignored_changes, &rule),
            unused: Unused {
                accepted: accepted.ids().filter(|id| !used.contains(id)).cloned().collect(),
                rules: idle.map(|(rule, _)| rule.to_string()).collect(),
            },
        }
    }

    fn sort(&mut self, parts: Parts<'_>, key: Option<&Key>, old: &[OldWording]) {
        let Parts { outcome, differences, accepted, ignored } = parts;
        let mut all = std::mem::take(differences);
        // What was settled before may be no more.
        all.append(accepted);
        all.append(ignored);
        if all.is_empty() {
            return;
        }
        for difference in all {
            match self.fate(&difference, key, old) {
                Fate::Accepted(id) => {
                    self.used.insert(id);
                    self.accepted_as.entry(difference.change_id()).or_insert(id);
                    accepted.push(difference);
                }
                Fate::Ignored(rule) => {
                    self.ignored_by.entry(difference.change_id()).or_insert(rule);
                    ignored.push(difference);
                }
                Fate::Fails if self.fail_on.is_some_and(|kind| difference.kind() > kind) => {
                    ignored.push(difference);
                }
                Fate::Fails => differences.push(difference),
            }
        }
        *outcome = if differences.is_empty() { Outcome::Pass } else { Outcome::Fail };
    }

    fn fate(&mut self, difference: &Difference, key: Option<&Key>, old: &[OldWording]) -> Fate<'a> {
        let rule = self.rules.iter().position(|rule| match key {
            Some(key) => rule.matches(key, difference),
            None => rule.matches_aftermath(difference),
        });
        if let Some(rule) = rule {
            self.hits[rule] = true;
        }
        if let Some(id) = self.accepted.of(difference) {
            return Fate::Accepted(id);
        }
        rule.map_or_else(|| self.fate_in_old_words(difference, key, old), Fate::Ignored)
    }

    /// What files of the first format make of a difference that was told otherwise then: all that its comparators told of
    /// the page has to be accepted or ignored.
    fn fate_in_old_words(
        &mut self,
        difference: &Difference,
        key: Option<&Key>,
        old: &[OldWording],
    ) -> Fate<'a> {
        let told: Vec<&OldWording> = old.iter().filter(|old| difference.is_seen_by(&old.seen_by)).collect();
        let all_told = difference.seen_by.iter().all(|by| told.iter().any(|old| old.seen_by == *by));
        let Some(key) = key.filter(|_| !told.is_empty() && all_told) else { return Fate::Fails };
        let mut fate = Fate::Fails;
        for old in told {
            if let Some(id) = self.accepted.of_sentence(&old.sentence) {
                self.used.insert(id);
                fate = if matches!(fate, Fate::Fails) { Fate::Accepted(id) } else { fate };
            } else if let Some(rule) = self.rules.iter().position(|rule| rule.matches_sentence(key, old)) {
                self.hits[rule] = true;
                fate = Fate::Ignored(rule);
            } else {
                return Fate::Fails;
            }
        }
        fate
    }
}

/// What becomes of a difference.
enum Fate<'a> {
    Fails,
    Accepted(&'a ChangeId),
    Ignored(usize),
}

/// What a verdict and an aftermath have alike.
struct Parts<'a> {
    outcome: &'a mut Outcome,
    differences: &'a mut Vec<Difference>,
    accepted: &'a mut Vec<Difference>,
    ignored: &'a mut Vec<Difference>,
}

#[cfg(test)]
mod tests {
    use restage_model::{Place, StepAt};

    use super::*;
    use crate::judging::pattern::DifferencePattern;
    use crate::oracles::rules::KeyPattern;

    fn difference(text: &str) -> Difference {
        Difference::gone("C-WD", Place::Text { after: None }, text)
    }

    /// A step for each page with what differs there, and a last aftermath.
    fn comparison(pages: &[(&str, &[&str])], after: &[&str]) -> StepComparison {
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
            old_wording: Vec::new(),
            masked_share: restage_model::MaskedShare::default(),
        };
        StepComparison {
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
                masked_rows: restage_model::MaskedRows::default(),
            }],
            changes: Vec::new(),
            accepted: Vec::new(),
            ignored: Vec::new(),
            unused: Unused::default(),
            missing: Vec::new(),
        }
    }

    fn accepting(said: &[&str]) -> Accepted {
        let mut accepted = Accepted::default();
        said.iter().for_each(|s| accepted.add(difference(s).change_id(), format!("because of {s}")));
        accepted
    }

    fn ignoring(key: &str, said: &str) -> IgnoreRule {
        IgnoreRule {
            keys: vec![KeyPattern::new(key)],
            seen_by: None,
            difference: DifferencePattern::Told(format!("text \"{said}\" is gone")),
        }
    }

    fn fails(comparison: &StepComparison) -> Vec<bool> {
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
        assert_eq!(
            comparison.changes.iter().map(Change::summary).collect::<Vec<_>>(),
            ["text \"odd\" is gone"]
        );
        assert_eq!(comparison.unused.accepted, [difference("gone").change_id()]);
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
        assert_eq!(comparison.ignored[0].why, "GET /a: text \"sum #\" is gone");
        assert_eq!(comparison.changes[0].keys, [Key::of("GET", "/b", "")]);
        assert_eq!(comparison.unused.rules, ["GET /zzz: text \"*\" is gone"]);
        settle(&mut comparison, &Accepted::default(), &[ignoring("state and log", "sum *")]);
        assert_eq!(comparison.failing_aftermaths().count(), 0);
        assert_eq!(fails(&comparison), [true; 3]);
    }

    /// Catches: a test that fails on looks though only lost data matters, or one that passes over lost data.
    #[test]
    fn what_is_milder_than_asked_for_fails_nothing_and_is_listed() {
        let mut verdicts = comparison(&[("/a", &["sum 5"]), ("/b", &[])], &[]).verdicts;
        verdicts[1].outcome = Outcome::Fail;
        verdicts[1].differences = vec![Difference::changed("Flist", Place::Status, "200", "404")];
        let accepted = Accepted::default();
        for (fail_on, failing) in [
            (None, [true, true]),
            (Some(DifferenceKind::Looks), [true, true]),
            (Some(DifferenceKind::Flow), [false, true]),
            (Some(DifferenceKind::Data), [false, false]),
        ] {
            let mut suppression = Suppression::by(&accepted, &[]).failing_from(fail_on);
            let mut verdicts = verdicts.clone();
            verdicts.iter_mut().for_each(|verdict| suppression.apply(verdict));
            assert_eq!([0, 1].map(|at: usize| verdicts[at].outcome == Outcome::Fail), failing, "{fail_on:?}");
            let found = suppression.finish();
            assert_eq!(found.changes.len() + found.ignored.len(), 2);
            assert!(found.ignored.iter().all(|ignored| ignored.why.starts_with("[oracle] fail-on = ")));
        }
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
