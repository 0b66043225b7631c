//! How many requests carried live values, and how many of those the application took.

use std::collections::HashMap;

use restage_model::{Fidelity, RunSession, Step};
use serde::Serialize;

/// How many requests of a run carried a live value, and how many of those were answered as recorded.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LiveCount {
    /// Requests with a live value.
    pub requests: usize,
    /// Of those, the ones answered as when they were recorded.
    pub accepted: usize,
}

impl LiveCount {
    /// Counts the steps of a run.
    pub fn of(sessions: &[RunSession], steps: &[Step], fidelity: &Fidelity) -> Self {
        let names: HashMap<u32, &str> =
            sessions.iter().map(|session| (session.ordinal, session.session.as_str())).collect();
        let measures: HashMap<&str, _> =
            fidelity.sessions.iter().map(|session| (session.name.as_str(), session)).collect();
        let mut count = Self::default();
        for step in steps.iter().filter(|step| !step.substitutions.is_empty()) {
            let measure = names.get(&step.at.session).and_then(|name| measures.get(name));
            let differs = measure.is_some_and(|session| session.differs_at(step.at.step + 1));
            count.requests += 1;
            count.accepted += usize::from(!differs && step.answer.received().is_some());
        }
        count
    }
}
