//! What varies on one page, learnt from several answers to its steps.

use std::collections::BTreeSet;

use restage_html::Tokens;
use restage_model::{Received, StepAt};

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
        let wanted = if learner.dates_vary { steps.iter().collect() } else { varied.clone() };
        let mut samples = self.samples(&spread(&wanted, SAMPLES))?;
        noise.masks = learner.masks(&samples);
        let (noisy, left) = self.noisy(&varied, &noise.masks)?;
        noise.noisy = noisy;
        if !left.is_empty() {
            samples.extend(self.samples(&spread(&left, SAMPLES))?);
            noise.masks = learner.masks(&samples);
            (noise.noisy, _) = self.noisy(&varied, &noise.masks)?;
        }
        Ok(noise)
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
        let masks = Masks::of(self.known.iter().copied().chain(masks));
        let mut noisy: Vec<Comparator> = Vec::new();
        let mut left = Vec::new();
        for &step in steps {
            let body = self.body(step.at, step.first)?;
            let first = MaskedBody::of(&step.first.headers, &body, &masks);
            let mut known = BTreeSet::from([step.first.body.id]);
            let others = step.others.iter().filter(|other| known.insert(other.body.id));
            let others: Vec<(&Received, Vec<u8>)> = others
                .map(|other| Ok((*other, self.body(step.at, other)?)))
                .collect::<Result<_, JudgeError>>()?;
            let mut others: Vec<MaskedBody<'_>> =
                others.iter().map(|(other, body)| MaskedBody::of(&other.headers, body, &masks)).collect();
            others.retain(|other| !other.is_same_as(&first));
            if others.is_empty() {
                continue;
            }
            let first = first.read();
            let mut differs = false;
            for other in others.into_iter().map(MaskedBody::read) {
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
