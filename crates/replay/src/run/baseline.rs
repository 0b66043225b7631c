//! The gold standard: the trusted version's run, with a snapshot before each session, and its check.

use restage_model::{Run, RunKind, StatePolicy, Suite};

use crate::error::ReplayError;
use crate::order::Order;
use crate::run::events::EventSink;
use crate::run::replay::{Project, Replay, replay};
use restage_app::AppSpec;

/// A baseline and its check.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The run on the trusted version.
    pub run: Run,
    /// The same once more, from its snapshots.
    pub check: Run,
}

/// Replays a suite on the trusted version twice: first in order from the initial state, saving a snapshot
/// before each session; then from those snapshots, in the order that is given. What differs between the two is noise. The
/// second time it may be some of the sessions alone, by their places: the first time sessions need those before them.
pub fn make_baseline(
    project: &mut Project,
    name: &str,
    suite: &Suite,
    app: &AppSpec,
    order: Order,
    checked: Option<Vec<u32>>,
    events: &mut EventSink<'_>,
) -> Result<Baseline, ReplayError> {
    let first = Replay {
        name: name.to_owned(),
        kind: RunKind::Baseline,
        suite,
        app,
        // The state runs on from session to session; without one there is nothing to restore.
        policy: StatePolicy::Initial,
        reference: None,
        order: Order::InTurn,
        only: None,
        as_recorded: false,
    };
    let run = replay(project, &first, events)?;
    let again = Replay {
        name: format!("{name}.check"),
        kind: RunKind::Check,
        policy: StatePolicy::Restore,
        reference: Some(run.id),
        order,
        only: checked,
        ..first
    };
    let check = replay(project, &again, events)?;
    project.store.set_check(run.id, check.id)?;
    Ok(Baseline { run: project.store.run(run.id)?, check })
}
