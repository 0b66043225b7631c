//! The folder a command works in: its settings, its store, its snapshots.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use restage_replay::PhaseCell;
use restage_state::{SnapshotStore, StateLock};
use restage_store::Store;

use crate::error::ProjectError;
use crate::settings::{Config, FILE};

/// The folder a command works in.
pub struct Project {
    /// The folder.
    pub root: PathBuf,
    /// What `restage.toml` says; the defaults where there is none.
    pub config: Config,
    /// Whether there is a `restage.toml`.
    pub configured: bool,
    store_path: PathBuf,
}

impl Project {
    /// Finds the project: the folder named, or this one, or the first above it with a `restage.toml`. Its store is the
    /// file named, or the one in the folder.
    pub fn find(folder: Option<&Path>, store: Option<&Path>) -> Result<Self, ProjectError> {
        let here = std::env::current_dir()?;
        let root = match folder {
            Some(folder) if !folder.is_dir() => return Err(ProjectError::NotAFolder(folder.to_owned())),
            Some(folder) => folder.canonicalize()?,
            None => here.ancestors().find(|f| f.join(FILE).is_file()).unwrap_or(&here).to_owned(),
        };
        let file = root.join(FILE);
        let configured = file.is_file();
        let config = if configured { Config::read(&file)? } else { Config::default() };
        let store_path = match store {
            Some(path) => std::path::absolute(path)?,
            None => root.join(".restage/restage.db"),
        };
        Ok(Self { root, config, configured, store_path })
    }

    /// The settings' file, whether it is there or not.
    pub fn settings_path(&self) -> PathBuf {
        self.root.join(FILE)
    }

    /// The store's file.
    pub fn store_path(&self) -> &Path {
        &self.store_path
    }

    /// Restage's own folder.
    pub fn own_folder(&self) -> PathBuf {
        self.store_path.parent().unwrap_or(&self.root).to_owned()
    }

    /// Makes restage's own folder, for its owner alone: what users typed is in it.
    pub fn make_own_folder(&self) -> Result<PathBuf, ProjectError> {
        let folder = self.own_folder();
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.map_err(|source| ProjectError::MakeFolder { path: folder.clone(), source })?;
        Ok(folder)
    }

    /// Opens the store; an error where nothing was recorded yet.
    pub fn store(&self) -> Result<Store, ProjectError> {
        Ok(Store::open(&self.store_path)?)
    }

    /// The same to look at it, also where it cannot be written.
    pub fn store_to_read(&self) -> Result<Store, ProjectError> {
        Ok(Store::open_to_read(&self.store_path)?)
    }

    /// Where snapshots are kept.
    pub fn snapshot_store(&self) -> Result<SnapshotStore, ProjectError> {
        self.make_own_folder()?;
        Ok(SnapshotStore::open(&self.snapshot_store_path())?)
    }

    /// The file that snapshots are kept in.
    pub fn snapshot_store_path(&self) -> PathBuf {
        self.own_folder().join("snapshots.db")
    }

    /// What a replay works on, while it has the lock. It ends early once `stop` is set.
    pub fn for_replay(
        &self,
        lock: StateLock,
        stop: Arc<AtomicBool>,
        phase: Arc<PhaseCell>,
    ) -> Result<restage_replay::Project, ProjectError> {
        let state = self.state()?;
        let store = self.store()?;
        let secrecy = self.secrecy(&store)?;
        let (store_path, lock) = (self.store_path.clone(), Some(lock));
        Ok(restage_replay::Project { store, store_path, state, lock, stop, phase, secrecy, facts: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_settings_is_a_project_with_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::find(Some(folder.path()), None).unwrap();
        assert!(!project.configured && project.config.state.is_empty());
        assert!(project.store_path().ends_with(".restage/restage.db"));
        assert!(matches!(project.app(None), Err(ProjectError::NoSettings(_))));
        let missing = Project::find(Some(&folder.path().join("none")), None);
        assert!(matches!(missing, Err(ProjectError::NotAFolder(_))));
    }

    /// Catches: a restore that would undo the user's own work.
    #[test]
    fn a_state_that_holds_the_project_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), "[state]\nfolders = [\".\"]\n").unwrap();
        let project = Project::find(Some(folder.path()), None).unwrap();
        let error = project.state().err().unwrap().to_string();
        assert!(error.contains("restage.toml: [state] folders lists") && error.contains("hint:"), "{error}");
    }

    #[test]
    fn the_apps_and_what_is_wrong_with_them() {
        let folder = tempfile::tempdir().unwrap();
        let settings = "[app]\ncommand = \"run {port}\"\n[app.baseline]\ndir = \"none\"\n[app.away]\naddress = \"http://192.0.2.7\"\n";
        std::fs::write(folder.path().join(FILE), settings).unwrap();
        let project = Project::find(Some(folder.path()), None).unwrap();
        assert_eq!(project.app(Some("default")).unwrap().command, "run {port}");
        for (app, expected) in [
            (None, "`dir` of the app `baseline` is"),
            (Some("away"), "which is not on this machine"),
            (Some("other"), "there is no [app.other]"),
        ] {
            let error = project.trusted_app(app).unwrap_err().to_string();
            assert!(error.starts_with(&project.settings_path().display().to_string()), "{error}");
            assert!(error.contains(expected), "{error}");
        }
    }
}
