//! Recordings that consist of errors: tests of them would test nothing but those.

use std::collections::{BTreeMap, HashMap};

use restage_model::ExchangeId;
use restage_store::{Store, StoreError};
use serde::Serialize;

use crate::error::ProjectError;
use crate::project::Project;

/// What was recorded or imported since a moment, as far as it consists of errors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedErrors {
    /// How many requests there are that a replay sends.
    pub requests: usize,
    /// How many of them were answered by an error, or not at all.
    pub errors: usize,
    /// How many by which status, 0 for none.
    pub statuses: BTreeMap<u16, usize>,
    /// How many sessions there are.
    pub sessions: usize,
    /// How many of them have nothing but errors.
    pub sessions_of_errors: usize,
}

impl RecordedErrors {
    /// Whether there is something to tell: all sessions consist of errors, or most of the requests.
    pub fn is_worth_telling(&self) -> bool {
        let all_sessions = self.sessions > 0 && self.sessions_of_errors == self.sessions;
        all_sessions || self.errors * 2 > self.requests
    }
}

impl Project {
    /// What came after an exchange, as far as it consists of errors; none where few answers are errors. Sessions are told apart only
    /// where they may consist of errors.
    pub fn recorded_errors(
        &self,
        store: &Store,
        after: ExchangeId,
    ) -> Result<Option<RecordedErrors>, ProjectError> {
        let (all, errors) = store.error_counts(after)?;
        // Pages are fewer than what is shown on them.
        if errors == 0 || errors * 20 < all {
            return Ok(None);
        }
        let mut statuses: HashMap<ExchangeId, u16> = HashMap::new();
        store.each_exchange(|exchange| {
            if exchange.id > after {
                statuses.insert(exchange.id, exchange.response.map_or(0, |response| response.status));
            }
            Ok::<_, StoreError>(())
        })?;
        let mut found = RecordedErrors {
            requests: 0,
            errors: 0,
            statuses: BTreeMap::new(),
            sessions: 0,
            sessions_of_errors: 0,
        };
        for session in self.session_list(store)?.sessions() {
            let answers: Vec<u16> =
                session.exchanges.iter().filter_map(|id| statuses.get(id).copied()).collect();
            if answers.is_empty() {
                continue;
            }
            let errors: Vec<u16> =
                answers.iter().copied().filter(|status| *status == 0 || *status >= 400).collect();
            found.sessions += 1;
            found.sessions_of_errors += usize::from(errors.len() == answers.len());
            found.requests += answers.len();
            found.errors += errors.len();
            for status in errors {
                *found.statuses.entry(status).or_default() += 1;
            }
        }
        // What never answered anybody with success is left out of imports: nothing is left then.
        if found.sessions == 0 {
            (found.requests, found.errors) = (all, errors);
            for status in statuses.into_values().filter(|status| *status == 0 || *status >= 400) {
                *found.statuses.entry(status).or_default() += 1;
            }
        }
        Ok(Some(found).filter(RecordedErrors::is_worth_telling))
    }
}
