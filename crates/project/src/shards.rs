//! One of so many parts of a suite, for one of several machines.

use std::collections::HashSet;

use restage_model::{Shard, StatePolicy, Suite};
use restage_store::Store;

use crate::error::ProjectError;
use crate::project::Project;

impl Project {
    /// A name for a run of a shard that is not taken: the one given; or the first free of `prefix-1`, `prefix-2`, …, which for a
    /// shard are `prefix-1.2-of-8`, ….
    pub fn shard_run_name(
        &self,
        store: &Store,
        given: Option<&str>,
        prefix: &str,
        shard: Option<Shard>,
    ) -> Result<String, ProjectError> {
        let Some(shard) = shard.filter(|_| given.is_none()) else {
            return self.run_name(store, given, prefix);
        };
        let taken: HashSet<String> = store.runs()?.into_iter().map(|r| r.name).collect();
        let names = (1..).map(|n| (format!("{prefix}-{n}"), format!("{prefix}-{n}.{shard}")));
        let mut free = names.filter(|(whole, own)| !taken.contains(whole) && !taken.contains(own));
        Ok(free.next().map(|(_, own)| own).unwrap_or_default())
    }
}

/// How many steps of a suite a shard has; all where there is none.
pub fn shard_steps(suite: &Suite, shard: Option<Shard>) -> usize {
    shard.map_or(suite.steps(), |shard| {
        shard.sessions(suite).iter().map(|(_, session)| session.exchanges.len()).sum()
    })
}

/// An error where a shard is to be replayed under `initial`: a session then finds what those before it left, and in a shard they
/// are missing.
pub fn check_shard_policy(shard: Option<Shard>, policy: StatePolicy) -> Result<(), ProjectError> {
    if shard.is_some() && policy == StatePolicy::Initial {
        return Err(ProjectError::ShardWithoutSnapshots);
    }
    Ok(())
}
