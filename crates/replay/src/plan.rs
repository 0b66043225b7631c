//! What all sessions of a run share: read once, looked at by every worker.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use restage_model::{RunId, Session, Step, StepAt};
use restage_store::{Store, StoreError};

use crate::run::Replay;
use crate::session::Carried;

/// How often a worker looks whether it is to stop, while it waits for the app.
const LOOK: Duration = Duration::from_millis(50);

/// What all sessions of a run share.
pub(crate) struct Plan<'a> {
    pub(crate) replay: &'a Replay<'a>,
    pub(crate) run: RunId,
    /// The sessions that are replayed, with their places in the suite.
    pub(crate) sessions: Vec<(u32, &'a Session)>,
    /// The store's file, for the threads that read and write.
    pub(crate) store: &'a Path,
    /// The snapshots of the trusted run, by session.
    pub(crate) snapshots: HashMap<String, String>,
    /// The trusted run's steps, where there is one.
    pub(crate) reference: HashMap<StepAt, Step>,
    carried: Mutex<Carried>,
    /// Set when the user wants to stop.
    stop: &'a AtomicBool,
    /// Set when a worker failed: the others need not go on.
    halted: AtomicBool,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(
        store: &Store,
        replay: &'a Replay<'a>,
        run: RunId,
        path: &'a Path,
        stop: &'a AtomicBool,
    ) -> Result<Self, StoreError> {
        let mut plan = Self {
            replay,
            run,
            sessions: replay.sessions(),
            store: path,
            snapshots: HashMap::new(),
            reference: HashMap::new(),
            carried: Mutex::new(Carried::new()),
            stop,
            halted: AtomicBool::new(false),
        };
        if let Some(reference) = replay.reference {
            let sessions = store.run_sessions(reference)?.into_iter();
            plan.snapshots = sessions.filter_map(|s| Some((s.session, s.snapshot?))).collect();
            plan.reference = store.steps(reference)?.into_iter().map(|s| (s.at, s)).collect();
        }
        Ok(plan)
    }

    /// The cookies that sessions of this run were given.
    pub(crate) fn carried(&self) -> MutexGuard<'_, Carried> {
        self.carried.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets every worker stop.
    pub(crate) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.halted.load(Ordering::Relaxed)
    }

    /// Waits until it is to stop.
    pub(crate) async fn stopped(&self) {
        while !self.is_stopped() {
            tokio::time::sleep(LOOK).await;
        }
    }
}
