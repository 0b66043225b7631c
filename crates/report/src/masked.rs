//! The masked parts of all steps, each once.

use std::collections::HashMap;

use restage_model::{Key, Masked, StepAt};

use crate::ReportSession;

/// A part that varies on the trusted version too, and where it differed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedPart {
    /// Which part, and how it differed once.
    pub example: Masked,
    /// The step of the example; none where only what sessions left behind has it.
    pub first: Option<StepAt>,
    /// The pages it is on, most often first.
    pub keys: Vec<Key>,
    /// How many steps have it.
    pub steps: usize,
    /// How many sessions left it behind.
    pub aftermaths: usize,
}

/// One of each place: two tokens in one form are one part of the page.
fn distinct(masked: &[Masked]) -> Vec<&Masked> {
    let mut found: Vec<&Masked> = Vec::new();
    for part in masked {
        if found.iter().all(|known| known.place != part.place) {
            found.push(part);
        }
    }
    found
}

/// The masked parts so far.
#[derive(Default)]
pub(crate) struct MaskedParts {
    places: HashMap<String, usize>,
    found: Vec<(MaskedPart, HashMap<Key, usize>)>,
}

impl MaskedParts {
    /// Takes a session.
    pub(crate) fn add(&mut self, session: &ReportSession) {
        for step in &session.steps {
            let Some(verdict) = &step.verdict else { continue };
            for masked in distinct(&verdict.masked) {
                let (part, keys) = self.of(masked);
                part.first.get_or_insert(step.at);
                part.steps += 1;
                *keys.entry(verdict.key.clone()).or_default() += 1;
            }
        }
        for masked in session.aftermath.iter().flat_map(|a| distinct(&a.masked)) {
            self.of(masked).0.aftermaths += 1;
        }
    }

    fn of(&mut self, masked: &Masked) -> &mut (MaskedPart, HashMap<Key, usize>) {
        let place = *self.places.entry(masked.place.clone()).or_insert_with(|| {
            let part = MaskedPart {
                example: masked.clone(),
                first: None,
                keys: Vec::new(),
                steps: 0,
                aftermaths: 0,
            };
            self.found.push((part, HashMap::new()));
            self.found.len() - 1
        });
        &mut self.found[place]
    }

    /// All of them, the most frequent first.
    pub(crate) fn finish(self) -> Vec<MaskedPart> {
        let mut parts: Vec<MaskedPart> = self.found.into_iter().map(named).collect();
        // What is as frequent stays in the order it was met.
        parts.sort_by_key(|part| std::cmp::Reverse(part.steps + part.aftermaths));
        parts
    }
}

fn named((part, keys): (MaskedPart, HashMap<Key, usize>)) -> MaskedPart {
    let mut keys: Vec<(Key, usize)> = keys.into_iter().collect();
    keys.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
    MaskedPart { keys: keys.into_iter().map(|(key, _)| key).collect(), ..part }
}
