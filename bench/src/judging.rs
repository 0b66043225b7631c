//! Two runs of the store → a comparison, as `restage test` makes it.

use std::collections::HashMap;

use restage_model::{BodyRef, Comparison, Key, Run, Step, StepAt};
use restage_oracle::{
    BodySource, Judged, Oracle, OracleRules, Profile, RunNoise, Sighting, compare_runs, compare_runs_knowing,
    sightings,
};
use restage_store::{Store, StoreError};

use crate::Trouble;
use crate::calibrated::Calibrated;

/// What `restage test` judges by.
pub(crate) const DEFAULT: &str = "C-WD | N+I";

/// Compares two runs; the baseline's check says what is noise.
pub fn judge(store: &Store, baseline: &Run, actual: &Run, oracle: &Oracle) -> Result<Comparison, Trouble> {
    let (baseline, steps, oracle) =
        (Baseline::of(store, baseline)?, store.steps(actual.id)?, oracle.clone().into());
    let judged = baseline.judged((&actual.name, &steps), &oracle, None);
    Ok(compare_runs(judged, &Bodies(store), &mut || {})?)
}

/// A baseline, read once.
#[derive(Debug)]
pub struct Baseline {
    /// Its steps.
    pub steps: Vec<Step>,
    /// The key of each of them.
    pub keys: HashMap<StepAt, Key>,
    name: String,
    check: Option<Vec<Step>>,
    sessions: Vec<String>,
}

impl Baseline {
    /// Reads a baseline and its check.
    pub fn of(store: &Store, baseline: &Run) -> Result<Self, Trouble> {
        let steps = store.steps(baseline.id)?;
        Ok(Self {
            keys: keys(store, &steps)?,
            name: baseline.name.clone(),
            check: baseline.check.map(|id| store.steps(id)).transpose()?,
            sessions: store.run_sessions(baseline.id)?.into_iter().map(|s| s.session).collect(),
            steps,
        })
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

/// A baseline that many runs are judged against: its noise is learnt once.
#[derive(Debug)]
pub struct Against {
    baseline: Baseline,
    /// What `restage calibrate` has learnt, where it was asked.
    pub calibrated: Option<Calibrated>,
    noise: RunNoise,
}

impl Against {
    /// Learns the noise.
    pub fn of(store: &Store, baseline: &Run, calibrated: Option<Calibrated>) -> Result<Self, Trouble> {
        let baseline = Baseline::of(store, baseline)?;
        let profile = calibrated.as_ref().map(|calibrated| &calibrated.profile);
        // Neither run nor oracle matters.
        let noise =
            RunNoise::learn(&baseline.judged(("", &[]), &Oracle::Nothing.into(), profile), &Bodies(store))?;
        Ok(Self { baseline, calibrated, noise })
    }

    /// The oracle of each page: as it was calibrated, or else the default.
    pub fn rules(&self) -> Result<OracleRules, Trouble> {
        match &self.calibrated {
            Some(calibrated) => Ok(calibrated.rules.clone()),
            None => Ok(DEFAULT.parse::<Oracle>()?.into()),
        }
    }

    /// What `restage test` says of a run by these oracles.
    pub fn judge(&self, store: &Store, run: &Run, oracle: &OracleRules) -> Result<Comparison, Trouble> {
        let steps = store.steps(run.id)?;
        let judged = self.baseline.judged((&run.name, &steps), oracle, self.profile());
        Ok(compare_runs_knowing(&self.noise, judged, &Bodies(store), &mut || {})?)
    }

    /// What all comparators would say.
    pub fn sightings(&self, store: &Store, run: &Run) -> Result<Vec<Sighting>, Trouble> {
        let steps = store.steps(run.id)?;
        let any = Oracle::Nothing.into();
        let judged = self.baseline.judged((&run.name, &steps), &any, self.profile());
        Ok(sightings(&self.noise, judged, &Bodies(store))?)
    }

    fn profile(&self) -> Option<&Profile> {
        self.calibrated.as_ref().map(|calibrated| &calibrated.profile)
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
