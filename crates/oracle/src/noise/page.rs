//! What varies on one page, learnt from several answers to its steps.

use std::collections::{BTreeSet, HashMap};

use restage_html::Tokens;
use restage_model::{Received, StepAt};

use super::evidence::Evidence;
use super::learn::{Answers, Learner};
use super::mask::{Mask, Masks};
use super::source;
use crate::body::body_diff::typed;
use crate::body::format::Format;
use crate::body::json::JsonRules;
use crate::comparators::comparator::Comparator;
use crate::headers::header_differences_by_name;
use crate::judging::judge::{BodySource, JudgeError};
use crate::page::masked_body::MaskedBody;

/// So many steps of a page are learnt from at first, and so many more of those that still differ.
const SAMPLES: usize = 40;
/// So many steps that did not vary tell how far a mask reaches.
const QUIET: usize = 40;

/// The answers to one step by the same version: the first, and others whose flow is the same.
#[derive(Clone, Debug)]
pub(crate) struct Answered<'a> {
    pub(crate) at: StepAt,
    pub(crate) first: &'a Received,
    pub(crate) others: Vec<&'a Received>,
}

/// What varies on a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageNoise {
    /// The parts.
    pub(crate) masks: Vec<Mask>,
    /// The comparators that see more vary than the masks cover.
    pub(crate) noisy: Vec<Comparator>,
    /// The headers.
    pub(crate) headers: BTreeSet<String>,
}

/// Learns about one page.
pub(crate) struct PageLearner<'a> {
    pub(crate) bodies: &'a dyn BodySource,
    /// How masks are learnt; none where those that are known already are all.
    pub(crate) learner: Option<Learner>,
    pub(crate) known: Vec<&'a Mask>,
    pub(crate) comparators: &'a [Comparator],
    pub(crate) json: JsonRules,
    /// The names of sessions, by their places in the run.
    pub(crate) sessions: &'a HashMap<u32, String>,
}

impl PageLearner<'_> {
    pub(crate) fn learn(&self, steps: &[Answered<'_>]) -> Result<PageNoise, JudgeError> {
        let mut noise = PageNoise::default();
        for step in steps {
            for other in &step.others {
                let names = header_differences_by_name(&step.first.headers, &other.headers);
                noise.headers.extend(names.into_iter().map(|(name, _)| name));
            }
        }
        let varied: Vec<&Answered<'_>> =
            steps.iter().filter(|s| s.others.iter().any(|o| o.body.id != s.first.body.id)).collect();
        let Some(learner) = &self.learner else {
            (noise.noisy, _) = self.noisy(&varied, &[])?;
            return Ok(noise);
        };
        let wanted = if learner.one_day.is_some() { steps.iter().collect() } else { varied.clone() };
        let mut samples = self.samples(&spread(&wanted, SAMPLES))?;
        noise.masks = learner.masks(&samples);
        let (noisy, left) = self.noisy(&varied, &noise.masks)?;
        noise.noisy = noisy;
        if !left.is_empty() {
            samples.extend(self.samples(&spread(&left, SAMPLES))?);
            noise.masks = learner.masks(&samples);
            (noise.noisy, _) = self.noisy(&varied, &noise.masks)?;
        }
        drop(samples);
        let narrowed = self.narrowed(&noise.masks, steps, &varied)?;
        if narrowed != noise.masks {
            // What is too narrow for the answers that it was learnt from would be told as a difference.
            let (noisy, _) = self.noisy(&varied, &narrowed)?;
            if noisy.iter().all(|comparator| noise.noisy.contains(comparator)) {
                noise.masks = narrowed;
            }
        }
        Ok(noise)
    }

    /// The masks as wide as what was seen to vary, and no wider.
    fn narrowed(
        &self,
        masks: &[Mask],
        steps: &[Answered<'_>],
        varied: &[&Answered<'_>],
    ) -> Result<Vec<Mask>, JudgeError> {
        if masks.is_empty() {
            return Ok(Vec::new());
        }
        let mut evidence = Evidence::of(masks);
        let is_quiet = |step: &&Answered<'_>| {
            !step.others.is_empty() && step.others.iter().all(|o| o.body.id == step.first.body.id)
        };
        let quiet: Vec<&Answered<'_>> = steps.iter().filter(is_quiet).collect();
        for step in varied.iter().copied().chain(spread(&quiet, QUIET)) {
            for answers in self.samples(&[step])? {
                evidence.add(step.at.session, &answers, step.others.len());
            }
        }
        let named = |(mask, sessions): (Mask, Option<BTreeSet<u32>>)| {
            let names = sessions.into_iter().flatten().map(|session| self.sessions.get(&session).cloned());
            // A session without a name cannot be told from others.
            Mask { sessions: names.collect::<Option<_>>().unwrap_or_default(), ..mask }
        };
        Ok(evidence.narrowed().into_iter().map(named).collect())
    }

    /// Of masks, which cover anything in the first answers to some of these steps.
    pub(crate) fn covering(&self, masks: &[Mask], steps: &[Answered<'_>]) -> Result<Vec<bool>, JudgeError> {
        let mut evidence = Evidence::of(masks);
        for step in spread(&steps.iter().collect::<Vec<_>>(), 3) {
            if let Some(tokens) = self.tokens(step.at, step.first)? {
                evidence.add(step.at.session, &[tokens], 0);
            }
        }
        Ok(evidence.covers().collect())
    }

    /// The steps of which one answer differs from the first, under the masks that are known.
    pub(crate) fn differing(&self, steps: &[Answered<'_>]) -> Result<Vec<StepAt>, JudgeError> {
        let (_, left) = self.noisy(&steps.iter().collect::<Vec<_>>(), &[])?;
        Ok(left.into_iter().map(|step| step.at).collect())
    }

    fn samples(&self, steps: &[&Answered<'_>]) -> Result<Vec<Answers>, JudgeError> {
        let mut samples = Vec::new();
        for step in steps {
            let first = self.tokens(step.at, step.first)?;
            let Some(first) = first else { continue };
            let mut answers = vec![first];
            let mut known = BTreeSet::from([step.first.body.id]);
            for other in &step.others {
                if known.insert(other.body.id) {
                    answers.extend(self.tokens(step.at, other)?);
                }
            }
            samples.push(answers);
        }
        Ok(samples)
    }

    fn tokens(&self, at: StepAt, received: &Received) -> Result<Option<Tokens>, JudgeError> {
        let body = self.body(at, received)?;
        Ok(source::tokens(Format::of(&received.headers, &body), &body))
    }

    fn body(&self, at: StepAt, received: &Received) -> Result<Vec<u8>, JudgeError> {
        self.bodies.bytes(&received.body).map_err(|source| JudgeError::Body { at, source })
    }

    /// The comparators that see a difference with the masks on, and the steps where they do.
    fn noisy<'s, 'r>(
        &self,
        steps: &[&'s Answered<'r>],
        masks: &[Mask],
    ) -> Result<(Vec<Comparator>, Vec<&'s Answered<'r>>), JudgeError> {
        let mut noisy: Vec<Comparator> = Vec::new();
        let mut left = Vec::new();
        for &step in steps {
            let session = self.sessions.get(&step.at.session).map_or("", String::as_str);
            let of_session = |mask: &&Mask| mask.is_of(session);
            let masks = Masks::of(self.known.iter().copied().chain(masks).filter(of_session));
            let body = self.body(step.at, step.first)?;
            let first = MaskedBody::of(&step.first.headers, &body, &masks);
            let mut known = BTreeSet::from([step.first.body.id]);
            let others = step.others.iter().filter(|other| known.insert(other.body.id));
            let others: Vec<(&Received, Vec<u8>)> = others
                .map(|other| Ok((*other, self.body(step.at, other)?)))
                .collect::<Result<_, JudgeError>>()?;
            let mut differs = false;
            for (other, body) in &others {
                let other = MaskedBody::of(&other.headers, body, &masks);
                let (first, other) = first.clone().leveled(other, &masks);
                if other.is_same_as(&first) {
                    continue;
                }
                let (first, other) = (first.read(), other.read());
                let same = first.format != Format::Html && typed(&first, &other, self.json).is_empty();
                for comparator in self.comparators.iter().filter(|c| !same || c.features().bytes) {
                    if comparator.differs(&first, &other) {
                        differs = true;
                        if !noisy.contains(comparator) {
                            noisy.push(comparator.clone());
                        }
                    }
                }
            }
            if differs {
                left.push(step);
            }
        }
        Ok((noisy, left))
    }
}

/// So many at most, from all over.
fn spread<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    let every = all.len().div_ceil(most).max(1);
    all.iter().copied().step_by(every).collect()
}
