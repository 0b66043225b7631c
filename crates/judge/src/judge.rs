//! The call that judges, and the order in which things are done.

use restage_model::{Aftermath, Run, RunState, Step, StepAt};
use restage_oracle::{Judged, JudgedSteps, RunNoise, judge_steps};
use restage_store::{JudgementId, Store};

use crate::aftermath::AftermathJudge;
use crate::bodies::Bodies;
use crate::digest::digest;
use crate::keys::keys;
use crate::noise::Trusted;
use crate::session_pairs::{SessionPair, SessionPairs};
use crate::summary::Summary;
use crate::verdicts::JudgedSession;
use crate::{Comparison, JudgingError, Rules};

/// What happens while runs are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeEvent {
    /// So many steps are about to be compared.
    Steps(usize),
    /// One more was.
    Step,
}

/// Compares two runs of a store: `expected` is right, `actual` is judged. The comparison is complete.
///
/// In this order: which sessions belong together; what varies on the trusted version; each session, its steps and then what it left
/// behind; and last what is accepted or ignored, which needs all that differs in the session. Verdicts are kept in the store as they were before that last
/// thing. Where they are there already, by the same rules, no page is looked at again.
///
/// Memory goes by what differs and by the longest session, not by the number of steps.
pub fn judge(
    store: &Store,
    expected: &Run,
    actual: &Run,
    rules: &Rules,
    on: &mut dyn FnMut(JudgeEvent),
) -> Result<Comparison, JudgingError> {
    let sessions = SessionPairs::of(store, expected, actual)?;
    let trusted = Trusted::of(store, expected)?;
    let digest = digest(store, expected, actual, &trusted, rules)?;
    // A run that goes on may have grown since.
    let ended = [expected, actual].iter().all(|run| run.state != RunState::Unfinished);
    let known = if ended { store.judgement(expected.id, actual.id, &digest)? } else { None };
    let mut summary = Summary::new(rules);
    let id = match known {
        Some(id) => {
            read(store, expected, id, &sessions, &mut summary)?;
            id
        }
        None => {
            let judging = Judging { store, expected, actual, rules, sessions: &sessions };
            judging.run(&trusted, &digest, &mut summary, on)?
        }
    };
    let mut comparison = summary.finish(expected, actual);
    comparison.replayed = sessions.replayed.map(|replayed| (replayed, sessions.names.len()));
    comparison.judgement = Some(id);
    Ok(comparison)
}

/// Takes what was judged before.
fn read(
    store: &Store,
    expected: &Run,
    id: JudgementId,
    sessions: &SessionPairs,
    summary: &mut Summary<'_>,
) -> Result<(), JudgingError> {
    for pair in &sessions.pairs {
        let session = JudgedSession {
            ordinal: pair.ordinal,
            verdicts: store.verdicts(id, pair.ordinal)?,
            aftermath: store.aftermath(id, pair.ordinal)?,
        };
        if session.verdicts.len() < pair.steps {
            let has = |at: StepAt| session.verdicts.iter().any(|verdict| verdict.at == at);
            let steps = store.steps_of_session(expected.id, pair.ordinal)?;
            summary.add_missing(steps.into_iter().map(|step| step.at).filter(|at| !has(*at)));
        }
        summary.add(session);
    }
    Ok(())
}

struct Judging<'a> {
    store: &'a Store,
    expected: &'a Run,
    actual: &'a Run,
    rules: &'a Rules,
    sessions: &'a SessionPairs,
}

impl Judging<'_> {
    /// Looks at every page, and stores what is found.
    fn run(
        &self,
        trusted: &Trusted,
        digest: &[u8],
        summary: &mut Summary<'_>,
        on: &mut dyn FnMut(JudgeEvent),
    ) -> Result<JudgementId, JudgingError> {
        let pairs = &self.sessions.pairs;
        on(JudgeEvent::Steps(pairs.iter().map(|pair| pair.steps).sum()));
        let learnt_from = self.learnt_from(trusted)?;
        let noise = self.store.reading(|| trusted.noise(self.store, &learnt_from, self.rules))?;
        let mut snapshot_store = self.rules.aftermath.snapshot_store()?;
        let mut aftermaths = AftermathJudge::new(
            self.store,
            self.expected,
            pairs,
            &self.rules.aftermath,
            snapshot_store.as_mut(),
        )?;
        let mut judgement = self.store.begin_judgement(self.expected.id, self.actual.id, digest)?;
        for pair in pairs {
            let (found, aftermath) =
                self.store.reading(|| self.session(pair, &noise, &mut aftermaths, on))?;
            judgement.add(&found.verdicts, aftermath.as_ref())?;
            summary.add_missing(found.missing);
            summary.add(JudgedSession { ordinal: pair.ordinal, verdicts: found.verdicts, aftermath });
        }
        Ok(judgement.finish()?)
    }

    /// A session's steps, and then what it left behind.
    fn session(
        &self,
        pair: &SessionPair,
        noise: &RunNoise,
        aftermaths: &mut AftermathJudge<'_>,
        on: &mut dyn FnMut(JudgeEvent),
    ) -> Result<(JudgedSteps, Option<Aftermath>), JudgingError> {
        let (was, is) = self.steps(pair)?;
        let keys = keys(self.store, &was, &self.rules.keys)?;
        let judged = Judged {
            expected: (&self.expected.name, &was),
            check: None,
            actual: (&self.actual.name, &is),
            sessions: &self.sessions.names,
            keys: &keys,
            oracle: &self.rules.oracle,
            profile: self.rules.profile.as_ref(),
        };
        let found = judge_steps(noise, judged, &Bodies(self.store), &mut || on(JudgeEvent::Step))?;
        let aftermath = match &pair.known {
            Some((was, is)) => aftermaths.judge(was, is)?,
            None => None,
        };
        Ok((found, aftermath))
    }

    /// The sessions that noise is learnt from: those that are judged, also where one run lacks some of them; of another run than
    /// the expected one all.
    fn learnt_from(&self, trusted: &Trusted) -> Result<Vec<u32>, JudgingError> {
        if trusted.run.id == self.expected.id && self.expected.suite != self.actual.suite {
            return Ok(self.sessions.pairs.iter().map(|pair| pair.ordinal).collect());
        }
        Ok(self.store.step_counts(trusted.run.id)?.into_iter().map(|(ordinal, _)| ordinal).collect())
    }

    /// The steps of a session in both runs, at their places in the one that is right.
    fn steps(&self, pair: &SessionPair) -> Result<(Vec<Step>, Vec<Step>), JudgingError> {
        let was = self.store.steps_of_session(self.expected.id, pair.ordinal)?;
        let mut is = match pair.actual {
            Some(place) => self.store.steps_of_session(self.actual.id, place)?,
            None => Vec::new(),
        };
        for step in &mut is {
            step.at.session = pair.ordinal;
        }
        Ok((was, is))
    }
}
