//! Two runs of the store → a comparison, as `restage test` makes it.

use std::collections::HashMap;

use restage_model::{BodyRef, Comparison, Key, Run, Step, StepAt};
use restage_oracle::{BodySource, Judged, Oracle, OracleRules, Profile, Sighting, compare_runs, sightings};
use restage_store::{Store, StoreError};

use crate::Trouble;

/// Compares two runs; the baseline's check says what is noise.
pub fn judge(store: &Store, baseline: &Run, actual: &Run, oracle: &Oracle) -> Result<Comparison, Trouble> {
    Against::of(store, baseline)?.judge(store, actual, &oracle.clone().into(), None)
}

/// A baseline that runs are judged against, read once.
#[derive(Clone, Debug)]
pub struct Against {
    /// Its name.
    pub name: String,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The key of each of them.
    pub keys: HashMap<StepAt, Key>,
    check: Option<Vec<Step>>,
    sessions: Vec<String>,
}

impl Against {
    /// Reads a baseline and its check.
    pub fn of(store: &Store, baseline: &Run) -> Result<Self, Trouble> {
        let steps = store.steps(baseline.id)?;
        Ok(Self {
            name: baseline.name.clone(),
            keys: keys(store, &steps)?,
            check: baseline.check.map(|id| store.steps(id)).transpose()?,
            sessions: store.run_sessions(baseline.id)?.into_iter().map(|s| s.session).collect(),
            steps,
        })
    }

    /// What `restage test` says of a run.
    pub fn judge(
        &self,
        store: &Store,
        actual: &Run,
        oracle: &OracleRules,
        profile: Option<&Profile>,
    ) -> Result<Comparison, Trouble> {
        let steps = store.steps(actual.id)?;
        let judged = self.judged((&actual.name, &steps), oracle, profile);
        Ok(compare_runs(judged, &Bodies(store), &mut || {})?)
    }

    /// What all comparators would say.
    pub fn sightings(
        &self,
        store: &Store,
        actual: &Run,
        oracle: &OracleRules,
        profile: Option<&Profile>,
    ) -> Result<Vec<Sighting>, Trouble> {
        let steps = store.steps(actual.id)?;
        Ok(sightings(self.judged((&actual.name, &steps), oracle, profile), &Bodies(store))?)
    }

    fn judged<'a>(
        &'a self,
        actual: (&'a str, &'a [Step]),
        oracle: &'a OracleRules,
        profile: Option<&'a Profile>,
    ) -> Judged<'a> {
        Judged {
            expected: (&self.name, &self.steps),
            check: self.check.as_deref(),
            actual,
            sessions: &self.sessions,
            keys: &self.keys,
            oracle,
            profile,
        }
    }
}

/// The key of each step's recorded request.
fn keys(store: &Store, steps: &[Step]) -> Result<HashMap<StepAt, Key>, StoreError> {
    let mut keys = HashMap::new();
    for step in steps {
        let request = store.exchange(step.exchange)?.request;
        let is_form = request.headers.media_type().as_deref() == Some("application/x-www-form-urlencoded");
        let form = if is_form { store.body(&request.body)? } else { Vec::new() };
        keys.insert(step.at, Key::of(&request.method, &request.uri, &String::from_utf8_lossy(&form)));
    }
    Ok(keys)
}

/// The store as a source of bodies.
pub(crate) struct Bodies<'a>(pub(crate) &'a Store);

impl BodySource for Bodies<'_> {
    fn bytes(&self, body: &BodyRef) -> Result<Vec<u8>, Trouble> {
        Ok(self.0.body(body)?)
    }
}
