//! Reads a session of a comparison: its steps in both runs, and the verdicts on them.

use std::collections::{BTreeSet, HashMap};

use restage_judge::{Comparison, VerdictSource};
use restage_model::{Difference, Run, RunId, Step, StepAt, sent_fields};
use restage_redact::Cover;
use restage_store::Store;

use crate::covered::Covered;
use crate::session::ServerSide;
use crate::{ReportError, ReportSession, ReportStep};

/// A form with more bytes has files, or is written by a script.
const LARGEST_FORM: u64 = 256 << 10;

/// Reads sessions, one at a time.
pub(crate) struct SessionReader<'s> {
    store: &'s Store,
    verdicts: &'s dyn VerdictSource,
    expected: RunId,
    actual: RunId,
    /// The names of the sessions of the run that is right.
    names: HashMap<u32, String>,
    /// The places of the other run's sessions: the two may be of suites that order sessions differently.
    places: HashMap<String, u32>,
    missing: HashMap<u32, Vec<StepAt>>,
    ordinals: Vec<u32>,
    cover: Option<&'s Cover>,
}

impl<'s> SessionReader<'s> {
    pub(crate) fn new(
        store: &'s Store,
        expected: &Run,
        actual: &Run,
        comparison: &Comparison,
        verdicts: &'s dyn VerdictSource,
        cover: Option<&'s Cover>,
    ) -> Result<Self, ReportError> {
        let mut missing: HashMap<u32, Vec<StepAt>> = HashMap::new();
        for at in &comparison.missing {
            missing.entry(at.session).or_default().push(*at);
        }
        let ordinals: BTreeSet<u32> =
            verdicts.sessions()?.into_iter().chain(missing.keys().copied()).collect();
        Ok(Self {
            store,
            verdicts,
            expected: expected.id,
            actual: actual.id,
            names: store.run_sessions(expected.id)?.into_iter().map(|s| (s.ordinal, s.session)).collect(),
            places: store.run_sessions(actual.id)?.into_iter().map(|s| (s.session, s.ordinal)).collect(),
            missing,
            ordinals: ordinals.into_iter().collect(),
            cover,
        })
    }

    /// The sessions there are, in order.
    pub(crate) fn ordinals(&self) -> Vec<u32> {
        self.ordinals.clone()
    }

    /// A step of a session as both runs saw it, without the verdict on it.
    pub(crate) fn read_step(&self, session: &str, at: StepAt) -> Result<ReportStep, ReportError> {
        let there = StepAt { session: self.place(session, at.session), ..at };
        let mut step = ReportStep {
            at,
            verdict: None,
            expected: self.store.step(self.expected, at)?,
            actual: self.store.step(self.actual, there)?,
            server: self.server(at, there)?,
            sent: Vec::new(),
        };
        step.sent = self.sent(&step)?;
        if let Some(cover) = self.cover {
            step.cover(cover);
        }
        Ok(step)
    }

    /// What differs in a step and fails.
    pub(crate) fn differences(&self, at: StepAt) -> Result<Vec<Difference>, ReportError> {
        let judged = self.verdicts.session(at.session)?;
        let mut verdict = judged.verdicts.into_iter().find(|verdict| verdict.at == at);
        if let Some(cover) = self.cover {
            verdict.cover(cover);
        }
        Ok(verdict.map(|verdict| verdict.differences).unwrap_or_default())
    }

    fn server(&self, at: StepAt, there: StepAt) -> Result<ServerSide, ReportError> {
        Ok(ServerSide {
            expected: self.store.step_facts(self.expected, at)?,
            actual: self.store.step_facts(self.actual, there)?,
        })
    }

    fn sent(&self, step: &ReportStep) -> Result<Vec<(String, String)>, ReportError> {
        let Some(Step { sent, .. }) = step.actual.as_ref().or(step.expected.as_ref()) else {
            return Ok(Vec::new());
        };
        if sent.body.size > LARGEST_FORM {
            return Ok(Vec::new());
        }
        let body = self.store.body(&sent.body)?;
        let covered = self.cover.and_then(|cover| cover.body(&sent.headers, &body));
        Ok(sent_fields(&sent.headers, covered.as_deref().unwrap_or(&body)))
    }

    fn place(&self, session: &str, ordinal: u32) -> u32 {
        self.places.get(session).copied().unwrap_or(ordinal)
    }

    pub(crate) fn read(&self, ordinal: u32) -> Result<ReportSession, ReportError> {
        self.store.reading(|| self.session(ordinal))
    }

    fn session(&self, ordinal: u32) -> Result<ReportSession, ReportError> {
        let judged = self.verdicts.session(ordinal)?;
        let named = judged.verdicts.first().map(|verdict| &verdict.session);
        let named = named.or(judged.aftermath.as_ref().map(|aftermath| &aftermath.session));
        let name = named
            .or_else(|| self.names.get(&ordinal))
            .cloned()
            .unwrap_or_else(|| format!("session {}", ordinal + 1));
        let by_place = |steps: Vec<Step>| -> HashMap<u32, Step> {
            steps.into_iter().map(|step| (step.at.step, step)).collect()
        };
        let place = self.place(&name, ordinal);
        let mut expected = by_place(self.store.steps_of_session(self.expected, ordinal)?);
        let mut actual = by_place(self.store.steps_of_session(self.actual, place)?);
        let mut steps: Vec<ReportStep> = judged
            .verdicts
            .into_iter()
            .map(|verdict| ReportStep {
                at: verdict.at,
                expected: expected.remove(&verdict.at.step),
                actual: actual.remove(&verdict.at.step),
                verdict: Some(verdict),
                server: ServerSide::default(),
                sent: Vec::new(),
            })
            .collect();
        for at in self.missing.get(&ordinal).into_iter().flatten() {
            let actual = actual.remove(&at.step);
            let expected = if actual.is_some() { None } else { expected.remove(&at.step) };
            let server = ServerSide::default();
            steps.push(ReportStep { at: *at, verdict: None, expected, actual, server, sent: Vec::new() });
        }
        steps.sort_by_key(|step| step.at.step);
        for step in steps.iter_mut().filter(|step| step.mark().needs_a_look()) {
            step.server = self.server(step.at, StepAt { session: place, ..step.at })?;
            step.sent = self.sent(step)?;
        }
        let mut session = ReportSession { name, ordinal, steps, aftermath: judged.aftermath };
        if let Some(cover) = self.cover {
            session.cover(cover);
        }
        Ok(session)
    }
}
