//! The bookstore calibrated, as `restage calibrate` does it.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::time::Duration;

use restage_judge::Bodies;
use restage_model::{Run, Step};
use restage_oracle::{
    Calibration, Comparator, JsonRules, KeyPattern, Oracle, OracleRules, Profile, calibrate,
};
use restage_replay::{CALIBRATION_HOURS_AHEAD, libfaketime};

use crate::Trouble;
use crate::judging::{Baseline, DEFAULT};
use crate::subject::Subject;

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Calibrated {
    /// The masks and oracles.
    pub profile: Profile,
    /// The oracle of each page.
    pub rules: OracleRules,
}

impl Subject {
    /// Replays the trusted release under clocks on other days, and learns what varies.
    pub fn calibrated(&mut self, baseline: &Run) -> Result<Calibrated, Trouble> {
        libfaketime().ok_or("libfaketime is not there\n  hint: apt-get install libfaketime")?;
        let mut runs: Vec<Vec<Step>> = Vec::new();
        for (number, &hours) in CALIBRATION_HOURS_AHEAD.iter().enumerate() {
            let mut app = self.app(&[])?;
            if hours > 0 {
                app = app.with_clock_ahead(Duration::from_secs(hours * 3600));
            }
            let run = self.run(baseline, &format!("calibration {number}"), &app, &mut |_| {})?;
            runs.push(self.project.store.steps(run.id)?);
        }
        let store = &self.project.store;
        let baseline = Baseline::of(store, baseline)?;
        let calibration = Calibration {
            expected: &baseline.steps,
            runs: &runs,
            check: None,
            keys: &baseline.keys,
            at_most: &Comparator::ALL[0],
            one_day: None,
            sessions: &HashMap::new(),
            json: JsonRules::default(),
        };
        Calibrated::of(calibrate(calibration, &Bodies(store), &mut || {})?)
    }
}

impl Calibrated {
    fn of(profile: Profile) -> Result<Self, Trouble> {
        let mut rules: Vec<(KeyPattern, Oracle)> = Vec::new();
        for page in &profile.pages {
            if let Some(oracle) = &page.oracle {
                rules.push((page.key.clone(), oracle.parse()?));
            }
        }
        let default: Oracle = DEFAULT.parse()?;
        Ok(Self { profile, rules: OracleRules { rules, ..default.into() } })
    }
}

/// Which pages are judged by what, and what is masked.
impl fmt::Display for Calibrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pages: BTreeMap<&str, usize> = BTreeMap::new();
        for oracle in self.profile.pages.iter().filter_map(|page| page.oracle.as_deref()) {
            *pages.entry(oracle).or_default() += 1;
        }
        for (oracle, pages) in pages {
            writeln!(f, "- {pages} pages are judged by `{oracle}`")?;
        }
        for page in &self.profile.pages {
            for mask in &page.masks {
                writeln!(f, "- masked on `{}`: {mask}", page.key)?;
            }
        }
        Ok(())
    }
}
