//! Two runs of the store → a comparison, as `restage test` makes it.

use std::collections::HashMap;

use restage_judge::{Bodies, Comparison, Rules, VerdictSource, keys};
use restage_model::{Key, KeyRules, Outcome, Run, Step, StepAt, Verdict};
use restage_oracle::{Judged, Oracle, OracleRules, Profile, RunNoise, Sighting, sightings};
use restage_store::Store;

use crate::Trouble;
use crate::calibrated::Calibrated;

/// What `restage test` judges by.
pub(crate) const DEFAULT: &str = "C-WD | N+I";

/// What `restage test` says of a run: the comparison, and the verdict on each step.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// The comparison.
    pub comparison: Comparison,
    /// The verdicts, in order.
    pub verdicts: Vec<Verdict>,
}

impl TestResult {
    fn of(store: &Store, baseline: &Run, actual: &Run, rules: &Rules) -> Result<Self, Trouble> {
        let comparison = restage_judge::judge(store, baseline, actual, rules, &mut |_| {})?;
        let mut verdicts = Vec::new();
        comparison.verdicts(store, rules).each_session(&mut |session| verdicts.extend(session.verdicts))?;
        Ok(Self { comparison, verdicts })
    }

    /// The verdicts that fail.
    pub fn failing(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|v| v.outcome == Outcome::Fail)
    }
}

/// What `restage test` says of a run by one oracle for all pages; the baseline's check says what is noise.
pub fn judge(store: &Store, baseline: &Run, actual: &Run, oracle: &Oracle) -> Result<TestResult, Trouble> {
    TestResult::of(store, baseline, actual, &oracle.clone().into())
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
            keys: keys(store, &steps, &KeyRules::default())?,
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
    run: Run,
    baseline: Baseline,
    /// What `restage calibrate` has learnt, where it was asked.
    pub calibrated: Option<Calibrated>,
    noise: RunNoise,
}

impl Against {
    /// Learns the noise.
    pub fn of(store: &Store, baseline: &Run, calibrated: Option<Calibrated>) -> Result<Self, Trouble> {
        let run = baseline.clone();
        let baseline = Baseline::of(store, baseline)?;
        let profile = calibrated.as_ref().map(|calibrated| &calibrated.profile);
        // Neither run nor oracle matters.
        let noise =
            RunNoise::learn(&baseline.judged(("", &[]), &Oracle::Nothing.into(), profile), &Bodies(store))?;
        Ok(Self { run, baseline, calibrated, noise })
    }

    /// The oracle of each page: as it was calibrated, or else the default.
    pub fn rules(&self) -> Result<OracleRules, Trouble> {
        match &self.calibrated {
            Some(calibrated) => Ok(calibrated.rules.clone()),
            None => Ok(DEFAULT.parse::<Oracle>()?.into()),
        }
    }

    /// What `restage test` says of a run by these oracles.
    pub fn judge(&self, store: &Store, run: &Run, oracle: &OracleRules) -> Result<TestResult, Trouble> {
        let rules = Rules { profile: self.profile().cloned(), ..oracle.clone().into() };
        TestResult::of(store, &self.run, run, &rules)
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
