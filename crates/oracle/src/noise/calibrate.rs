//! From several runs of the trusted version to a profile (paper 2, section 5: run the suite several times on the
//! clean version, and choose for each response the strictest comparator that reports nothing).

use std::collections::{BTreeMap, HashMap};

use restage_model::{Answer, Key, Moment, Step, StepAt};

use super::evidence::is_enough;
use super::learn::Learner;
use super::mask::{Mask, Part};
use super::page::{Answered, PageLearner, PageNoise};
use super::profile::{PageProfile, Profile};
use crate::body::json::JsonRules;
use crate::comparators::comparator::Comparator;
use crate::flist::{PageFlow, flow_differences};
use crate::judging::judge::{BodySource, JudgeError};
use crate::oracles::expression::Oracle;
use crate::oracles::rules::KeyPattern;

/// A mask that so many pages share is written once, for all pages.
const SHARED: usize = 3;

/// Runs of the trusted version.
#[derive(Clone, Copy, Debug)]
pub struct Calibration<'a> {
    /// The baseline's steps.
    pub expected: &'a [Step],
    /// Its suite again, from the same snapshots.
    pub runs: &'a [Vec<Step>],
    /// The baseline's check.
    pub check: Option<&'a [Step]>,
    /// The key of each step.
    pub keys: &'a HashMap<StepAt, Key>,
    /// No oracle sees more than this comparator.
    pub at_most: &'a Comparator,
    /// When the baseline was made, where all runs are of that day: no date was seen to vary, and those that say the day will.
    pub one_day: Option<Moment>,
    /// The names of sessions, by their places in the baseline.
    pub sessions: &'a HashMap<u32, String>,
    /// What counts as the same in JSON.
    pub json: JsonRules,
}

impl Calibration<'_> {
    fn candidates(&self) -> Vec<Comparator> {
        let at_most = |c: &&Comparator| *c == self.at_most || c.is_below(self.at_most);
        Comparator::ALL.iter().filter(at_most).cloned().collect()
    }

    fn learner<'l>(&'l self, bodies: &'l dyn BodySource, comparators: &'l [Comparator]) -> PageLearner<'l> {
        PageLearner {
            bodies,
            learner: Some(Learner { one_day: self.one_day.map(|at| at.0 / 1_000_000), ties_all: false }),
            known: Vec::new(),
            comparators,
            json: self.json,
            sessions: self.sessions,
        }
    }
}

/// The steps in which these runs are not of the baseline's version: baseline and check agree, the runs agree, and the two
/// do not. To take that for noise would hide every fault that came in since.
pub fn changed_since(
    calibration: Calibration<'_>,
    bodies: &dyn BodySource,
) -> Result<Vec<StepAt>, JudgeError> {
    let Some((first, others)) = calibration.runs.split_first() else { return Ok(Vec::new()) };
    // What one run shows may be chance.
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let keys = calibration.keys;
    let check: Vec<Vec<Step>> = calibration.check.map(<[Step]>::to_vec).into_iter().collect();
    let between = by_page(calibration.expected, std::slice::from_ref(first), keys);
    let (mut within, before) = (by_page(first, others, keys), by_page(calibration.expected, &check, keys));
    for (key, steps) in before {
        within.entry(key).or_default().extend(steps);
    }
    let candidates = calibration.candidates();
    let mut changed = Vec::new();
    for (key, steps) in between {
        let page = calibration.learner(bodies, &candidates);
        let noise = page.learn(within.get(&key).map_or(&[][..], Vec::as_slice))?;
        let quiet: Vec<Comparator> =
            candidates.iter().filter(|c| !noise.noisy.contains(c)).cloned().collect();
        let compared =
            PageLearner { learner: None, known: noise.masks.iter().collect(), comparators: &quiet, ..page };
        changed.extend(compared.differing(&steps)?);
    }
    changed.sort();
    Ok(changed)
}

/// What several runs of the same version say of its pages. `tick` is called after each page.
pub fn calibrate(
    calibration: Calibration<'_>,
    bodies: &dyn BodySource,
    tick: &mut dyn FnMut(),
) -> Result<Profile, JudgeError> {
    let pages = by_page(calibration.expected, calibration.runs, calibration.keys);
    let candidates = calibration.candidates();
    let learner = calibration.learner(bodies, &candidates);
    let mut learnt: Vec<(Key, PageNoise)> = Vec::new();
    for (key, steps) in &pages {
        learnt.push((key.clone(), learner.learn(steps)?));
        tick();
    }
    let shared = shared(&learnt, &pages, &learner, calibration.runs.len())?;
    Ok(profile(&learnt, shared, &candidates))
}

/// The masks that hold on all pages: many pages share them, and hardly one that has what they cover does not.
fn shared(
    learnt: &[(Key, PageNoise)],
    pages: &BTreeMap<Key, Vec<Answered<'_>>>,
    learner: &PageLearner<'_>,
    runs: usize,
) -> Result<Vec<Mask>, JudgeError> {
    let mut shared: Vec<(Mask, usize)> = Vec::new();
    for mask in learnt.iter().flat_map(|(_, noise)| &noise.masks) {
        // Only single values are the same thing on other pages; a list's order is the page's own.
        let is_value = matches!(mask.part, Part::Attribute { .. } | Part::Text { .. });
        if !is_value || !mask.sessions.is_empty() {
            continue;
        }
        match shared.iter_mut().find(|(known, _)| is_same(known, mask)) {
            Some((_, count)) => *count += 1,
            None => shared.push((mask.clone(), 1)),
        }
    }
    shared.retain(|(_, count)| *count >= SHARED);
    if shared.is_empty() {
        return Ok(Vec::new());
    }
    let masks: Vec<Mask> = shared.iter().map(|(mask, _)| mask.clone()).collect();
    let mut there = vec![0; masks.len()];
    for steps in pages.values() {
        for (count, covers) in there.iter_mut().zip(learner.covering(&masks, steps)?) {
            *count += usize::from(covers);
        }
    }
    let held = shared.into_iter().zip(there).filter(|((_, varied), there)| {
        // A page that was not looked at as a whole may have it without being counted.
        is_enough((*there).max(*varied), *varied, runs)
    });
    Ok(held.map(|((mask, _), _)| mask).collect())
}

fn is_same(one: &Mask, other: &Mask) -> bool {
    one.at == other.at && one.part == other.part && one.sessions == other.sessions
}

/// The steps of each page, in the order of keys: each with its answers, those left out that led elsewhere.
pub(crate) fn by_page<'a>(
    expected: &'a [Step],
    runs: &'a [Vec<Step>],
    keys: &HashMap<StepAt, Key>,
) -> BTreeMap<Key, Vec<Answered<'a>>> {
    let runs: Vec<HashMap<StepAt, &Step>> =
        runs.iter().map(|steps| steps.iter().map(|s| (s.at, s)).collect()).collect();
    let mut pages: BTreeMap<Key, Vec<Answered<'_>>> = BTreeMap::new();
    for step in expected {
        let Answer::Received(first) = &step.answer else { continue };
        let flow = PageFlow::of(step);
        let again = runs.iter().filter_map(|run| run.get(&step.at)).filter_map(|other| {
            let same = flow_differences(&flow, &PageFlow::of(other)).is_empty();
            other.answer.received().filter(|_| same)
        });
        let answered = Answered { at: step.at, first, others: again.collect() };
        let key =
            keys.get(&step.at).cloned().unwrap_or_else(|| Key::of(&step.sent.method, &step.sent.uri, ""));
        pages.entry(key).or_default().push(answered);
    }
    pages
}

fn profile(learnt: &[(Key, PageNoise)], shared: Vec<Mask>, candidates: &[Comparator]) -> Profile {
    let is_shared = |mask: &Mask| shared.iter().any(|known| is_same(known, mask));
    let mut pages = Vec::new();
    for (key, noise) in learnt {
        pages.push(PageProfile {
            key: KeyPattern::new(key.as_str()),
            keep: false,
            oracle: Some(strictest(candidates, &noise.noisy).to_string()),
            headers: noise.headers.clone(),
            masks: noise.masks.iter().filter(|mask| !is_shared(mask)).cloned().collect(),
        });
    }
    if !shared.is_empty() {
        let all = PageProfile {
            key: KeyPattern::new("*"),
            keep: false,
            oracle: None,
            headers: Default::default(),
            masks: shared,
        };
        pages.insert(0, all);
    }
    Profile { pages }
}

/// All that are not noisy and that no other of them sees more than.
fn strictest(candidates: &[Comparator], noisy: &[Comparator]) -> Oracle {
    let quiet: Vec<&Comparator> = candidates.iter().filter(|c| !noisy.contains(c)).collect();
    let strictest = quiet.iter().filter(|c| !quiet.iter().any(|other| c.is_below(other)));
    Oracle::any(strictest.map(|c| Oracle::One((*c).clone())).collect())
}
