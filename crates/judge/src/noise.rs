//! What varies on the trusted version, learnt session by session.

use std::collections::HashMap;

use restage_model::{Run, RunId, RunKind, Step, StepAt};
use restage_oracle::{NoiseLearner, RunNoise};
use restage_store::{Store, StoreError};

use crate::bodies::Bodies;
use crate::keys::key;
use crate::{JudgingError, Rules};

/// Two runs of the trusted version: what differs between them is noise.
#[derive(Clone, Debug)]
pub(crate) struct Trusted {
    /// The run.
    pub(crate) run: Run,
    /// The same version once more, from the same snapshots; none where there is none.
    pub(crate) check: Option<RunId>,
}

impl Trusted {
    /// The expected run and its check. Where it has none, the newest baseline of the same suite that has one.
    pub(crate) fn of(store: &Store, expected: &Run) -> Result<Self, StoreError> {
        let run = match expected.check {
            Some(_) => None,
            None => checked_baseline(store, expected)?,
        };
        let run = run.unwrap_or_else(|| expected.clone());
        Ok(Self { check: run.check, run })
    }

    /// What varies. `sessions` are those to learn from, where the run itself is the expected one.
    pub(crate) fn noise(
        &self,
        store: &Store,
        sessions: &[u32],
        rules: &Rules,
    ) -> Result<RunNoise, JudgingError> {
        let names = store.run_sessions(self.run.id)?.into_iter().map(|s| (s.ordinal, s.session));
        let mut learner = NoiseLearner::of_sessions(names.collect());
        for ordinal in sessions {
            let check = match self.check {
                Some(check) => store.steps_of_session(check, *ordinal)?,
                None => Vec::new(),
            };
            let check: HashMap<StepAt, &Step> = check.iter().map(|step| (step.at, step)).collect();
            for step in store.steps_of_session(self.run.id, *ordinal)? {
                let again = check.get(&step.at).copied();
                learner.add(key(store, &step, &rules.keys)?, &step, again);
            }
        }
        Ok(learner.finish(&rules.oracle, rules.profile.as_ref(), &Bodies(store))?)
    }
}

/// The newest baseline of the suite that a run replays, with its check.
pub(crate) fn checked_baseline(store: &Store, run: &Run) -> Result<Option<Run>, StoreError> {
    let is_it =
        |other: &Run| other.kind == RunKind::Baseline && other.suite == run.suite && other.check.is_some();
    Ok(store.runs()?.into_iter().rev().find(is_it))
}
