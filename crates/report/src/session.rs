//! A session of the report, as both runs saw it.

use restage_facts::StepFacts;
use restage_model::{Aftermath, Origin, Outcome, Step, StepAt, Verdict};

use crate::Mark;

/// A session of the report.
#[derive(Clone, Debug)]
pub struct ReportSession {
    /// Its name.
    pub name: String,
    /// Its place in the run.
    pub ordinal: u32,
    /// Its steps in order.
    pub steps: Vec<ReportStep>,
    /// What it left behind, where that is known.
    pub aftermath: Option<Aftermath>,
}

/// A step of the report, as both runs saw it.
#[derive(Clone, Debug)]
pub struct ReportStep {
    /// Its place in the run.
    pub at: StepAt,
    /// What the oracle said; none for a step that only one of the runs has.
    pub verdict: Option<Verdict>,
    /// The step in the run that is right.
    pub expected: Option<Step>,
    /// The step in the run that is judged.
    pub actual: Option<Step>,
    /// What the server did for it, where that is known and somebody may want to know.
    pub server: ServerSide,
    /// The fields that the run that is judged sent, where somebody may want to know.
    pub sent: Vec<(String, String)>,
}

/// What the server did for a step in both runs.
#[derive(Clone, Debug, Default)]
pub struct ServerSide {
    /// In the run that is right.
    pub expected: Option<StepFacts>,
    /// In the run that is judged.
    pub actual: Option<StepFacts>,
}

impl ReportSession {
    /// Whether one of its steps fails, or what it left behind.
    pub fn fails(&self) -> bool {
        self.aftermath_fails() || self.steps.iter().any(ReportStep::fails)
    }

    /// Whether it left something else behind than it should.
    pub fn aftermath_fails(&self) -> bool {
        self.aftermath.as_ref().is_some_and(|a| a.outcome == Outcome::Fail)
    }
}

impl ReportStep {
    /// Its number in the session, from 1.
    pub fn number(&self) -> u32 {
        self.at.step + 1
    }

    /// Whether it fails.
    pub fn fails(&self) -> bool {
        self.verdict.as_ref().is_some_and(|v| v.outcome == Outcome::Fail)
    }

    /// Where its request comes from, where nobody recorded it.
    pub fn origin(&self) -> Option<&Origin> {
        let step = self.actual.as_ref().or(self.expected.as_ref())?;
        Some(&step.origin).filter(|origin| !origin.is_recorded())
    }

    /// Why the live page did not offer what the recorded request used, where it did not.
    pub fn stale(&self) -> Option<&str> {
        self.verdict
            .as_ref()
            .and_then(|v| v.stale.as_deref())
            .or_else(|| self.actual.as_ref().and_then(|s| s.stale.as_deref()))
    }

    /// Why the run that is judged got no answer, where it got none.
    pub fn unanswered(&self) -> Option<&str> {
        match &self.actual.as_ref()?.answer {
            restage_model::Answer::Failed(why) => Some(why),
            restage_model::Answer::Received(_) => None,
        }
    }

    /// The one mark that says the worst of it.
    pub fn mark(&self) -> Mark {
        let Some(verdict) = &self.verdict else { return Mark::Missing };
        if self.unanswered().is_some() {
            Mark::Unanswered
        } else if self.fails() {
            Mark::Fail
        } else if self.stale().is_some() {
            Mark::Stale
        } else if !verdict.accepted.is_empty() {
            Mark::Accepted
        } else if !verdict.ignored.is_empty() {
            Mark::Ignored
        } else if verdict.weakened {
            Mark::Weakened
        } else {
            Mark::Pass
        }
    }

    /// The request sent: method, path and query; as the run that is judged sent it, where it did.
    pub fn request(&self) -> (&str, &str) {
        self.actual
            .as_ref()
            .or(self.expected.as_ref())
            .map_or(("", ""), |step| (&step.sent.method, &step.sent.uri))
    }

    /// The page it asks for: the recorded request's key.
    pub fn page(&self) -> String {
        self.verdict.as_ref().map_or_else(
            || {
                let (method, uri) = self.request();
                format!("{method} {uri}")
            },
            |v| v.key.to_string(),
        )
    }
}
