//! A session of the old version.

use std::collections::HashMap;

use restage_model::{KeyRules, RunId, Session, Step};
use restage_store::{Store, StoreError};

use super::act::{Act, find};
use super::old_step::OldStep;

/// A session of the old version.
#[derive(Debug)]
pub(crate) struct OldSession {
    pub(crate) session: Session,
    pub(crate) steps: Vec<OldStep>,
}

impl OldSession {
    /// Reads a session, with how a run of the old version answered it, where there is one.
    pub(crate) fn read(
        store: &Store,
        rules: &KeyRules,
        session: &Session,
        run: Option<(RunId, u32)>,
    ) -> Result<Self, StoreError> {
        let replayed = match run {
            Some((run, ordinal)) => store.steps_of_session(run, ordinal)?,
            None => Vec::new(),
        };
        let places: HashMap<u32, &Step> = replayed.iter().map(|step| (step.at.step, step)).collect();
        let mut steps: Vec<OldStep> = Vec::with_capacity(session.exchanges.len());
        for (place, id) in (0..).zip(&session.exchanges) {
            let replayed = places.get(&place).copied().filter(|step| step.exchange == *id);
            let mut step = OldStep::read(store, *id, replayed)?;
            let found = find(rules, &steps, &step);
            (step.act, step.from, step.node) = (found.act, found.from, found.node);
            steps.push(step);
        }
        Ok(Self { session: session.clone(), steps })
    }

    /// The step that followed a step's redirect.
    pub(crate) fn follower(&self, at: usize) -> Option<usize> {
        let follows = |later: &usize| {
            let step = &self.steps[*later];
            step.act == Act::Redirect && step.from == Some(at)
        };
        (at + 1..self.steps.len()).find(follows)
    }

    /// The steps that came from the page of a step.
    pub(crate) fn came_from(&self, at: usize) -> impl Iterator<Item = usize> {
        (at + 1..self.steps.len()).filter(move |later| self.steps[*later].from == Some(at))
    }
}
