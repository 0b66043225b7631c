//! What was recorded, as sessions and suites.

use std::collections::{BTreeMap, HashSet};

use restage_capture::{SessionList, Sessionizer};
use restage_model::{ExchangeId, Key, NewSuite, Session, Suite};
use restage_store::{Store, StoreError};

use crate::error::ProjectError;
use crate::project::Project;

/// The suite of all that was recorded.
pub const RECORDED: &str = "recorded";

impl Project {
    /// What was recorded, as sessions.
    pub fn sessions(&self, store: &Store) -> Result<Vec<Session>, ProjectError> {
        Ok(self.session_list(store)?.sessions().collect())
    }

    /// What was recorded and imported, as sessions, and those that are left out.
    pub fn session_list(&self, store: &Store) -> Result<SessionList, ProjectError> {
        let mut sessionizer = Sessionizer::new(&self.config.sessions);
        store.each_exchange(|exchange| {
            sessionizer.add(&exchange);
            Ok::<_, StoreError>(())
        })?;
        Ok(sessionizer.finish())
    }

    /// The keys of all that is replayed, named by the templates that are listed and those that were learnt, and how many requests
    /// each has.
    pub fn key_counts(
        &self,
        store: &Store,
        sorted: &SessionList,
    ) -> Result<BTreeMap<Key, usize>, ProjectError> {
        let rules = self.view_key_rules(store)?;
        let replayed = sorted.replayed();
        let mut counts = BTreeMap::new();
        store.each_exchange(|exchange| -> Result<(), ProjectError> {
            if replayed.binary_search(&exchange.id).is_err() {
                return Ok(());
            }
            let request = &exchange.request;
            let key = Key::of_request(&rules, request, || store.body(&request.body))?;
            *counts.entry(key).or_default() += 1;
            Ok(())
        })?;
        Ok(counts)
    }

    /// How many sessions were recorded or went on since a suite of what was recorded; none for other suites.
    pub fn sessions_since(&self, store: &Store, suite: &Suite) -> Result<usize, ProjectError> {
        if suite.name != RECORDED {
            return Ok(0);
        }
        let known: HashSet<ExchangeId> =
            suite.sessions.iter().flat_map(|s| s.exchanges.iter().copied()).collect();
        let is_new = |s: &Session| s.exchanges.iter().any(|e| !known.contains(e));
        Ok(self.session_list(store)?.sessions().filter(is_new).count())
    }

    /// Stores a suite, with stand-ins in place of the secrets of what it has that nobody recorded.
    pub fn save_suite(&self, store: &mut Store, suite: NewSuite) -> Result<Suite, ProjectError> {
        match self.redacting(store)?.filter(|_| suite.has_new_requests()) {
            Some(redacting) => Ok(redacting.save_suite(store, suite)?),
            None => Ok(store.save_suite(suite)?),
        }
    }

    /// A suite by its name. `recorded` is made of what is recorded and imported now, without sessions that are left out.
    pub fn suite(&self, store: &mut Store, name: &str) -> Result<Suite, ProjectError> {
        if name == RECORDED {
            let sessions = self.sessions(store)?;
            if sessions.is_empty() {
                return Err(ProjectError::NothingRecorded);
            }
            return Ok(store.save_suite(NewSuite::of(RECORDED, RECORDED, sessions))?);
        }
        match store.suite_named(name)? {
            Some(id) => Ok(store.suite(id)?),
            None => {
                let mut names: Vec<String> = store.suites()?.into_iter().map(|s| s.name).collect();
                names.insert(0, RECORDED.to_owned());
                names.dedup();
                let there = format!("there is: {}", names.join(", "));
                Err(StoreError::Unknown { kind: "suite", name: name.to_owned(), there }.into())
            }
        }
    }
}
