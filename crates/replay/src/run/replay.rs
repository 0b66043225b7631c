//! A suite on an app under a state policy.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use restage_facts::FactsReport;
use restage_model::{Groups, Run, RunEvent, RunId, RunKind, RunState, Session, StatePolicy, Suite};
use restage_state::{State, StateLock};
use restage_store::{NewRun, Store};

use crate::error::ReplayError;
use crate::facts::{FactsAsked, StatementLogs};
use crate::order::Order;
use crate::order::replay_on_copies;
use crate::order::replay_overlapping;
use crate::run::events::{EventSink, facts_gathered};
use crate::run::phase::{Phase, PhaseCell};
use crate::run::plan::Plan;
use crate::run::prefetch::Prefetch;
use crate::run::snapshots::{put_aside, put_back};
use crate::run::worker::Worker;
use crate::run::writer::Writer;
use crate::secrecy::Secrecy;
use restage_app::AppSpec;
use restage_app::Launch;

/// What a replay works on.
pub struct Project {
    /// The store.
    pub store: Store,
    /// The store's file, for the thread that writes.
    pub store_path: PathBuf,
    /// The application's state, where it is configured.
    pub state: Option<State>,
    /// What keeps others from it, while it is used; none where nobody else can get at it.
    pub lock: Option<StateLock>,
    /// Set when the user wants to stop.
    pub stop: Arc<AtomicBool>,
    /// What is being done with the state.
    pub phase: Arc<PhaseCell>,
    /// What is known of secrets.
    pub secrecy: Secrecy,
    /// What is asked of the app's probes; none where no facts are asked for.
    pub facts: Option<FactsAsked>,
}

impl Project {
    /// Lets go of the state, and others at it. An error where the user wanted to stop meanwhile.
    pub fn release_state(&mut self) -> Result<(), ReplayError> {
        let closed = self.close_state();
        self.lock = None;
        closed
    }

    /// The state is used no longer; others still wait, since its snapshots are. An error where the user wanted to stop meanwhile.
    pub fn close_state(&mut self) -> Result<(), ReplayError> {
        // What of restage's own is in a database is removed by it.
        self.state = None;
        self.phase.set(Phase::Over);
        if self.stop.load(Ordering::Relaxed) { Err(ReplayError::Interrupted) } else { Ok(()) }
    }
}

/// A replay to be made.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    /// The run's name.
    pub name: String,
    /// What it is for.
    pub kind: RunKind,
    /// What is replayed.
    pub suite: &'a Suite,
    /// On what.
    pub app: &'a AppSpec,
    /// What happens to the state between sessions.
    pub policy: StatePolicy,
    /// The trusted run: its snapshots are restored, and its cookies from before a session are sent.
    pub reference: Option<RunId>,
    /// In which order its sessions are replayed.
    pub order: Order,
    /// The sessions that met: those of a group are replayed together, request by request as they were recorded. Where all
    /// sessions overlap, all are together already.
    pub groups: Groups,
    /// The places of the sessions that are replayed, in order; all of them where there is none.
    pub only: Option<Vec<u32>>,
    /// Whether requests are sent as they were recorded, without live values: for comparison.
    pub as_recorded: bool,
}

impl<'a> Replay<'a> {
    /// The sessions that are replayed, with their places in the suite.
    pub(crate) fn sessions(&self) -> Vec<(u32, &'a Session)> {
        let all = (0..).zip(&self.suite.sessions);
        match &self.only {
            Some(only) => all.filter(|(place, _)| only.contains(place)).collect(),
            None => all.collect(),
        }
    }
}

/// Replays a suite. The application's state is left as it was found.
pub fn replay(
    project: &mut Project,
    replay: &Replay<'_>,
    events: &mut EventSink<'_>,
) -> Result<Run, ReplayError> {
    replay.order.check(replay.policy)?;
    let new = NewRun {
        name: replay.name.clone(),
        kind: replay.kind,
        suite: replay.suite.id,
        app: replay.app.name.clone(),
        policy: replay.policy,
        as_recorded: replay.as_recorded,
    };
    let run = project.store.begin_run(&new)?;
    let sessions = replay.sessions();
    events(&RunEvent::RunStarted {
        run: replay.name.clone(),
        kind: replay.kind,
        suite: replay.suite.name.clone(),
        app: replay.app.name.clone(),
        sessions: sessions.len(),
        steps: sessions.iter().map(|(_, session)| session.exchanges.len()).sum(),
    });
    project.phase.set(Phase::Saving);
    let aside = match put_aside(project, replay) {
        Ok(aside) => aside,
        Err(error) => {
            // Nothing was replayed. What the store says to that is not what went wrong.
            let _ = project.store.remove_run(run);
            return Err(error);
        }
    };
    project.phase.set(Phase::Replaying);
    let result = replay_sessions(project, replay, run, events);
    // First of all, and whatever else fails: it is the user's own data.
    project.phase.set(Phase::Restoring);
    let put_back = aside.map_or(Ok(()), |name| put_back(project, &name));
    project.phase.set(Phase::Before);
    let state = match &result {
        Ok(()) => RunState::Complete,
        Err(error) => RunState::Broken(error.to_string()),
    };
    let stored = project.store.finish_run(run, &state);
    events(&RunEvent::RunFinished { run: replay.name.clone(), state });
    // A replay that never began is no run.
    let begun = project.store.step_count(run).unwrap_or(1) > 0;
    if result.is_err() && !begun {
        let _ = project.store.remove_run(run);
    }
    match (result, put_back) {
        (Err(first), Err(then)) => Err(ReplayError::Both(Box::new(first), Box::new(then))),
        (result, put_back) => result.and(put_back),
    }?;
    stored?;
    Ok(project.store.run(run)?)
}

fn replay_sessions(
    project: &mut Project,
    replay: &Replay<'_>,
    run: RunId,
    events: &mut EventSink<'_>,
) -> Result<(), ReplayError> {
    let known = (&project.secrecy, project.facts.as_ref());
    let mut plan = Plan::new(&project.store, replay, run, &project.store_path, known, &project.stop)?;
    let databases = project.state.as_ref().map(|state| state.spec().databases.as_slice()).unwrap_or_default();
    let mut report = FactsReport::default();
    let (mut statements, marked) =
        StatementLogs::open(project.facts.as_ref(), databases, replay.order, &mut report);
    plan.statements = marked;
    let state = project.state.as_mut();
    let units = u16::try_from(plan.units.len()).unwrap_or(u16::MAX);
    let writer = Writer::start(&project.store_path, run, project.secrecy.clone())?;
    let result = match replay.order {
        Order::Jobs(jobs) if jobs.min(units) > 1 => {
            replay_on_copies(&plan, state, jobs.min(units), &writer, events)
        }
        Order::Overlap => replay_overlapping(&plan, state, &mut project.store, &writer, events),
        _ => replay_in_turn(&plan, state, &mut project.store, &writer, events),
    };
    // What was replayed is stored, whatever ended the replay; and where storing failed, that ended it.
    writer.finish()?;
    let marks = plan.context.marks.clone();
    if let (Some(mut gathered), Some(marks)) = (plan.facts_report(), marks) {
        let known = (&marks, &project.secrecy);
        statements.collect(&mut project.store, run, known, plan.statements.sent(), &mut report)?;
        gathered.join(report);
        let report = gathered;
        project.store.save_facts_report(run, &report)?;
        events(&facts_gathered(&report));
    }
    result
}

fn replay_in_turn(
    plan: &Plan<'_>,
    state: Option<&mut State>,
    store: &mut Store,
    writer: &Writer,
    events: &mut EventSink<'_>,
) -> Result<(), ReplayError> {
    let prefetch = Prefetch::start(plan)?;
    let app = plan.replay.app.clone();
    Worker::new(plan, app, Launch::default(), state, store, writer.steps())?.replay_all(&prefetch, events)
}
