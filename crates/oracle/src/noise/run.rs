//! What differs between runs of the same version, on all pages of a run.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use restage_model::{Answer, Headers, Key, Received, Step, StepAt};

use super::learn::Learner;
use super::mask::Mask;
use super::page::{Answered, PageLearner, PageNoise};
use super::profile::Profile;
use crate::comparators::comparator::Comparator;
use crate::flist::{PageFlow, flow_differences};
use crate::headers::header_differences_by_name;
use crate::judging::judge::{BodySource, JudgeError, Judged};
use crate::oracles::rules::OracleRules;

/// What differs between runs of the same version: learnt once, good for all runs that are judged against the same one.
#[derive(Debug, Default)]
pub struct RunNoise {
    /// Steps that led elsewhere.
    flows: HashSet<StepAt>,
    pages: HashMap<Key, PageNoise>,
    /// A page that is not known to vary.
    quiet: PageNoise,
}

/// Two runs of the same version, taken step by step. Kept is a little of each step whose answers differ, and nothing of
/// the others.
#[derive(Debug, Default)]
pub struct NoiseLearner {
    flows: HashSet<StepAt>,
    pages: BTreeMap<Key, VariedPage>,
    sessions: HashMap<u32, String>,
}

/// What is kept of a page.
#[derive(Debug, Default)]
struct VariedPage {
    headers: BTreeSet<String>,
    /// The steps whose two bodies differ.
    steps: Vec<(StepAt, Received, Received)>,
    /// Some of those whose bodies are the same: they tell how far a mask reaches.
    quiet: Vec<(StepAt, Received)>,
}

/// So many quiet steps of a page are kept.
const QUIET: usize = 40;

impl NoiseLearner {
    /// For sessions of these names, by their places in the run.
    pub fn of_sessions(sessions: HashMap<u32, String>) -> Self {
        Self { sessions, ..Self::default() }
    }

    /// Takes a step of the expected run, and the same step of its check where there is one.
    pub fn add(&mut self, key: Key, expected: &Step, check: Option<&Step>) {
        let same_flow =
            check.filter(|again| flow_differences(&PageFlow::of(expected), &PageFlow::of(again)).is_empty());
        if check.is_some() && same_flow.is_none() {
            self.flows.insert(expected.at);
        }
        let Answer::Received(first) = &expected.answer else { return };
        let page = self.pages.entry(key).or_default();
        let Some(again) = same_flow.and_then(|again| again.answer.received()) else { return };
        let names = header_differences_by_name(&first.headers, &again.headers);
        page.headers.extend(names.into_iter().map(|(name, _)| name));
        if first.body.id != again.body.id {
            page.steps.push((expected.at, only_type(first), only_type(again)));
        } else if page.quiet.len() < QUIET {
            page.quiet.push((expected.at, only_type(first)));
        }
    }

    /// Learns from what was taken. Where there is a profile, its masks are all.
    pub fn finish(
        self,
        oracle: &OracleRules,
        profile: Option<&Profile>,
        bodies: &dyn BodySource,
    ) -> Result<RunNoise, JudgeError> {
        let mut noise = RunNoise { flows: self.flows, ..RunNoise::default() };
        let comparators: Vec<Comparator> =
            Comparator::ALL.iter().cloned().chain(oracle.own_comparators()).collect();
        for (key, varied) in self.pages {
            let page = PageLearner {
                bodies,
                // One check says too little of which items tie.
                learner: (!profile.is_some_and(|profile| profile.knows(&key)))
                    .then_some(Learner { one_day: None, ties_all: true }),
                known: profile.map(|profile| profile.masks(&key)).unwrap_or_default(),
                comparators: &comparators,
                json: oracle.json,
                sessions: &self.sessions,
            };
            let quiet = varied.quiet.iter().map(|(at, first)| (at, first, first));
            let steps: Vec<Answered<'_>> = varied
                .steps
                .iter()
                .map(|(at, first, again)| (at, first, again))
                .chain(quiet)
                .map(|(at, first, again)| Answered { at: *at, first, others: vec![again] })
                .collect();
            let mut learnt = page.learn(&steps)?;
            learnt.headers.extend(varied.headers);
            learnt.headers.extend(profile.map(|profile| profile.headers(&key)).unwrap_or_default());
            noise.pages.insert(key, learnt);
        }
        Ok(noise)
    }
}

/// An answer of which only what tells how to read its body is kept.
fn only_type(received: &Received) -> Received {
    let content_type = received.headers.get("content-type");
    let headers = content_type.map(|value| ("content-type".to_owned(), value.to_owned()));
    Received { headers: headers.into_iter().collect::<Headers>(), ..received.clone() }
}

impl RunNoise {
    /// From the expected run and its check. Where there is a profile, its masks are all.
    pub fn learn(judged: &Judged<'_>, bodies: &dyn BodySource) -> Result<Self, JudgeError> {
        let check: HashMap<StepAt, &Step> = judged.check.into_iter().flatten().map(|s| (s.at, s)).collect();
        let names = judged.sessions.iter().enumerate().map(|(at, name)| (at as u32, name.clone()));
        let mut learner = NoiseLearner::of_sessions(names.collect());
        for step in judged.expected.1 {
            learner.add(judged.key(step), step, check.get(&step.at).copied());
        }
        learner.finish(judged.oracle, judged.profile, bodies)
    }

    /// Whether a step leads now here, now there.
    pub fn flow_varies(&self, at: StepAt) -> bool {
        self.flows.contains(&at)
    }

    /// The masks of all pages.
    pub(crate) fn all_masks(&self) -> impl Iterator<Item = &Mask> {
        self.pages.values().flat_map(|page| &page.masks)
    }

    /// What varies on a page.
    pub(crate) fn page(&self, key: &Key) -> &PageNoise {
        self.pages.get(key).unwrap_or(&self.quiet)
    }
}
