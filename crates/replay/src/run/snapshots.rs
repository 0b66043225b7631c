//! The snapshots that a replay makes and restores.

use restage_model::{RunKind, Session, StatePolicy};
use restage_state::State;

use crate::error::ReplayError;
use crate::run::plan::Plan;
use crate::run::replay::{Project, Replay};

/// The snapshot of the state before the first recorded session.
pub const INITIAL: &str = "initial";

/// What the names of snapshots begin with that hold the state from before a replay, while it goes on.
pub const ASIDE: &str = "before ";

/// What is before a session's name in the name of the snapshot after it: `test-1/after s17`.
pub const AFTER: &str = "after ";

/// What is before a session's name in the name of the snapshot that new sessions begin from which were made of its first steps:
/// `start/s17`.
pub const START: &str = "start/";

/// Puts the state as the policy wants it before a session; the snapshot that it then is.
pub(crate) fn place_state(
    state: &mut State,
    plan: &Plan<'_>,
    session: &Session,
    first: bool,
) -> Result<Option<String>, ReplayError> {
    let replay = plan.replay;
    let fresh = session.fresh;
    let from = first_steps_of(session);
    let session = session.name.as_str();
    if replay.kind == RunKind::Baseline {
        if first || fresh {
            let start = start_of(state, from)?;
            state.restore(&start)?;
        }
        let name = format!("{}/{session}", replay.name);
        state.replace(&name)?;
        return Ok(Some(name));
    }
    let name = match replay.policy {
        StatePolicy::Restore => {
            let snapshot = plan.snapshots.get(session);
            snapshot.ok_or_else(|| ReplayError::NoSnapshot(session.to_owned()))?.clone()
        }
        StatePolicy::Initial | StatePolicy::Augment if !first && !fresh => return Ok(None),
        StatePolicy::Initial | StatePolicy::Augment | StatePolicy::Fresh => start_of(state, from)?,
        StatePolicy::Keep => return Ok(None),
    };
    state.restore(&name)?;
    Ok(Some(name))
}

/// The session whose first steps a new one begins with, as it began itself.
fn first_steps_of(session: &Session) -> Option<&str> {
    session.joined.first().filter(|_| session.fresh).map(|part| part.session.as_str())
}

/// The snapshot that a session begins from which does not go on from the one before it.
fn start_of(state: &mut State, from: Option<&str>) -> Result<String, ReplayError> {
    if let Some(from) = from {
        let own = format!("{START}{from}");
        if state.snapshot_store().exists(&own)? {
            return Ok(own);
        }
    }
    ensure_initial(state)?;
    Ok(INITIAL.to_owned())
}

/// Takes the state as it is for the initial one, where there is none yet.
pub(crate) fn ensure_initial(state: &mut State) -> Result<(), ReplayError> {
    if !state.snapshot_store().exists(INITIAL)? {
        state.save(INITIAL)?;
    }
    Ok(())
}

/// Saves the state that a session left behind, the app's clock being so many seconds ahead; the snapshot's name. Nothing is
/// read that provably did not change.
pub(crate) fn save_after(
    state: &mut State,
    replay: &Replay<'_>,
    session: &str,
    ahead: i64,
) -> Result<Option<String>, ReplayError> {
    if replay.policy == StatePolicy::Keep {
        return Ok(None);
    }
    let name = format!("{}/{AFTER}{session}", replay.name);
    state.replace(&name)?;
    state.snapshot_store_mut().set_clock_ahead(&name, ahead)?;
    Ok(Some(name))
}

/// Saves the state as it is, to be put back when the replay is over.
pub(crate) fn put_aside(project: &mut Project, replay: &Replay<'_>) -> Result<Option<String>, ReplayError> {
    let Some(state) = &mut project.state else { return Ok(None) };
    if replay.policy == StatePolicy::Keep {
        return Ok(None);
    }
    let name = format!("{ASIDE}{}", replay.name);
    state.replace(&name)?;
    // From here on the state is changed: what it was must outlive this process, and this machine's next start.
    state.snapshot_store().sync()?;
    Ok(Some(name))
}

pub(crate) fn put_back(project: &mut Project, name: &str) -> Result<(), ReplayError> {
    if let Some(state) = &mut project.state {
        if let Some(lock) = &mut project.lock {
            // A server that was started again knows of no lock. Where it is away, the restore says so; and whoever came in
            // between waits for the rows that are written here.
            let _ = lock.renew();
        }
        state
            .put_back(name)
            .map_err(|source| ReplayError::NotPutBack { snapshot: name.to_owned(), source })?;
    }
    Ok(())
}
