//! Removing a run, with the snapshots that only it needs.

use restage_model::{Run, RunId, RunKind};
use restage_state::SnapshotStore;
use restage_store::Store;

use crate::error::ReplayError;

/// Removes a run, and a baseline's check with it. The snapshots after its sessions go too, and those before the
/// sessions of a baseline; what only they needed is freed by [`SnapshotStore::collect_garbage`].
pub fn remove_run(
    store: &mut Store,
    snapshot_store: &mut SnapshotStore,
    run: &Run,
) -> Result<(), ReplayError> {
    let check = run.check.map(|check| after_sessions(store, check)).transpose()?;
    let mut snapshots = after_sessions(store, run.id)?;
    snapshots.extend(check.into_iter().flatten());
    if run.kind == RunKind::Baseline {
        snapshots.extend(store.run_sessions(run.id)?.into_iter().filter_map(|s| s.snapshot));
    }
    store.remove_run(run.id)?;
    for name in snapshots {
        if snapshot_store.exists(&name)? {
            snapshot_store.remove(&name)?;
        }
    }
    Ok(())
}

fn after_sessions(store: &Store, run: RunId) -> Result<Vec<String>, ReplayError> {
    Ok(store.run_sessions(run)?.into_iter().filter_map(|s| s.after).collect())
}
