//! From the verdicts of one session after another to what they come to together.

use restage_model::{Outcome, Run, StepAt};
use restage_oracle::Suppression;

use crate::findings::{Evidence, findings};
use crate::verdicts::JudgedSession;
use crate::{Comparison, Rules, VerdictCounts};

/// What the sessions so far come to.
pub(crate) struct Summary<'r> {
    rules: &'r Rules,
    suppression: Suppression<'r>,
    counts: VerdictCounts,
    weaker: Vec<(String, usize)>,
    missing: Vec<StepAt>,
    evidence: Evidence,
}

impl<'r> Summary<'r> {
    pub(crate) fn new(rules: &'r Rules) -> Self {
        Self {
            rules,
            suppression: Suppression::by(&rules.accepted, &rules.ignored).failing_from(rules.fail_on),
            counts: VerdictCounts::default(),
            weaker: Vec::new(),
            missing: Vec::new(),
            evidence: Evidence::default(),
        }
    }

    /// Takes a session, before anything is accepted or ignored.
    pub(crate) fn add(&mut self, mut session: JudgedSession) {
        session.suppress(&mut self.suppression);
        self.evidence.add(&session);
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
    }

    /// Takes steps that one run lacks.
    pub(crate) fn add_missing(&mut self, steps: impl IntoIterator<Item = StepAt>) {
        self.missing.extend(steps);
    }

    pub(crate) fn finish(mut self, expected: &Run, actual: &Run) -> Comparison {
        self.weaker.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let found = self.suppression.finish();
        let findings = findings(&found.changes, &self.evidence);
        Comparison {
            expected: expected.name.clone(),
            actual: actual.name.clone(),
            oracle: self.rules.oracle.to_string(),
            counts: self.counts,
            weaker_oracles: self.weaker,
            changes: found.changes,
            findings,
            fail_on: self.rules.fail_on,
            accepted: found.accepted,
            ignored: found.ignored,
            unused: found.unused,
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
