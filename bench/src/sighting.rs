//! Which comparators see a difference between two runs that chance and the clock do not disturb.

use std::collections::BTreeSet;

use restage_model::{Answer, Headers, Run, Step, StepAt};
use restage_oracle::{Comparator, Document, PageFlow, flow_differences};
use restage_store::Store;

use crate::Trouble;

/// Who looks, in the tables' order: the flow of pages, then each comparator on its own.
pub const SEERS: [&str; 6] = ["Flist", "D", "C-W", "C-WD", "T", "N+I"];

/// In how many steps a difference is seen, and by whom.
#[derive(Clone, Debug, Default)]
pub struct Sighting {
    /// Steps of which the answer is another: the body's bytes, the status, or a field that leads on.
    pub shows: BTreeSet<StepAt>,
    /// Steps in which each of [`SEERS`] sees a difference.
    pub seen: [usize; SEERS.len()],
    /// Steps in which the oracle `D` does: the flow, or the bytes.
    pub found: usize,
}

/// Compares two runs step by step.
pub fn sighting(store: &Store, expected: &Run, actual: &Run) -> Result<Sighting, Trouble> {
    let comparators: Vec<Comparator> = SEERS.iter().filter_map(|id| Comparator::named(id)).collect();
    let (expected, actual) = (store.steps(expected.id)?, store.steps(actual.id)?);
    if expected.len() != actual.len() {
        return Err(format!("{} steps became {}", expected.len(), actual.len()).into());
    }
    let mut sighting = Sighting::default();
    for (expected, actual) in expected.iter().zip(&actual) {
        if shows(expected, actual) {
            sighting.shows.insert(expected.at);
        }
        let flow = !flow_differences(&PageFlow::of(expected), &PageFlow::of(actual)).is_empty();
        sighting.seen[0] += usize::from(flow);
        let mut bytes = false;
        if let (Some(a), Some(b)) = (expected.answer.received(), actual.answer.received())
            && a.body.id != b.body.id
        {
            let (was, is) = (store.body(&a.body)?, store.body(&b.body)?);
            let (a, b) = (Document::of(&a.headers, &was), Document::of(&b.headers, &is));
            for (seer, comparator) in comparators.iter().enumerate() {
                let differs = comparator.differs(&a, &b);
                bytes |= differs && comparator.id() == "D";
                sighting.seen[seer + 1] += usize::from(differs);
            }
        }
        sighting.found += usize::from(flow || bytes);
    }
    Ok(sighting)
}

/// Whether the answer is another, without any comparator's help.
fn shows(expected: &Step, actual: &Step) -> bool {
    let leads = |headers: &Headers| ["location", "content-type"].map(|n| headers.get(n).map(str::to_owned));
    match (&expected.answer, &actual.answer) {
        (Answer::Received(a), Answer::Received(b)) => {
            a.status != b.status || a.body.id != b.body.id || leads(&a.headers) != leads(&b.headers)
        }
        (Answer::Failed(_), Answer::Failed(_)) => false,
        _ => true,
    }
}
