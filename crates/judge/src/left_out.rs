//! The sessions of runs under shifted clocks that tell nothing of what varies.
//!
//! Applications expire data: under the clock of another month, carts are emptied, logins have run out, old rows are removed. Such a session goes
//! another way. To take that for noise would mask what it touches, and that is what it tests.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use restage_model::{Answer, Received, Run, RunId, RunSession, Step, StepAt};
use restage_oracle::{BodySource, JudgeError, KnownAnswer, PageFlow, Varying, departure, flow_differences};
use restage_state::Comparer;
use restage_store::Store;

use crate::aftermath::{learn_state, same_start, trusted_runs};
use crate::bodies::Bodies;
use crate::keys::key;
use crate::noise::Trusted;
use crate::{JudgingError, Rules};

/// Why a session tells nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOutWhy {
    /// A step got no answer, or an error.
    Failed,
    /// A step led elsewhere.
    Elsewhere,
    /// A step got another page.
    OtherPage,
    /// The session left fewer rows behind.
    LostRows,
}

/// A session of a run that tells nothing.
#[derive(Clone, Debug)]
pub struct LeftOutSession {
    /// The run.
    pub run: RunId,
    /// The session's place in the run.
    pub ordinal: u32,
    /// Its name.
    pub session: String,
    /// Why.
    pub why: LeftOutWhy,
    /// Its first step that tells so, from 0; none where it is what it left behind.
    pub step: Option<u32>,
}

/// The sessions that are not learnt from, run by run.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    /// In order of runs and sessions.
    pub sessions: Vec<LeftOutSession>,
    known: HashSet<(RunId, u32)>,
}

impl LeftOut {
    /// Whether a session of a run is left out.
    pub fn has(&self, run: RunId, ordinal: u32) -> bool {
        self.known.contains(&(run, ordinal))
    }

    /// The steps of a run without those of its sessions that are left out.
    pub fn without(&self, run: RunId, mut steps: Vec<Step>) -> Vec<Step> {
        steps.retain(|step| !self.has(run, step.at.session));
        steps
    }

    /// Of a run, how many sessions are left out for what, the most first.
    pub fn of_run(&self, run: RunId) -> Vec<(&LeftOutSession, usize)> {
        let mut by: Vec<(&LeftOutSession, usize)> = Vec::new();
        for session in self.sessions.iter().filter(|session| session.run == run) {
            match by.iter_mut().find(|(first, _)| first.why == session.why) {
                Some((_, count)) => *count += 1,
                None => by.push((session, 1)),
            }
        }
        by.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        by
    }

    fn add(&mut self, session: LeftOutSession) {
        if self.known.insert((session.run, session.ordinal)) {
            self.sessions.push(session);
        }
    }
}

impl fmt::Display for LeftOutWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Failed => "failed",
            Self::Elsewhere => "led elsewhere",
            Self::OtherPage => "got other pages",
            Self::LostRows => "lost rows",
        })
    }
}

/// Which sessions of runs under shifted clocks lost rows, got other pages, or failed, as none did under the usual clock.
pub fn left_out(
    store: &Store,
    baseline: &Run,
    usual: &[Run],
    shifted: &[Run],
    rules: &Rules,
    comparer: Option<&mut Comparer<'_>>,
) -> Result<LeftOut, JudgingError> {
    let mut out = LeftOut::default();
    if shifted.is_empty() {
        return Ok(out);
    }
    let sessions = store.run_sessions(baseline.id)?;
    let trusted = Trusted::of(store, baseline)?;
    let ordinals: Vec<u32> = sessions.iter().map(|session| session.ordinal).collect();
    let noise = trusted.noise(store, &ordinals, rules)?;
    let varying = Varying::new(&noise, rules.profile.as_ref());
    let compared = Compared { store, rules, varying };
    let check = baseline.check.map(|id| store.run(id)).transpose()?;
    let usual: Vec<Run> = check.into_iter().chain(usual.iter().cloned()).collect();
    for session in &sessions {
        let first = store.steps_of_session(baseline.id, session.ordinal)?;
        let mut again: Vec<BTreeMap<StepAt, Step>> = Vec::new();
        for run in &usual {
            again.push(by_place(store.steps_of_session(run.id, session.ordinal)?));
        }
        for run in shifted {
            let steps = by_place(store.steps_of_session(run.id, session.ordinal)?);
            if let Some((at, why)) = compared.first_departure(&first, &steps, &again)? {
                out.add(LeftOutSession {
                    run: run.id,
                    ordinal: session.ordinal,
                    session: session.session.clone(),
                    why,
                    step: Some(at.step),
                });
            }
        }
    }
    if let Some(comparer) = comparer {
        let known: Vec<Run> = trusted_runs(store, baseline)?
            .into_iter()
            .chain(usual.iter().filter(|run| Some(run.id) != baseline.check).cloned())
            .collect();
        compared.lost_rows(&sessions, &known, shifted, comparer, &mut out)?;
    }
    let place: HashMap<RunId, usize> = shifted.iter().enumerate().map(|(at, run)| (run.id, at)).collect();
    out.sessions.sort_by_key(|session| (place.get(&session.run).copied(), session.ordinal));
    Ok(out)
}

struct Compared<'a> {
    store: &'a Store,
    rules: &'a Rules,
    varying: Varying<'a>,
}

impl Compared<'_> {
    /// The first step of a session that departs from the baseline, as it did in no run under the usual clock.
    fn first_departure(
        &self,
        first: &[Step],
        steps: &BTreeMap<StepAt, Step>,
        usual: &[BTreeMap<StepAt, Step>],
    ) -> Result<Option<(StepAt, LeftOutWhy)>, JudgingError> {
        for step in first {
            let Some(again) = steps.get(&step.at) else { continue };
            let Some(why) = self.departs(step, again)? else { continue };
            let mut departs_by_itself = false;
            for run in usual {
                if let Some(other) = run.get(&step.at) {
                    departs_by_itself |= self.departs(step, other)?.is_some();
                }
            }
            if !departs_by_itself {
                return Ok(Some((step.at, why)));
            }
        }
        Ok(None)
    }

    fn departs(&self, step: &Step, again: &Step) -> Result<Option<LeftOutWhy>, JudgingError> {
        let Answer::Received(was) = &step.answer else { return Ok(None) };
        let Answer::Received(is) = &again.answer else { return Ok(Some(LeftOutWhy::Failed)) };
        if is.status >= 500 && was.status < 500 {
            return Ok(Some(LeftOutWhy::Failed));
        }
        if !flow_differences(&PageFlow::of(step), &PageFlow::of(again)).is_empty() {
            return Ok(Some(LeftOutWhy::Elsewhere));
        }
        if was.body.id == is.body.id {
            return Ok(None);
        }
        let read = |received: &Received| {
            Bodies(self.store)
                .bytes(&received.body)
                .map_err(|source| JudgeError::Body { at: step.at, source })
        };
        let (was_body, is_body) = (read(was)?, read(is)?);
        let key = key(self.store, step, &self.rules.keys)?;
        let departs = departure(&known(was, &was_body), &known(is, &is_body), &self.varying, &key, &|_| true);
        Ok(departs.map(|_| LeftOutWhy::OtherPage))
    }

    /// Sessions after which rows are missing.
    fn lost_rows(
        &self,
        sessions: &[RunSession],
        known: &[Run],
        shifted: &[Run],
        comparer: &mut Comparer<'_>,
        out: &mut LeftOut,
    ) -> Result<(), JudgingError> {
        let masks = learn_state(self.store, comparer, known, &LeftOut::default())?;
        for run in shifted {
            let again = self.store.run_sessions(run.id)?;
            for session in sessions {
                let Some(other) = again.iter().find(|other| other.session == session.session) else {
                    continue;
                };
                let (Some(was), Some(is)) = (&session.after, &other.after) else { continue };
                if out.has(run.id, other.ordinal)
                    || !same_start(session, other)
                    || !comparer.has(was)?
                    || !comparer.has(is)?
                {
                    continue;
                }
                if comparer.rows_lost(was, is, &masks.of_session(&session.session))? > 0 {
                    out.add(LeftOutSession {
                        run: run.id,
                        ordinal: other.ordinal,
                        session: other.session.clone(),
                        why: LeftOutWhy::LostRows,
                        step: None,
                    });
                }
            }
        }
        Ok(())
    }
}

fn known<'a>(received: &'a Received, body: &'a [u8]) -> KnownAnswer<'a> {
    KnownAnswer {
        status: received.status,
        headers: &received.headers,
        host: None,
        body: Some(body),
        cut: received.body.cut,
    }
}

fn by_place(steps: Vec<Step>) -> BTreeMap<StepAt, Step> {
    steps.into_iter().map(|step| (step.at, step)).collect()
}
