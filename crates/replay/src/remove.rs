//! Removing a run, with the snapshots that only it needs.

use restage_model::{Run, RunId, RunKind};
use restage_state::Depot;
use restage_store::Store;

use crate::error::ReplayError;

/// Removes a run, and a baseline's check with it. The snapshots after its sessions go too, and those before the
/// sessions of a baseline; what only they needed is freed by [`Depot::collect_garbage`].
pub fn remove_run(store: &mut Store, depot: &mut Depot, run: &Run) -> Result<(), ReplayError> {
    let check = run.check.map(|check| after_sessions(store, check)).transpose()?;
    let mut snapshots = after_sessions(store, run.id)?;
    snapshots.extend(check.into_iter().flatten());
    if run.kind == RunKind::Baseline {
        snapshots.extend(store.run_sessions(run.id)?.into_iter().filter_map(|s| s.snapshot));
    }
    store.remove_run(run.id)?;
    for name in snapshots {
        if depot.exists(&name)? {
            depot.remove(&name)?;
        }
    }
    Ok(())
}

fn after_sessions(store: &Store, run: RunId) -> Result<Vec<String>, ReplayError> {
    Ok(store.run_sessions(run)?.into_iter().filter_map(|s| s.after).collect())
}
