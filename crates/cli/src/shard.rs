//! `--shard`: a part of a suite's sessions.

use std::collections::HashSet;

use restage_model::{Shard, StatePolicy, Suite};
use restage_project::Project;
use restage_store::Store;

use crate::failure::Failure;

/// A name for a run that is not taken: the one given; or the first free of `prefix-1`, `prefix-2`, …, which for a shard are
/// `prefix-1.2-of-8`, ….
pub(crate) fn run_name(
    project: &Project,
    store: &Store,
    given: Option<&str>,
    prefix: &str,
    shard: Option<Shard>,
) -> Result<String, Failure> {
    let Some(shard) = shard.filter(|_| given.is_none()) else {
        return Ok(project.run_name(store, given, prefix)?);
    };
    let taken: HashSet<String> = store.runs()?.into_iter().map(|r| r.name).collect();
    let names = (1..).map(|n| (format!("{prefix}-{n}"), format!("{prefix}-{n}.{shard}")));
    let mut free = names.filter(|(whole, own)| !taken.contains(whole) && !taken.contains(own));
    Ok(free.next().map(|(_, own)| own).unwrap_or_default())
}

/// How many steps are replayed.
pub(crate) fn steps(suite: &Suite, shard: Option<Shard>) -> usize {
    shard.map_or(suite.steps(), |shard| {
        shard.sessions(suite).iter().map(|(_, session)| session.exchanges.len()).sum()
    })
}

/// Under `initial`, a session finds what those before it left; in a shard they are missing.
pub(crate) fn refuse_without_restoring(shard: Option<Shard>, policy: StatePolicy) -> Result<(), Failure> {
    if shard.is_some() && policy == StatePolicy::Initial {
        return Err(Failure::user(
            "a shard cannot be replayed with the state `initial`: the sessions before are missing\n  hint: make a baseline of this suite first (`restage baseline`), or choose --state fresh",
        ));
    }
    Ok(())
}
