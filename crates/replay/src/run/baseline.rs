//! The gold standard: the trusted version's run, with a snapshot before each session, and its check.

use restage_model::{Groups, Run, RunKind, StatePolicy, Suite};

use crate::error::ReplayError;
use crate::order::Order;
use crate::run::events::EventSink;
use crate::run::replay::{Project, Replay, replay};
use restage_app::AppSpec;

/// A baseline to be made.
#[derive(Clone, Debug)]
pub struct NewBaseline<'a> {
    /// The run's name.
    pub name: String,
    /// What is replayed.
    pub suite: &'a Suite,
    /// The trusted version.
    pub app: &'a AppSpec,
    /// The sessions that are replayed together.
    pub groups: Groups,
    /// In which order sessions are checked.
    pub order: Order,
    /// The places of the sessions that are checked; all where there is none. The baseline itself replays all: sessions need those
    /// before them.
    pub checked: Option<Vec<u32>>,
}

/// A baseline and its check.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The run on the trusted version.
    pub run: Run,
    /// The same once more, from its snapshots.
    pub check: Run,
}

/// Replays a suite on the trusted version twice: first in order from the initial state, saving a snapshot
/// before each session; then from those snapshots, in the order that is given. What differs between the two is noise.
pub fn make_baseline(
    project: &mut Project,
    new: &NewBaseline<'_>,
    events: &mut EventSink<'_>,
) -> Result<Baseline, ReplayError> {
    let first = Replay {
        name: new.name.clone(),
        kind: RunKind::Baseline,
        suite: new.suite,
        app: new.app,
        // The state runs on from session to session; without one there is nothing to restore.
        policy: StatePolicy::Initial,
        reference: None,
        order: Order::InTurn,
        groups: new.groups.clone(),
        only: None,
        as_recorded: false,
    };
    let run = replay(project, &first, events)?;
    let again = Replay {
        name: format!("{}.check", new.name),
        kind: RunKind::Check,
        policy: StatePolicy::Restore,
        reference: Some(run.id),
        order: new.order,
        only: new.checked.clone(),
        ..first
    };
    let check = replay(project, &again, events)?;
    project.store.set_check(run.id, check.id)?;
    Ok(Baseline { run: project.store.run(run.id)?, check })
}
