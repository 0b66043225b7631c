//! Dropping sessions that bring nothing new.

use std::collections::HashMap;
use std::path::Path;

use restage_model::{ExchangeId, KeyRules, Moment, Session};
use restage_store::{Store, StoreError};
use restage_suite::ParameterLearner;
use restage_suite::reduce::{Concepts, Requirement, RequirementNames, session_requirements};

use crate::online_reduction::StoredExchanges;
use crate::sessions::{SessionRules, Sessionizer};

/// The suite that is made anew of all that was recorded.
const RECORDED: &str = "recorded";

/// What became of the sessions of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReductionTally {
    /// Sessions of this recording that are over.
    pub over: u64,
    /// Those of them that were dropped: others do all that they do.
    pub dropped: u64,
    /// The exchanges that went with them.
    pub exchanges: u64,
    /// Sessions of this recording that are not over yet.
    pub open: u64,
    /// What tells all the sessions there are apart: sets of requirements, none of them in another.
    pub behaviours: u64,
    /// What the store takes, in bytes.
    pub bytes: u64,
}

impl ReductionTally {
    /// Sessions of this recording.
    pub fn seen(&self) -> u64 {
        self.over + self.open
    }

    /// Those of them that are in the store.
    pub fn kept(&self) -> u64 {
        self.seen() - self.dropped
    }
}

/// Drops sessions that bring nothing new.
#[derive(Debug)]
pub struct OnlineReducer {
    store: Store,
    rules: SessionRules,
    kind: Requirement,
    keys: KeyRules,
    learner: ParameterLearner,
    /// The last exchange that was looked at for parameters that lead to different pages.
    learnt_from: ExchangeId,
    names: RequirementNames,
    concepts: Concepts,
    /// The last exchange before this recording.
    before: ExchangeId,
    /// The sessions that are over, by number: all of their exchanges.
    over: HashMap<u64, Vec<ExchangeId>>,
    /// Sessions to be dropped that could not be yet.
    pending: Vec<u64>,
    tally: ReductionTally,
}

impl OnlineReducer {
    /// Keeps the store of a recording that begins now. Keys are made by these rules, and by what is learnt meanwhile.
    pub fn open(
        path: &Path,
        rules: SessionRules,
        kind: Requirement,
        keys: KeyRules,
    ) -> Result<Self, StoreError> {
        let store = Store::open_or_create(path)?;
        let before = store.last_exchange()?;
        let learner = ParameterLearner::new(keys.clone());
        Ok(Self {
            store,
            rules,
            kind,
            keys,
            learner,
            learnt_from: ExchangeId(0),
            names: RequirementNames::default(),
            concepts: Concepts::new(),
            before,
            over: HashMap::new(),
            pending: Vec::new(),
            tally: ReductionTally::default(),
        })
    }

    /// Decides on the sessions that are over at a time; on all of them where no time is given. What fails is tried
    /// again the next time.
    pub fn look(&mut self, now: Option<Moment>) -> Result<ReductionTally, StoreError> {
        let mut sessionizer = Sessionizer::new(&self.rules);
        let (mut news, mut last) = (false, self.learnt_from);
        let source = StoredExchanges(&self.store);
        self.store.each_exchange(|exchange| {
            sessionizer.add(&exchange);
            if exchange.id > self.learnt_from {
                last = last.max(exchange.id);
                news |= self.learner.add(&exchange, &source).map_err(unreadable)?;
            }
            Ok::<_, StoreError>(())
        })?;
        let sorted = sessionizer.finish();
        self.learnt_from = last;
        // Before anything is dropped: what is dropped teaches nothing any more.
        let renamed = news && self.learn()?;
        let idle = i64::try_from(self.rules.idle.as_micros()).unwrap_or(i64::MAX);
        let is_new = |id: &ExchangeId| *id > self.before;
        self.tally.open = 0;
        for (session, _) in sorted.all() {
            let number = number(&session);
            let is_over = now.is_none_or(|now| now.since(session.to) > idle);
            let known = self.over.contains_key(&number);
            if known && !renamed {
                continue;
            }
            if !is_over {
                self.tally.open += u64::from(session.exchanges.iter().chain(&session.left_out).any(is_new));
                continue;
            }
            let source = StoredExchanges(&self.store);
            let met = session_requirements(&source, &session.exchanges, self.kind, &self.keys)
                .map_err(unreadable)?;
            let set = self.names.set(met.iter().map(String::as_str));
            let all: Vec<ExchangeId> = session.exchanges.into_iter().chain(session.left_out).collect();
            self.tally.over += u64::from(!known && all.iter().any(is_new));
            self.over.insert(number, all);
            let result = self.concepts.add(number, &set);
            self.pending.extend(result.others);
            if result.itself {
                self.pending.push(number);
            }
        }
        self.drop_pending()?;
        self.tally.behaviours = self.concepts.len() as u64;
        self.tally.bytes = self.store.bytes()?;
        Ok(self.tally)
    }

    /// Learns from what was recorded by now; whether pages have other names since. All sessions are then looked at anew.
    fn learn(&mut self) -> Result<bool, StoreError> {
        let learnt = self.learner.learnt();
        if learnt.is_empty() {
            return Ok(false);
        }
        self.store.add_page_parameters(&learnt.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        self.learner.know(learnt.iter().cloned());
        self.keys.parameters.learnt.extend(learnt);
        self.names = RequirementNames::default();
        self.concepts = Concepts::new();
        self.pending.clear();
        Ok(true)
    }

    fn drop_pending(&mut self) -> Result<(), StoreError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let in_use = self.store.exchanges_in_use(RECORDED)?;
        let stays = |id: &ExchangeId| *id <= self.before || in_use.contains(id);
        self.pending.retain(|number| self.over.get(number).is_some_and(|all| !all.iter().any(stays)));
        let exchanges: Vec<ExchangeId> =
            self.pending.iter().filter_map(|number| self.over.get(number)).flatten().copied().collect();
        self.tally.exchanges += self.store.remove_exchanges(&exchanges)?.exchanges;
        self.tally.dropped += self.pending.len() as u64;
        // They are never met again, so that nothing is left of them here either.
        for number in self.pending.drain(..) {
            self.over.remove(&number);
        }
        Ok(())
    }
}

fn unreadable(error: restage_suite::SourceError) -> StoreError {
    StoreError::Unreadable(error.to_string())
}

/// A session's number: that of its first exchange.
fn number(session: &Session) -> u64 {
    let first = session.name.strip_prefix('s').and_then(|number| number.parse().ok());
    first.unwrap_or_else(|| session.exchanges.first().map_or(0, |id| id.0.unsigned_abs()))
}
