//! Sessions side by side, each on a copy of the application.

use std::sync::mpsc::{Sender, channel};

use restage_model::StatePolicy;
use restage_state::{SnapshotStore, State};
use restage_store::Store;

use crate::ahead::Ahead;
use crate::copies::{AppCopy, Copies};
use crate::error::ReplayError;
use crate::launch::Launch;
use crate::plan::Plan;
use crate::run::Tick;
use crate::snapshots::ensure_initial;
use crate::worker::Worker;
use crate::writer::{StepWriter, Writer};

/// A tick on its way from a worker's thread.
enum Told {
    Starting,
    Session(String),
    Step,
    Note(String),
}

impl Told {
    fn of(tick: Tick<'_>) -> Self {
        match tick {
            Tick::Starting => Self::Starting,
            Tick::Session(name) => Self::Session(name.to_owned()),
            Tick::Step => Self::Step,
            Tick::Note(text) => Self::Note(text.to_owned()),
        }
    }

    fn tick(&self) -> Tick<'_> {
        match self {
            Self::Starting => Tick::Starting,
            Self::Session(name) => Tick::Session(name),
            Self::Step => Tick::Step,
            Self::Note(text) => Tick::Note(text),
        }
    }
}

/// Replays on several copies at once. Each worker takes the next session when it is done with one; where the steps
/// belong in the run is known from the session.
pub(crate) fn replay_on_copies(
    plan: &Plan<'_>,
    state: Option<&mut State>,
    jobs: u16,
    writer: &Writer,
    tick: &mut dyn FnMut(Tick<'_>),
) -> Result<(), ReplayError> {
    let app = plan.replay.app;
    let mut state = state;
    if let (Some(state), StatePolicy::Fresh) = (&mut state, plan.replay.policy) {
        // Of the application itself: a copy has no state before it is given one.
        ensure_initial(state)?;
    }
    let spec = state.as_ref().map(|state| state.spec().clone());
    let snapshot_store = state.as_ref().map(|state| state.snapshot_store().path().to_owned());
    let copies = Copies::plan(app, spec.as_ref(), plan.store.parent().unwrap_or(plan.store))?;
    // Before the first app starts: what it writes must not be copied halfway.
    let made = (2..=jobs).map(|number| copies.make(app, number)).collect::<Result<Vec<_>, _>>()?;
    let ahead = Ahead::start(plan.store, &plan.sessions, plan.secrecy.clone())?;
    let (sender, receiver) = channel::<Told>();
    let open = |copy: &AppCopy| -> Result<Option<State>, ReplayError> {
        let (Some(spec), Some(snapshot_store)) = (&spec, &snapshot_store) else { return Ok(None) };
        Ok(Some(State::open_copy(spec, &copy.launch.copy, SnapshotStore::open(snapshot_store)?)?))
    };
    std::thread::scope(|scope| {
        let (ahead, open) = (&ahead, &open);
        let mut threads = Vec::new();
        let (first, steps) = (sender.clone(), writer.steps());
        threads.push(scope.spawn(move || {
            let copy = AppCopy { spec: app.clone(), launch: Launch::default() };
            halting(plan, || work(plan, copy, state, ahead, steps, &first))
        }));
        for copy in made {
            let (sender, steps) = (sender.clone(), writer.steps());
            threads.push(scope.spawn(move || {
                halting(plan, || {
                    let mut state = open(&copy)?;
                    work(plan, copy, state.as_mut(), ahead, steps, &sender)
                })
            }));
        }
        drop(sender);
        receiver.iter().for_each(|told| tick(told.tick()));
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
    ahead: &Ahead,
    steps: StepWriter,
    ticks: &Sender<Told>,
) -> Result<(), ReplayError> {
    let number = copy.launch.copy.number;
    let mut store = Store::open(plan.store)?;
    let mut worker = Worker::new(plan, copy.spec, copy.launch, state, &mut store, steps)?;
    // The other end lives as long as the threads do.
    let worked = worker.replay_all(ahead, &mut |tick| {
        let _ = ticks.send(Told::of(tick));
    });
    worked.map_err(|error| match error {
        ReplayError::App(source) => ReplayError::Copy { number, source },
        other => other,
    })
}
