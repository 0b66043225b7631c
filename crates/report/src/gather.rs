//! Everything the formats need, put together once.
//!
//! Steps and sessions are read at once; bodies stay in the store until a format asks for them, since
//! only the HTML report does, and only for failing steps.

use std::collections::HashMap;

use restage_model::{Aftermath, Change, Comparison, Origin, Outcome, Run, RunSession, Step, StepAt, Verdict};
use restage_store::Store;

use crate::masked::masked_parts;
use crate::{Counts, Mark, MaskedPart, ReportError};

/// A comparison together with the steps of the two runs it is about.
#[derive(Debug)]
pub struct Report<'s> {
    pub(crate) store: &'s Store,
    /// The run that is right.
    pub expected: Run,
    /// The run that is judged.
    pub actual: Run,
    /// What comparing them gave; its changes are sorted by how many steps they show in.
    pub comparison: Comparison,
    /// The sessions, in the order they were replayed.
    pub sessions: Vec<ReportSession>,
    /// The parts that vary on the trusted version too, the most frequent first.
    pub masked: Vec<MaskedPart>,
    /// How many of what.
    pub counts: Counts,
    places: HashMap<StepAt, (usize, usize)>,
}

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
}

impl<'s> Report<'s> {
    /// Puts together what the formats need.
    pub fn gather(
        store: &'s Store,
        expected: &Run,
        actual: &Run,
        mut comparison: Comparison,
    ) -> Result<Self, ReportError> {
        comparison
            .changes
            .sort_by_key(|change| std::cmp::Reverse(change.steps.len() + change.sessions.len()));
        let mut sessions = Sessions {
            expected: Side::read(store, expected)?,
            actual: Side::read(store, actual)?,
            listed: Vec::new(),
            by_name: HashMap::new(),
        };
        for verdict in &comparison.verdicts {
            sessions.add_judged(verdict);
        }
        for at in &comparison.missing {
            sessions.add_missing(*at);
        }
        for aftermath in &comparison.aftermaths {
            sessions.add_aftermath(aftermath);
        }
        let sessions = sessions.in_order();
        let mut places = HashMap::new();
        for (s, session) in sessions.iter().enumerate() {
            places.extend(session.steps.iter().enumerate().map(|(t, step)| (step.at, (s, t))));
        }
        let masked = masked_parts(&sessions);
        Ok(Self {
            store,
            expected: expected.clone(),
            actual: actual.clone(),
            counts: Counts::of(&sessions, &comparison, masked.len()),
            masked,
            comparison,
            sessions,
            places,
        })
    }

    /// The session at a place of the run.
    pub fn session(&self, ordinal: u32) -> Option<&ReportSession> {
        self.sessions.iter().find(|session| session.ordinal == ordinal)
    }

    /// A step and its session.
    pub fn find(&self, at: StepAt) -> Option<(&ReportSession, &ReportStep)> {
        let (session, step) = *self.places.get(&at)?;
        let session = &self.sessions[session];
        Some((session, &session.steps[step]))
    }

    /// Every step with its session, in order.
    pub fn steps(&self) -> impl Iterator<Item = (&ReportSession, &ReportStep)> {
        self.sessions.iter().flat_map(|session| session.steps.iter().map(move |step| (session, step)))
    }

    /// How many sessions a change shows in a step of.
    pub fn sessions_of(&self, change: &Change) -> usize {
        let mut sessions: Vec<u32> = change.steps.iter().map(|at| at.session).collect();
        sessions.sort_unstable();
        sessions.dedup();
        sessions.len()
    }
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

/// One run's steps and the names of its sessions.
struct Side {
    steps: HashMap<StepAt, Step>,
    names: HashMap<u32, String>,
    ordinals: HashMap<String, u32>,
}

impl Side {
    fn read(store: &Store, run: &Run) -> Result<Self, ReportError> {
        let sessions: Vec<RunSession> = store.run_sessions(run.id)?;
        Ok(Self {
            steps: store.steps(run.id)?.into_iter().map(|step| (step.at, step)).collect(),
            ordinals: sessions.iter().map(|s| (s.session.clone(), s.ordinal)).collect(),
            names: sessions.into_iter().map(|s| (s.ordinal, s.session)).collect(),
        })
    }

    /// A step by its session's name: the two runs may be of suites that order sessions differently.
    fn take(&mut self, session: &str, at: StepAt) -> Option<Step> {
        let ordinal = self.ordinals.get(session).copied().unwrap_or(at.session);
        self.steps.remove(&StepAt { session: ordinal, step: at.step })
    }
}

struct Sessions {
    expected: Side,
    actual: Side,
    listed: Vec<ReportSession>,
    by_name: HashMap<String, usize>,
}

impl Sessions {
    fn add_judged(&mut self, verdict: &Verdict) {
        let step = ReportStep {
            at: verdict.at,
            expected: self.expected.take(&verdict.session, verdict.at),
            actual: self.actual.take(&verdict.session, verdict.at),
            verdict: Some(verdict.clone()),
        };
        self.add(&verdict.session, step);
    }

    fn add_missing(&mut self, at: StepAt) {
        let actual = self.actual.steps.remove(&at);
        let expected = if actual.is_some() { None } else { self.expected.steps.remove(&at) };
        let names = if actual.is_some() { &self.actual.names } else { &self.expected.names };
        let name = names.get(&at.session).cloned().unwrap_or_else(|| format!("session {}", at.session + 1));
        self.add(&name, ReportStep { at, verdict: None, expected, actual });
    }

    fn add_aftermath(&mut self, aftermath: &Aftermath) {
        self.session(&aftermath.session, aftermath.ordinal).aftermath = Some(aftermath.clone());
    }

    fn add(&mut self, name: &str, step: ReportStep) {
        self.session(name, step.at.session).steps.push(step);
    }

    fn session(&mut self, name: &str, ordinal: u32) -> &mut ReportSession {
        let place = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            let session =
                ReportSession { name: name.to_owned(), ordinal, steps: Vec::new(), aftermath: None };
            self.listed.push(session);
            self.listed.len() - 1
        });
        &mut self.listed[place]
    }

    fn in_order(mut self) -> Vec<ReportSession> {
        self.listed.sort_by_key(|session| session.ordinal);
        for session in &mut self.listed {
            session.steps.sort_by_key(|step| step.at.step);
        }
        self.listed
    }
}
