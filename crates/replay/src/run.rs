//! A suite on an app under a state policy.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use restage_model::{Run, RunId, RunKind, RunSession, RunState, StatePolicy, Step, StepAt, Suite};
use restage_state::State;
use restage_store::{NewRun, Store};

use crate::ahead::Ahead;
use crate::app::{App, AppSpec};
use crate::client::Client;
use crate::error::{AppError, ReplayError};
use crate::logs::Logs;
use crate::pace::Pace;
use crate::session::{Carried, SessionReplay};
use crate::snapshots::{place_state, put_aside, put_back, save_after};
use crate::writer::StepWriter;

/// What a replay works on.
pub struct Project {
    /// The store.
    pub store: Store,
    /// The store's file, for the thread that writes.
    pub store_path: PathBuf,
    /// The application's state, where it is configured.
    pub state: Option<State>,
    /// Set when the user wants to stop.
    pub stop: Arc<AtomicBool>,
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
}

/// What a replay tells while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Tick<'a> {
    /// The app is being started.
    Starting,
    /// A session begins.
    Session(&'a str),
    /// A step was replayed.
    Step,
}

/// Replays a suite. The application's state is left as it was found.
pub fn replay(
    project: &mut Project,
    replay: &Replay<'_>,
    tick: &mut dyn FnMut(Tick<'_>),
) -> Result<Run, ReplayError> {
    let new = NewRun {
        name: replay.name.clone(),
        kind: replay.kind,
        suite: replay.suite.id,
        app: replay.app.name.clone(),
        policy: replay.policy,
    };
    let run = project.store.begin_run(&new)?;
    let aside = put_aside(project, replay)?;
    let result = replay_sessions(project, replay, run, tick);
    let state = match &result {
        Ok(()) => RunState::Complete,
        Err(error) => RunState::Broken(error.to_string()),
    };
    let stored = project.store.finish_run(run, &state);
    // A replay that never began is no run.
    if result.is_err() && project.store.step_count(run)? == 0 {
        project.store.remove_run(run)?;
    }
    let put_back = aside.map_or(Ok(()), |name| put_back(project, &name));
    result?;
    stored?;
    put_back?;
    Ok(project.store.run(run)?)
}

/// The trusted run's steps at the places that its sessions have in the suite, which may be a part of what it replayed.
fn steps_by_place(store: &Store, run: RunId, suite: &Suite) -> Result<HashMap<StepAt, Step>, ReplayError> {
    let places: HashMap<&str, u32> = suite.sessions.iter().map(|s| s.name.as_str()).zip(0..).collect();
    let of_run: HashMap<u32, u32> = (store.run_sessions(run)?.into_iter())
        .filter_map(|session| Some((session.ordinal, *places.get(session.session.as_str())?)))
        .collect();
    let at_its_place = |step: Step| {
        let at = StepAt { session: *of_run.get(&step.at.session)?, ..step.at };
        Some((at, step))
    };
    Ok(store.steps(run)?.into_iter().filter_map(at_its_place).collect())
}

fn replay_sessions(
    project: &mut Project,
    replay: &Replay<'_>,
    run: RunId,
    tick: &mut dyn FnMut(Tick<'_>),
) -> Result<(), ReplayError> {
    let snapshots = match replay.reference {
        Some(reference) => project
            .store
            .run_sessions(reference)?
            .into_iter()
            .filter_map(|s| Some((s.session, s.snapshot?)))
            .collect(),
        None => HashMap::new(),
    };
    let reference: HashMap<StepAt, Step> = match replay.reference {
        Some(reference) => steps_by_place(&project.store, reference, replay.suite)?,
        None => HashMap::new(),
    };
    // The app may look at its state when it starts: it finds what the first session will.
    if let Some(first) = replay.suite.sessions.first() {
        place_state(project, replay, &snapshots, &first.name, true)?;
    }
    tick(Tick::Starting);
    let mut logs = Logs::of(&replay.app.log, &replay.app.logs);
    let mut app = App::start(replay.app)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut client = Client::new(app.address(), replay.app.request_timeout);
    let ahead = Ahead::start(&project.store_path, replay.suite)?;
    let mut writer = StepWriter::start(&project.store_path, run)?;
    let mut carried = Carried::new();
    let mut pace = Pace::new(replay.app.grain);
    app.wait_for_rest();
    let mut result = Ok(());
    for (ordinal, session) in replay.suite.sessions.iter().enumerate() {
        tick(Tick::Session(&session.name));
        let snapshot = match place_state(project, replay, &snapshots, &session.name, ordinal == 0) {
            Ok(snapshot) => snapshot,
            Err(error) => {
                result = Err(error);
                break;
            }
        };
        let ordinal = ordinal as u32;
        let begin = RunSession { ordinal, session: session.name.clone(), snapshot, ..RunSession::default() };
        project.store.add_run_session(run, &begin)?;
        logs.begin(ordinal == 0);
        let stop = project.stop.clone();
        let session_replay = SessionReplay {
            steps: ahead.next()?,
            client: &mut client,
            ordinal,
            reference: &reference,
            carried: &mut carried,
            pace: &mut pace,
        };
        let mut each = |step: restage_store::ReplayedStep| -> Result<(), ReplayError> {
            let (failed, number) = (step.answer.is_err(), step.at.step as usize + 1);
            writer.send(step)?;
            tick(Tick::Step);
            if failed && let Some(status) = wait_for_end(&mut app) {
                return Err(AppError::Crashed {
                    app: replay.app.name.clone(),
                    session: session.name.clone(),
                    step: number,
                    status,
                    output: app.last_output(),
                    run: replay.name.clone(),
                }
                .into());
            }
            if stop.load(Ordering::Relaxed) { Err(ReplayError::Interrupted) } else { Ok(()) }
        };
        result = runtime.block_on(session_replay.run(&mut each));
        writer.flush()?;
        app.wait_for_rest();
        let mut after = None;
        result = result.and_then(|()| {
            after = save_after(project, replay, &session.name)?;
            Ok(())
        });
        // What it wrote before it ended is what tells why.
        let log = logs.end();
        project.store.end_run_session(run, ordinal, after.as_deref(), &log.bytes, log.size)?;
        if result.is_err() {
            break;
        }
    }
    app.stop();
    // What was replayed is stored, whatever ended the replay.
    writer.finish()?;
    result
}

/// A process that closed its connections is ending, if it is; give it the moment that takes.
fn wait_for_end(app: &mut App) -> Option<String> {
    for _ in 0..20 {
        if let Some(status) = app.ended() {
            return Some(status.to_string());
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    None
}
