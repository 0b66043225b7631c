//! What the application keeps, as `[state]` says.

use std::path::PathBuf;
use std::time::Duration;

use restage_replay::INITIAL;
use restage_state::{DatabaseSpec, HookSpec, ServerKind, SnapshotStore, State, StateSpec};

use crate::error::{ProjectError, SettingError};
use crate::project::Project;
use crate::settings::FILE;

/// How long the state's hook may take.
const HOOK_TIME_LIMIT: Duration = Duration::from_secs(60);

impl Project {
    /// The application's state; `None` where `[state]` names nothing.
    pub fn state(&self) -> Result<Option<State>, ProjectError> {
        let spec = self.state_spec()?;
        if spec.is_empty() {
            return Ok(None);
        }
        Ok(Some(State::open(&spec, self.snapshot_store()?)?))
    }

    /// What `[state]` names; it may be nothing.
    pub(crate) fn state_spec(&self) -> Result<StateSpec, ProjectError> {
        let absolute = |paths: &[PathBuf]| paths.iter().map(|p| self.root.join(p)).collect();
        let spec = StateSpec {
            folders: absolute(&self.config.state.folders),
            sqlite: absolute(&self.config.state.sqlite),
            databases: self.databases()?,
            hook: self.hook()?,
            base: Some(self.root.clone()),
        };
        if let Some(folder) = spec
            .folders
            .iter()
            .find(|f| self.root.starts_with(f) || f.canonicalize().is_ok_and(|f| self.root.starts_with(f)))
        {
            return Err(SettingError::new(format!(
                "[state] folders lists {}, which holds {FILE} and the application itself: a restore would undo your work",
                folder.display()
            ))
            .or_hint("list the folders that the application writes to")
            .in_file(self.settings_path()));
        }
        Ok(spec)
    }

    /// Whether databases on servers belong to the state.
    pub fn has_databases(&self) -> bool {
        !self.config.state.postgres.is_empty() || !self.config.state.mariadb.is_empty()
    }

    /// The databases on servers.
    pub(crate) fn databases(&self) -> Result<Vec<DatabaseSpec>, ProjectError> {
        let kinds = [
            (ServerKind::Postgres, &self.config.state.postgres),
            (ServerKind::Mariadb, &self.config.state.mariadb),
        ];
        let all = kinds.into_iter().flat_map(|(kind, urls)| urls.iter().map(move |url| (kind, url)));
        Ok(all.map(|(kind, url)| DatabaseSpec::new(kind, url)).collect::<Result<_, _>>()?)
    }

    /// The state's hook, where there is one.
    fn hook(&self) -> Result<Option<HookSpec>, ProjectError> {
        let Some(hook) = &self.config.state.hook else { return Ok(None) };
        let program = self.root.join(hook);
        if !program.is_file() {
            return Err(SettingError::new(format!(
                "[state] hook names {}, which is not a file",
                program.display()
            ))
            .or_hint("name a program; it is called with `save NAME`, `restore NAME` and `remove NAME`")
            .in_file(self.settings_path()));
        }
        let time_limit = self.config.state.hook_timeout.unwrap_or(HOOK_TIME_LIMIT);
        Ok(Some(HookSpec { program, dir: self.root.clone(), time_limit }))
    }

    /// Frees what no snapshot needs any more, with what the state's hook kept for them. Returned is what the hook could not
    /// remove.
    pub fn collect_garbage(&self, snapshot_store: &mut SnapshotStore) -> Result<Vec<String>, ProjectError> {
        snapshot_store.collect_garbage()?;
        match self.hook()? {
            Some(hook) => Ok(hook.remove_unused(snapshot_store)?.iter().map(ToString::to_string).collect()),
            None => Ok(Vec::new()),
        }
    }

    /// Saves the state before the first recorded session, which a baseline begins from, and returns how long that took; nothing
    /// where it is saved already, or where there is no state.
    pub fn save_initial(&self) -> Result<Option<Duration>, ProjectError> {
        match self.state()? {
            Some(mut state) if !state.snapshot_store().exists(INITIAL)? => {
                Ok(Some(state.save(INITIAL)?.duration))
            }
            _ => Ok(None),
        }
    }
}
