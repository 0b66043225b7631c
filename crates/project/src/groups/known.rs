//! The groups of a run, those of the settings, and those that a replay goes by.

use restage_model::{Groups, Run, Suite};
use restage_store::{Store, StoreError};

use crate::error::ProjectError;
use crate::project::Project;
use crate::sessions::RECORDED;
use crate::settings::GroupsConfig;

impl Project {
    /// The sessions that a run replayed together.
    pub fn groups_of_run(&self, store: &Store, run: &Run) -> Result<Groups, StoreError> {
        Ok(Groups::of(&store.suite(run.suite)?, store.groups_of_run(run.id)?))
    }

    /// The groups of a suite that is about to be replayed: those of the newest baseline that has its sessions; where there is
    /// none, those of the settings.
    pub fn groups_of_suite(&self, store: &Store, suite: &Suite) -> Result<Groups, ProjectError> {
        match self.baseline_with(store, suite, |_| Ok(true))? {
            Some(baseline) => Ok(Groups::of(suite, store.groups_of_run(baseline.id)?)),
            None => Ok(self.listed_groups(suite)?.unwrap_or_default()),
        }
    }

    /// The groups that the settings list, as far as the suite has their sessions: none of them where they are off. Nothing where
    /// they are to be found.
    pub fn listed_groups(&self, suite: &Suite) -> Result<Option<Groups>, ProjectError> {
        match &self.config.replay.groups {
            GroupsConfig::Auto => Ok(None),
            GroupsConfig::Off => Ok(Some(Groups::default())),
            GroupsConfig::Listed(groups) => {
                let is_there = |name: &String| suite.sessions.iter().any(|session| session.name == *name);
                let unknown = groups.iter().flatten().find(|name| !is_there(name));
                match unknown.filter(|_| suite.name == RECORDED) {
                    Some(session) => Err(ProjectError::UnknownInGroup { session: session.clone() }),
                    None => Ok(Some(Groups::of(suite, groups.iter().cloned()))),
                }
            }
        }
    }
}
