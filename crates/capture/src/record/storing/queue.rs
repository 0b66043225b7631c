//! Finished exchanges waiting for the store, bounded by the memory they hold.
//!
//! An exchange weighs on the queue until the store has it or it is given up, so that what the
//! writer has in its hands is bounded too.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::record::storing::raw::RawExchange;

/// How long the writer lets exchanges gather before it takes them.
const GATHER: Duration = Duration::from_millis(50);
/// How many it takes at once, and how many bytes.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 8 << 20;
/// How long a new request waits for room.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a failing store is tried when recording has ended.
const LAST_TRIES: Duration = Duration::from_secs(2);

/// Exchanges and the memory they hold.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) exchanges: Vec<RawExchange>,
    pub(crate) weight: usize,
}

/// Finished exchanges waiting for the store.
#[derive(Debug)]
pub(crate) struct Queue {
    limit: usize,
    weight: AtomicUsize,
    failing: AtomicBool,
    state: Mutex<State>,
    writer: Condvar,
    room: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<RawExchange>,
    weight: usize,
    since: Option<Instant>,
    closed: Option<Instant>,
    failure: Option<String>,
}

impl State {
    fn enough(&self) -> bool {
        self.waiting.len() >= BATCH || self.weight >= BATCH_BYTES
    }

    /// Moves waiting exchanges into a batch until it is as large as one may be.
    fn fill(&mut self, batch: &mut Batch) {
        while batch.exchanges.len() < BATCH && batch.weight < BATCH_BYTES {
            let Some(exchange) = self.waiting.pop_front() else { break };
            let weight = exchange.weight();
            self.weight -= weight;
            batch.weight += weight;
            batch.exchanges.push(exchange);
        }
        if self.waiting.is_empty() {
            self.since = None;
        }
    }
}

impl Queue {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            weight: AtomicUsize::new(0),
            failing: AtomicBool::new(false),
            state: Mutex::default(),
            writer: Condvar::new(),
            room: Notify::new(),
        }
    }

    /// Waits until there is room, as long as waiting can help and not too long.
    pub(crate) async fn room(&self) {
        if !self.full() || self.failing() {
            return;
        }
        let made = async {
            loop {
                let notified = self.room.notified();
                tokio::pin!(notified);
                notified.as_mut().enable();
                if !self.full() || self.failing() {
                    return;
                }
                notified.await;
            }
        };
        // Whether there is room is asked again when the exchange has ended.
        let _ = tokio::time::timeout(PATIENCE, made).await;
    }

    /// Adds an exchange; the reason where it does not fit.
    pub(crate) fn push(&self, exchange: RawExchange) -> Result<(), String> {
        let weight = exchange.weight();
        let mut state = self.lock();
        if state.closed.is_some() {
            let why = state.failure.clone();
            return Err(why.unwrap_or_else(|| "it ended after the recording".to_owned()));
        }
        let held = self.weight.load(Ordering::Acquire);
        // Requests that were let in while there was room may all end with large bodies. Their
        // memory is taken already, so that a store that works may have them still.
        let limit = if state.failure.is_some() { self.limit } else { self.limit.saturating_mul(2) };
        if held >= limit {
            let why = state.failure.clone();
            return Err(why.unwrap_or_else(|| "the store is slower than the traffic".to_owned()));
        }
        self.weight.fetch_add(weight, Ordering::AcqRel);
        let had_enough = state.enough();
        state.weight += weight;
        state.waiting.push_back(exchange);
        if state.waiting.len() == 1 {
            state.since = Some(Instant::now());
        }
        // Waking the writer is a system call: once when there is something, once when there is
        // enough for a batch.
        if state.waiting.len() == 1 || (!had_enough && state.enough()) {
            self.writer.notify_one();
        }
        Ok(())
    }

    /// The writer's: the next batch, as soon as it is worth its transaction; `None` at the end.
    pub(crate) fn next(&self) -> Option<Batch> {
        let mut state = self.lock();
        loop {
            let gathered = state.since.map(|since| since.elapsed());
            match gathered {
                None if state.closed.is_some() => return None,
                None => state = self.writer.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(gathered) if gathered >= GATHER || state.enough() || state.closed.is_some() => {
                    let mut batch = Batch::default();
                    state.fill(&mut batch);
                    return Some(batch);
                }
                Some(gathered) => {
                    let wait = self.writer.wait_timeout(state, GATHER - gathered);
                    state = wait.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// The writer's: what has come to wait meanwhile, beside `held` exchanges it has already.
    pub(crate) fn more(&self, held: usize) -> Batch {
        let mut batch = Batch::default();
        if held < BATCH {
            self.lock().fill(&mut batch);
        }
        batch
    }

    /// The writer's: that much memory is no longer held.
    pub(crate) fn release(&self, weight: usize) {
        self.weight.fetch_sub(weight, Ordering::AcqRel);
        self.room.notify_waiters();
    }

    /// The writer's: the store fails for this reason, or works.
    pub(crate) fn set_failure(&self, failure: Option<String>) {
        self.failing.store(failure.is_some(), Ordering::Release);
        self.lock().failure = failure;
        self.room.notify_waiters();
    }

    /// The writer's: waits before the next try; `false` when there is to be none.
    pub(crate) fn pause(&self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        let mut state = self.lock();
        let open_before = state.closed.is_none();
        loop {
            if let Some(closed) = state.closed {
                if closed.elapsed() >= LAST_TRIES {
                    return false;
                }
                if open_before {
                    return true;
                }
            }
            let Some(left) = until.checked_duration_since(Instant::now()).filter(|d| !d.is_zero()) else {
                return true;
            };
            state = self.writer.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes no more; the writer empties it and ends.
    pub(crate) fn close(&self) {
        self.lock().closed.get_or_insert_with(Instant::now);
        self.writer.notify_one();
    }

    fn full(&self) -> bool {
        self.weight.load(Ordering::Acquire) >= self.limit
    }

    fn failing(&self) -> bool {
        self.failing.load(Ordering::Acquire)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
