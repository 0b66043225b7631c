//! What all sessions of a run share: read once, looked at by every worker.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use restage_app::{AppError, AppSpec, Launch};
use restage_facts::FactsReport;
use restage_model::{RunId, Session, StepAt, Suite};
use restage_store::{Store, StoreError};

use crate::error::ReplayError;
use crate::facts::{FactsAsked, FactsGatherer, FactsOfRun, MarkedDatabases, StepMarks};
use crate::run::context::{SessionContext, TrustedStep};
use crate::run::replay::Replay;
use crate::secrecy::Secrecy;

/// How often a worker looks whether it is to stop, while it waits for the app.
const LOOK: Duration = Duration::from_millis(50);

/// What all sessions of a run share.
pub(crate) struct Plan<'a> {
    pub(crate) replay: &'a Replay<'a>,
    pub(crate) run: RunId,
    /// The sessions that are replayed, with their places in the suite.
    pub(crate) sessions: Vec<(u32, &'a Session)>,
    /// What is replayed as one, by places among these sessions: a session by itself, or a group.
    pub(crate) units: Vec<Vec<usize>>,
    /// The store's file, for the threads that read and write.
    pub(crate) store: &'a Path,
    /// What its sessions know of each other and of the trusted run.
    pub(crate) context: Arc<SessionContext>,
    /// The snapshots of the trusted run, by session.
    pub(crate) snapshots: HashMap<String, String>,
    /// What is asked of the app's probes; and what became of it so far.
    facts: Option<&'a FactsAsked>,
    facts_report: Mutex<FactsReport>,
    /// The app's databases whose servers log statements.
    pub(crate) statements: MarkedDatabases,
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
        (secrecy, facts): (&Secrecy, Option<&'a FactsAsked>),
        stop: &'a AtomicBool,
    ) -> Result<Self, StoreError> {
        let mut context = SessionContext::new(replay.as_recorded, secrecy.clone());
        context.marks = facts.map(|_| StepMarks::new());
        let sessions = replay.sessions();
        let mut plan = Self {
            replay,
            run,
            units: replay.groups.units(sessions.iter().map(|(_, session)| *session)),
            sessions,
            store: path,
            context: Arc::default(),
            snapshots: HashMap::new(),
            facts,
            statements: MarkedDatabases::default(),
            facts_report: Mutex::new(FactsReport::new(
                facts.map(|asked| asked.want.clone()).unwrap_or_default(),
            )),
            stop,
            halted: AtomicBool::new(false),
        };
        if let Some(reference) = replay.reference {
            let sessions = store.run_sessions(reference)?.into_iter();
            plan.snapshots = sessions.filter_map(|s| Some((s.session, s.snapshot?))).collect();
            context.reference = steps_by_place(store, reference, replay.suite)?;
        }
        plan.context = Arc::new(context);
        Ok(plan)
    }

    /// Puts probes into the environment of an app that is about to be started, where facts are asked for.
    pub(crate) fn gather_facts(&self, app: &mut AppSpec, launch: &Launch) -> Option<FactsGatherer> {
        let of = FactsOfRun {
            run: self.run,
            marks: self.context.marks.as_ref()?,
            asked: self.facts?,
            secrecy: &self.context.secrecy,
            own_folder: self.store.parent().unwrap_or(self.store),
        };
        let markers = self.statements.markers(&launch.copy);
        Some(FactsGatherer::new(&of, app, launch, markers))
    }

    /// Takes what became of gathering the facts of an app that has ended.
    pub(crate) fn add_facts_report(&self, report: FactsReport) {
        self.facts_report.lock().unwrap_or_else(PoisonError::into_inner).join(report);
    }

    /// What became of gathering facts; none where none were asked for.
    pub(crate) fn facts_report(&self) -> Option<FactsReport> {
        self.facts.map(|_| self.facts_report.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Lets every worker stop.
    pub(crate) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.halted.load(Ordering::Relaxed)
    }

    /// What a replay fails with where its app does: where the app had served, what was replayed is stored.
    pub(crate) fn app_failed(&self, error: AppError) -> ReplayError {
        match error {
            AppError::NotBack { .. } => {
                ReplayError::AppLost { run: self.replay.name.clone(), source: Box::new(error) }
            }
            error => error.into(),
        }
    }

    /// Waits until it is to stop.
    pub(crate) async fn stopped(&self) {
        while !self.is_stopped() {
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// The trusted run's steps at the places that its sessions have in the suite, which may be a part of what it replayed.
fn steps_by_place(
    store: &Store,
    run: RunId,
    suite: &Suite,
) -> Result<HashMap<StepAt, TrustedStep>, StoreError> {
    let places: HashMap<&str, u32> = suite.sessions.iter().map(|s| s.name.as_str()).zip(0..).collect();
    let mut steps = HashMap::new();
    for of_run in store.run_sessions(run)? {
        let Some(&session) = places.get(of_run.session.as_str()) else { continue };
        for step in store.steps_of_session(run, of_run.ordinal)? {
            let cookie = step.sent.headers.get("cookie").map(str::to_owned);
            steps.insert(StepAt { session, ..step.at }, TrustedStep { uri: step.sent.uri, cookie });
        }
    }
    Ok(steps)
}
