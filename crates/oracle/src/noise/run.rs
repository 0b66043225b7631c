//! What differs between runs of the same version, on all pages of a run.

use std::collections::{HashMap, HashSet};

use restage_model::{Key, Step, StepAt};

use super::calibrate::by_page;
use super::learn::Learner;
use super::page::{PageLearner, PageNoise};
use crate::comparator::Comparator;
use crate::flist::{PageFlow, flow_differences};
use crate::judge::{BodySource, JudgeError, Judged};

/// What differs between runs of the same version: learnt once, good for all runs that are judged against the same one.
#[derive(Debug, Default)]
pub struct RunNoise {
    /// Steps that led elsewhere.
    flows: HashSet<StepAt>,
    pages: HashMap<Key, PageNoise>,
    /// A page that is not known to vary.
    quiet: PageNoise,
}

impl RunNoise {
    /// From the expected run and its check. Where there is a profile, its masks are all.
    pub fn learn(judged: &Judged<'_>, bodies: &dyn BodySource) -> Result<Self, JudgeError> {
        let expected = judged.expected.1;
        let runs: Vec<Vec<Step>> = judged.check.map(<[Step]>::to_vec).into_iter().collect();
        let mut noise = Self::default();
        for run in &runs {
            let again: HashMap<StepAt, &Step> = run.iter().map(|s| (s.at, s)).collect();
            for step in expected {
                if let Some(other) = again.get(&step.at)
                    && !flow_differences(&PageFlow::of(step), &PageFlow::of(other)).is_empty()
                {
                    noise.flows.insert(step.at);
                }
            }
        }
        let comparators: Vec<Comparator> =
            Comparator::ALL.iter().cloned().chain(judged.oracle.own_comparators()).collect();
        for (key, steps) in by_page(expected, &runs, judged.keys) {
            let page = PageLearner {
                bodies,
                // One check says too little of which items tie.
                learner: (!judged.profile.is_some_and(|profile| profile.knows(&key)))
                    .then_some(Learner { dates_vary: false, ties_all: true }),
                known: judged.profile.map(|profile| profile.masks(&key)).unwrap_or_default(),
                comparators: &comparators,
                json: judged.oracle.json,
            };
            let mut learnt = page.learn(&steps)?;
            learnt.headers.extend(judged.profile.map(|profile| profile.headers(&key)).unwrap_or_default());
            noise.pages.insert(key, learnt);
        }
        Ok(noise)
    }

    /// Whether a step leads now here, now there.
    pub(crate) fn flow_varies(&self, at: StepAt) -> bool {
        self.flows.contains(&at)
    }

    /// What varies on a page.
    pub(crate) fn page(&self, key: &Key) -> &PageNoise {
        self.pages.get(key).unwrap_or(&self.quiet)
    }
}
