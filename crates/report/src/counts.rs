//! How many of what.

use serde::Serialize;

use crate::gather::ReportSession;

/// How many of what a report is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Sessions of which at least one step was judged or is missing.
    pub sessions: usize,
    /// Steps that were judged.
    pub steps: usize,
    /// Sessions with a failing step.
    pub failing_sessions: usize,
    /// Steps that fail.
    pub failing: usize,
    /// Steps judged by a weaker oracle than was asked for, because they are noisy.
    pub weakened: usize,
    /// Steps whose live page no longer offered what the recorded request used.
    pub stale: usize,
    /// Steps that got no answer in the run that is judged.
    pub unanswered: usize,
    /// Steps that only one of the two runs has.
    pub missing: usize,
    /// Distinct differences.
    pub changes: usize,
}

impl Counts {
    pub(crate) fn of(sessions: &[ReportSession], changes: usize) -> Self {
        let mut counts = Self { sessions: sessions.len(), changes, ..Self::default() };
        for session in sessions {
            counts.failing_sessions += usize::from(session.steps.iter().any(|s| s.fails()));
            for step in &session.steps {
                counts.failing += usize::from(step.fails());
                counts.stale += usize::from(step.stale().is_some());
                counts.unanswered += usize::from(step.unanswered().is_some());
                match &step.verdict {
                    Some(verdict) => {
                        counts.steps += 1;
                        counts.weakened += usize::from(verdict.weakened);
                    }
                    None => counts.missing += 1,
                }
            }
        }
        counts
    }
}
