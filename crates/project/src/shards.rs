//! One of so many parts of a suite, for one of several machines.

use std::collections::HashSet;

use restage_model::{Groups, Shard, StatePolicy, Suite};
use restage_replay::Order;
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
pub fn shard_steps(suite: &Suite, groups: &Groups, shard: Option<Shard>) -> usize {
    shard.map_or(suite.steps(), |shard| {
        shard.sessions(suite, groups).iter().map(|(_, session)| session.exchanges.len()).sum()
    })
}

/// An error where a shard cannot be replayed so. Sessions that overlap meet users whose sessions are in other shards; and under
/// `initial` a session finds what those before it left, which are missing in a shard.
pub fn check_shard(shard: Option<Shard>, order: Order, policy: StatePolicy) -> Result<(), ProjectError> {
    match (shard, order, policy) {
        (Some(_), Order::Overlap, _) => Err(ProjectError::ShardOverlaps),
        (Some(_), _, StatePolicy::Initial) => Err(ProjectError::ShardWithoutSnapshots),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a shard that is refused with a hint which cannot work: sessions that overlap have no state of their own.
    #[test]
    fn what_a_shard_cannot_do_is_refused_with_a_hint_that_can() {
        let shard = "1/2".parse().ok();
        let told = |order, policy| check_shard(shard, order, policy).map_err(|error| error.to_string());
        for policy in [StatePolicy::Initial, StatePolicy::Keep] {
            let refused = told(Order::Overlap, policy).unwrap_err();
            assert!(refused.contains("--overlap without --shard") && !refused.contains("fresh"), "{refused}");
        }
        assert!(told(Order::InTurn, StatePolicy::Initial).unwrap_err().contains("--state fresh"));
        assert_eq!(told(Order::Jobs(2), StatePolicy::Restore), Ok(()));
        assert!(check_shard(None, Order::Overlap, StatePolicy::Initial).is_ok());
    }
}
