//! How many of what.

use restage_judge::Comparison;
use restage_model::Outcome;
use serde::Serialize;

use crate::ReportSession;

/// How many of what a report is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Sessions of which at least one step was judged or is missing.
    pub sessions: usize,
    /// Steps that were judged.
    pub steps: usize,
    /// Sessions with a failing step or aftermath.
    pub failing_sessions: usize,
    /// Steps that fail.
    pub failing: usize,
    /// Sessions of which it is known what they left behind.
    pub aftermaths: usize,
    /// Those that left something else behind than they should.
    pub failing_aftermaths: usize,
    /// Steps judged by a weaker oracle than was asked for, because they are noisy.
    pub weakened: usize,
    /// Steps whose live page no longer offered what the recorded request used.
    pub stale: usize,
    /// Steps that got no answer in the run that is judged.
    pub unanswered: usize,
    /// Steps that only one of the two runs has.
    pub missing: usize,
    /// Distinct differences that fail.
    pub changes: usize,
    /// What these come to for a person: changes that are one thing count once.
    pub findings: usize,
    /// Changes that were accepted as intended.
    pub accepted: Extent,
    /// Changes that a rule ignores.
    pub ignored: Extent,
    /// Parts that are masked, as they vary on the trusted version too.
    pub masked: Extent,
}

/// How many things there are, and where they show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// Distinct things.
    pub distinct: usize,
    /// The steps that have any of them.
    pub steps: usize,
    /// The sessions that left any of them behind.
    pub aftermaths: usize,
}

impl Extent {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.distinct == 0
    }
}

impl Counts {
    /// Those that the comparison knows.
    pub(crate) fn of(comparison: &Comparison) -> Self {
        let distinct = |distinct| Extent { distinct, ..Extent::default() };
        Self {
            changes: comparison.changes.len(),
            findings: comparison.findings.len(),
            accepted: distinct(comparison.accepted.len()),
            ignored: distinct(comparison.ignored.len()),
            ..Self::default()
        }
    }

    /// Counts a session.
    pub(crate) fn add(&mut self, session: &ReportSession) {
        self.sessions += 1;
        self.failing_sessions += usize::from(session.fails());
        for step in &session.steps {
            self.failing += usize::from(step.fails());
            self.stale += usize::from(step.stale().is_some());
            self.unanswered += usize::from(step.unanswered().is_some());
            match &step.verdict {
                Some(verdict) => {
                    self.steps += 1;
                    self.weakened += usize::from(verdict.weakened);
                    self.accepted.steps += usize::from(!verdict.accepted.is_empty());
                    self.ignored.steps += usize::from(!verdict.ignored.is_empty());
                    self.masked.steps += usize::from(!verdict.masked.is_empty());
                }
                None => self.missing += 1,
            }
        }
        if let Some(aftermath) = &session.aftermath {
            self.aftermaths += 1;
            self.failing_aftermaths += usize::from(aftermath.outcome == Outcome::Fail);
            self.accepted.aftermaths += usize::from(!aftermath.accepted.is_empty());
            self.ignored.aftermaths += usize::from(!aftermath.ignored.is_empty());
            self.masked.aftermaths += usize::from(!aftermath.masked.is_empty());
        }
    }
}
