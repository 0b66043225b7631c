//! The project that a command works on, with notes to its user on what stands in the way.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use restage_project::Project;
use restage_state::SnapshotStore;

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::interrupt::stop_on_interrupt;
use crate::terminal::progress::note;

/// Finds the project that the command line names.
pub(crate) fn find(global: &Global) -> Result<Project, Failure> {
    Ok(Project::find(global.project.as_deref(), global.store.as_deref())?)
}

/// What a replay works on. Ctrl-C ends the replay.
pub(crate) fn for_replay(global: &Global, project: &Project) -> Result<restage_replay::Project, Failure> {
    for snapshot in project.interrupted_replays()? {
        note(
            global,
            format!(
                "note: a replay was killed before it could restore the application's data\n  hint: `restage snapshots restore '{snapshot}'` restores it, \
                 `restage snapshots remove '{snapshot}'` keeps the data as it is now",
            ),
        );
    }
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_interrupt(&stop)?;
    let work = project.for_replay(stop)?;
    if work.state.is_none() {
        note(
            global,
            "note: [state] in restage.toml is empty, so the application's data is not restored between sessions",
        );
    }
    Ok(work)
}

/// Frees what no snapshot needs any more.
pub(crate) fn collect_garbage(
    global: &Global,
    project: &Project,
    snapshot_store: &mut SnapshotStore,
) -> Result<(), Failure> {
    for problem in project.collect_garbage(snapshot_store)? {
        note(global, format!("note: {problem}"));
    }
    Ok(())
}
