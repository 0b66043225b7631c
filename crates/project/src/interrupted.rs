//! One process at a time on the application's state, and what a replay that was killed left of it.

use std::path::PathBuf;

use restage_replay::{ASIDE, Copies, ReplayError, end_orphans};
use restage_state::{Abandoned, Attempt, Busy, Holder, Locker, SnapshotStore, State, StateLock};

use crate::error::ProjectError;
use crate::project::Project;

/// What the names of snapshots begin with that hold the state as a killed replay left it.
const FOUND: &str = "found after ";

/// What was put back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PutBack {
    /// The runs that were killed.
    pub runs: Vec<String>,
    /// The snapshot of what was there until then; none where it could not be saved.
    pub found: Option<String>,
    /// Databases of copies that were removed.
    pub copies: Vec<String>,
}

impl Project {
    /// Takes the locks of the project and its state. `command` is what others are told that they wait for.
    pub fn locker(&self, command: &str) -> Result<Locker, ProjectError> {
        let own_folder = self.make_own_folder()?;
        let me = Holder::this_process(command, &self.root, self.store_path());
        let spec = self.state_spec()?;
        Ok(Locker::new(Some(&spec).filter(|spec| !spec.is_empty()), &own_folder, me)?)
    }

    /// Who works on the project's state now. It waits for nothing.
    pub fn holder(&self) -> Option<Holder> {
        StateLock::holder(&self.own_folder())
    }

    /// The runs that were killed before they could put the state back: the next command that uses it does so. Nothing is waited
    /// for, and nothing is made.
    pub fn interrupted_runs(&self) -> Result<Vec<String>, ProjectError> {
        if self.holder().is_some() {
            // It goes on, or the one that goes on has put back already.
            return Ok(Vec::new());
        }
        let Some(snapshot_store) = self.snapshot_store_to_read()? else { return Ok(Vec::new()) };
        let asides = asides(&snapshot_store)?.into_iter();
        Ok(asides.filter_map(|name| name.strip_prefix(ASIDE).map(str::to_owned)).collect())
    }

    /// The project of a process that was killed while it worked on what this one is about to work on; none where that has nothing
    /// to put back.
    pub fn of_abandoned(abandoned: &Abandoned) -> Result<Option<Project>, ProjectError> {
        let Holder { project, store, .. } = &abandoned.holder;
        if !project.is_dir() {
            return Ok(None);
        }
        let found = Project::find(Some(project), Some(store))?;
        let pending = match found.snapshot_store_to_read()? {
            Some(snapshot_store) => !asides(&snapshot_store)?.is_empty(),
            None => false,
        };
        Ok(pending.then_some(found))
    }

    /// Puts back what a replay that was killed could not; nothing where there is nothing. Each moment of it may be the last: the
    /// next time it begins anew. What is found is saved first, since it may be the user's work.
    pub fn put_back(&self, lock: &mut StateLock) -> Result<PutBack, ProjectError> {
        let mut done = PutBack::default();
        // First of all: an app that goes on would write into what is put back, and holds copies open.
        end_orphans();
        if Copies::left_behind(&self.own_folder()) {
            done.copies = Copies::remove_left_behind(&self.own_folder(), &self.state_spec()?)
                .map_err(ReplayError::from)?;
        }
        let asides = match self.snapshot_store_to_read()? {
            Some(snapshot_store) => asides(&snapshot_store)?,
            None => Vec::new(),
        };
        if let Some(first) = asides.first() {
            let name = first.strip_prefix(ASIDE).unwrap_or(first);
            let failed = |why: String| ProjectError::NotPutBack { snapshot: first.clone(), why };
            let state = self.state()?;
            let mut state = state.ok_or_else(|| failed("[state] in restage.toml is empty".to_owned()))?;
            done.found = keep_found(&mut state, name);
            // Those after the first hold what it left behind.
            for later in asides[1..].iter().rev() {
                state.snapshot_store_mut().remove(later)?;
            }
            state.put_back(first).map_err(|error| failed(error.to_string()))?;
        }
        lock.settle();
        done.runs = asides.iter().filter_map(|name| name.strip_prefix(ASIDE).map(str::to_owned)).collect();
        Ok(done)
    }

    /// Makes one attempt at the locks; other projects that have to put something back first are told.
    pub fn attempt(&self, locker: &mut Locker) -> Result<LockAttempt, ProjectError> {
        let others = match locker.attempt()? {
            Attempt::Taken(lock) => return Ok(LockAttempt::Taken(Box::new(lock))),
            Attempt::Busy(busy) => return Ok(LockAttempt::Busy(busy)),
            Attempt::Abandoned(others) => others,
        };
        let mut pending = Vec::new();
        for abandoned in others {
            match Project::of_abandoned(&abandoned)? {
                Some(project) => pending.push(project),
                None => abandoned.forget(),
            }
        }
        Ok(LockAttempt::Others(pending))
    }

    /// Where snapshots are kept, to look at them; none where there are none.
    pub fn snapshot_store_to_read(&self) -> Result<Option<SnapshotStore>, ProjectError> {
        let path: PathBuf = self.snapshot_store_path();
        if !path.is_file() {
            return Ok(None);
        }
        Ok(Some(SnapshotStore::open_to_read(&path)?))
    }
}

/// What came of an attempt at the locks.
pub enum LockAttempt {
    /// They are held.
    Taken(Box<StateLock>),
    /// Somebody else has one of them.
    Busy(Busy),
    /// These projects have something to put back first; none where it is enough to try again.
    Others(Vec<Project>),
}

/// The snapshots that hold the state from before a replay, oldest first.
fn asides(snapshot_store: &SnapshotStore) -> Result<Vec<String>, ProjectError> {
    let all = snapshot_store.snapshots()?.into_iter().map(|snapshot| snapshot.name);
    Ok(all.filter(|name| name.starts_with(ASIDE)).collect())
}

/// Saves what is there as a snapshot. Where that fails, or was done before the process that did it was killed, the state is put
/// back all the same.
fn keep_found(state: &mut State, run: &str) -> Option<String> {
    let name = format!("{FOUND}{run}");
    let there = state.snapshot_store().exists(&name).unwrap_or(false);
    (there || state.save(&name).is_ok()).then_some(name)
}
