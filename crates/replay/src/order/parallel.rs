//! Sessions side by side, each on a copy of the application.

use std::sync::mpsc::{Sender, channel};

use restage_model::{RunEvent, StatePolicy};
use restage_state::{SnapshotStore, State};
use restage_store::Store;

use crate::error::ReplayError;
use crate::run::EventSink;
use crate::run::Plan;
use crate::run::Prefetch;
use crate::run::Worker;
use crate::run::ensure_initial;
use crate::run::{StepWriter, Writer};
use restage_app::Launch;
use restage_app::{AppCopy, Copies};

/// Replays on several copies at once. Each worker takes the next session, or group of sessions, when it is done with one; where
/// the steps belong in the run is known from the session.
pub(crate) fn replay_on_copies(
    plan: &Plan<'_>,
    state: Option<&mut State>,
    jobs: u16,
    writer: &Writer,
    events: &mut EventSink<'_>,
) -> Result<(), ReplayError> {
    let app = plan.replay.app;
    let mut state = state;
    if let (Some(state), StatePolicy::Fresh) = (&mut state, plan.replay.policy) {
        // Of the application itself: a copy has no state before it is given one.
        ensure_initial(state)?;
    }
    let spec = state.as_ref().map(|state| state.spec().clone());
    let snapshot_store = state.as_ref().map(|state| state.snapshot_store().path().to_owned());
    let copies = Copies::plan(app, spec.as_ref(), plan.store.parent().unwrap_or(plan.store), jobs)?;
    // Before the first app starts: what it writes must not be copied halfway.
    let made = (2..=jobs).map(|number| copies.make(app, number)).collect::<Result<Vec<_>, _>>()?;
    let prefetch = Prefetch::start(plan)?;
    let (sender, receiver) = channel::<RunEvent>();
    let open = |copy: &AppCopy| -> Result<Option<State>, ReplayError> {
        let (Some(spec), Some(snapshot_store)) = (&spec, &snapshot_store) else { return Ok(None) };
        Ok(Some(State::open_copy(spec, &copy.launch.copy, SnapshotStore::open(snapshot_store)?)?))
    };
    std::thread::scope(|scope| {
        let (prefetch, open) = (&prefetch, &open);
        let mut threads = Vec::new();
        let (first, steps) = (sender.clone(), writer.steps());
        threads.push(scope.spawn(move || {
            let copy = AppCopy { spec: app.clone(), launch: Launch::default() };
            halting(plan, || work(plan, copy, state, prefetch, steps, &first))
        }));
        for copy in made {
            let (sender, steps) = (sender.clone(), writer.steps());
            threads.push(scope.spawn(move || {
                halting(plan, || {
                    let mut state = open(&copy)?;
                    work(plan, copy, state.as_mut(), prefetch, steps, &sender)
                })
            }));
        }
        drop(sender);
        receiver.iter().for_each(|event| events(&event));
        let mut ended = Ok(());
        for thread in threads {
            let result = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // What one failed with halts the others: they were only interrupted.
            if matches!(&ended, Ok(()) | Err(ReplayError::Interrupted)) && result.is_err() {
                ended = result;
            }
        }
        ended
    })
}

fn halting(plan: &Plan<'_>, work: impl FnOnce() -> Result<(), ReplayError>) -> Result<(), ReplayError> {
    work().inspect_err(|_| plan.halt())
}

fn work(
    plan: &Plan<'_>,
    copy: AppCopy,
    state: Option<&mut State>,
    prefetch: &Prefetch,
    steps: StepWriter,
    events: &Sender<RunEvent>,
) -> Result<(), ReplayError> {
    let number = copy.launch.copy.number;
    let mut store = Store::open(plan.store)?;
    let mut worker = Worker::new(plan, copy.spec, copy.launch, state, &mut store, steps)?;
    // The other end lives as long as the threads do.
    let worked = worker.replay_all(prefetch, &mut |event| {
        let _ = events.send(event.clone());
    });
    worked.map_err(|error| match error {
        error @ (ReplayError::App(_) | ReplayError::AppLost { .. }) => {
            ReplayError::Copy { number, source: Box::new(error) }
        }
        other => other,
    })
}
