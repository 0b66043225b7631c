//! Which steps of a run were answered as recorded, session by session.

use std::collections::HashSet;

use restage_model::{
    BodyRef, CauseKind, Departure, Exchange, Fidelity, Key, LeftAt, Response, Run, RunKind, RunSession,
    RunState, SessionFidelity, StatePolicy, Step, Suite,
};
use restage_oracle::{KnownAnswer, RunNoise, Varying, departure};
use restage_redact::Redactor;
use restage_store::{Store, StoreError};

use super::causes::{Astray, CauseFinder, follow_from, is_root};
use crate::keys::key;
use crate::noise::Trusted;
use crate::{JudgingError, Rules};

/// Under what a run was made, as far as it tells why sessions left their path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conditions {
    /// Whether the application's clock showed the recorded time.
    pub recorded_clock: bool,
    /// Whether requests that change something were kept apart as they were recorded.
    pub grain: bool,
    /// Whether sessions were replayed at once, as they were recorded.
    pub overlap: bool,
    /// Whether the application's data was put back.
    pub state: bool,
}

/// The measure of a run: the one that the store has, or a new one, which it keeps. Of a run that goes on, nothing is kept.
pub fn fidelity_of(
    store: &mut Store,
    run: &Run,
    rules: &Rules,
    conditions: Conditions,
) -> Result<Fidelity, JudgingError> {
    if let Some(known) = store.fidelity(run.id)? {
        return Ok(known);
    }
    let sessions = measure(store, run, rules, conditions)?;
    if run.state != RunState::Unfinished {
        // A store that cannot be written, as one in an archive, tells what it tells all the same.
        let _ = store.save_fidelity(run.id, &sessions);
    }
    Ok(Fidelity::of(sessions.into_iter().map(|(_, session)| session).collect()))
}

/// The measure of each session, with its place in the run.
fn measure(
    store: &Store,
    run: &Run,
    rules: &Rules,
    conditions: Conditions,
) -> Result<Vec<(u32, SessionFidelity)>, JudgingError> {
    let suite = store.suite(run.suite)?;
    let replayed = store.run_sessions(run.id)?;
    let is_part = replayed.len() < suite.sessions.len();
    let trusted = trusted(store, run)?;
    let ordinals: Vec<u32> =
        store.step_counts(trusted.run.id)?.into_iter().map(|(ordinal, _)| ordinal).collect();
    let noise = trusted.noise(store, &ordinals, rules)?;
    let stand_ins: HashSet<u64> = store.stand_ins()?.into_iter().collect();
    let measuring = Measuring {
        store,
        run,
        // Where another suite was checked, its places are other ones.
        check: trusted.check.filter(|_| trusted.run.suite == run.suite),
        noise: &noise,
        varying: Varying::new(&noise, rules.profile.as_ref()),
        rules,
        stand_ins: &stand_ins,
        finder: CauseFinder { store, run, suite: &suite, is_part, stand_ins: &stand_ins, conditions },
    };
    let mut sessions: Vec<(u32, SessionFidelity)> = Vec::new();
    for session in replayed {
        let mut measure = measuring.session(&session)?;
        let before = sessions.iter().map(|(_, session)| session).find(|session| is_root(session));
        if let (Some(before), Some(cause)) = (before, &mut measure.cause)
            && cause.kind == CauseKind::Data
            && run.policy != StatePolicy::Fresh
        {
            follow_from(before, cause);
        }
        sessions.push((session.ordinal, measure));
    }
    Ok(sessions)
}

/// Two runs of the trusted version that show what varies: of the same suite, or else of any.
fn trusted(store: &Store, run: &Run) -> Result<Trusted, StoreError> {
    let trusted = Trusted::of(store, run)?;
    if trusted.check.is_some() {
        return Ok(trusted);
    }
    let is_checked = |other: &Run| other.kind == RunKind::Baseline && other.check.is_some();
    Ok(match store.runs()?.into_iter().rev().find(is_checked) {
        Some(run) => Trusted { check: run.check, run },
        None => trusted,
    })
}

struct Measuring<'a> {
    store: &'a Store,
    run: &'a Run,
    check: Option<restage_model::RunId>,
    noise: &'a RunNoise,
    varying: Varying<'a>,
    rules: &'a Rules,
    stand_ins: &'a HashSet<u64>,
    finder: CauseFinder<'a>,
}

impl Measuring<'_> {
    fn session(&self, session: &RunSession) -> Result<SessionFidelity, JudgingError> {
        let steps = self.store.steps_of_session(self.run.id, session.ordinal)?;
        let replaced = replaced(&steps);
        let mut measure = SessionFidelity { name: session.session.clone(), ..SessionFidelity::default() };
        let mut departures: Vec<(usize, Departure)> = Vec::new();
        for (place, step) in steps.iter().enumerate().filter(|(_, step)| step.origin.is_recorded()) {
            let exchange = self.store.exchange(step.exchange)?;
            let Some(recorded) = &exchange.response else { continue };
            measure.steps += 1;
            match self.departure(step, &exchange, recorded, &replaced)? {
                None => measure.as_recorded += 1,
                Some(departure) => departures.push((place, departure)),
            }
        }
        measure.differing = departures.iter().map(|(place, _)| steps[*place].at.step + 1).collect();
        if let Some((place, departure)) = departures.first() {
            let step = &steps[*place];
            measure.left_at =
                Some(LeftAt::new(step.at.step + 1, &step.sent.method, &step.sent.uri, departure.clone()));
            let astray = Astray {
                name: &session.session,
                group: &session.group,
                steps: &steps,
                departures: &departures,
            };
            measure.cause = Some(self.finder.find(&astray)?);
        }
        Ok(measure)
    }

    /// What of a step's answer is not as recorded. What now leads here, now there is as recorded where either does.
    fn departure(
        &self,
        step: &Step,
        exchange: &Exchange,
        recorded: &Response,
        replaced: &HashSet<String>,
    ) -> Result<Option<Departure>, JudgingError> {
        let found = self.compare(step, exchange, recorded, replaced)?;
        if let (Some(_), Some(check)) = (&found, self.check)
            && self.noise.flow_varies(step.at)
            && let Some(again) = self.store.step(check, step.at)?
            && self.compare(&again, exchange, recorded, replaced)?.is_none()
        {
            return Ok(None);
        }
        Ok(found)
    }

    fn compare(
        &self,
        step: &Step,
        exchange: &Exchange,
        recorded: &Response,
        replaced: &HashSet<String>,
    ) -> Result<Option<Departure>, JudgingError> {
        let received = match &step.answer {
            restage_model::Answer::Received(received) => received,
            restage_model::Answer::Failed(why) => {
                return Ok(Some(Departure::NoAnswer { why: why.clone() }));
            }
        };
        let bodies = Pair::read(self.store, step, &recorded.body, &received.body)?;
        let was = bodies.recorded(exchange, recorded);
        let is = bodies.live(step, received);
        let key = self.key(step)?;
        let plain = departure(&was, &is, &self.varying, &key, &|word| !replaced.contains(word));
        // Secrets that the recording has no more: what stands for them is on no live page.
        match plain {
            Some(Departure::Words { .. }) if !self.stand_ins.is_empty() => {
                let made = self.made_words(was.body.unwrap_or_default());
                let counts = |word: &str| !replaced.contains(word) && !made.contains(word);
                Ok(departure(&was, &is, &self.varying, &key, &counts))
            }
            plain => Ok(plain),
        }
    }

    fn key(&self, step: &Step) -> Result<Key, StoreError> {
        key(self.store, step, &self.rules.keys)
    }

    /// The words of a body that stand for secrets, in lower case.
    fn made_words(&self, body: &[u8]) -> HashSet<String> {
        let text = String::from_utf8_lossy(body);
        let pieces = text.split(|c: char| c.is_whitespace() || "\"'<>=,;()[]{}".contains(c));
        pieces
            .filter(|piece| !piece.is_empty() && self.stand_ins.contains(&Redactor::hash(piece)))
            .flat_map(|piece| piece.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase))
            .collect()
    }
}

/// The bodies of a recorded and a live answer, where they are known and not the same bytes.
pub(super) struct Pair {
    recorded: Option<Vec<u8>>,
    live: Option<Vec<u8>>,
}

impl Pair {
    pub(super) fn read(
        store: &Store,
        step: &Step,
        recorded: &BodyRef,
        live: &BodyRef,
    ) -> Result<Self, StoreError> {
        let unknown = recorded.id.is_none() || step.sent.method == "HEAD";
        if unknown || recorded.id == live.id {
            return Ok(Self { recorded: None, live: None });
        }
        Ok(Self { recorded: Some(store.body(recorded)?), live: Some(store.body(live)?) })
    }

    pub(super) fn recorded<'a>(&'a self, exchange: &'a Exchange, response: &'a Response) -> KnownAnswer<'a> {
        KnownAnswer {
            status: response.status,
            headers: &response.headers,
            host: exchange.request.headers.get("host"),
            body: self.recorded.as_deref(),
            cut: response.body.cut,
        }
    }

    pub(super) fn live<'a>(
        &'a self,
        step: &'a Step,
        received: &'a restage_model::Received,
    ) -> KnownAnswer<'a> {
        KnownAnswer {
            status: received.status,
            headers: &received.headers,
            host: step.sent.headers.get("host"),
            body: self.live.as_deref(),
            cut: received.body.cut,
        }
    }
}

/// The words of values that the live application has others for.
fn replaced(steps: &[Step]) -> HashSet<String> {
    let values = steps.iter().flat_map(|step| &step.substitutions).flat_map(|s| [&s.recorded, &s.live]);
    // An address that was replaced is made of words that are not.
    values
        .filter(|value| !value.contains(['/', ' ']))
        .flat_map(|value| value.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The session of a suite by its name.
pub(super) fn session_of<'s>(suite: &'s Suite, name: &str) -> Option<&'s restage_model::Session> {
    suite.sessions.iter().find(|session| session.name == name)
}
