//! Which sessions of a suite are replayed: all, some, or some with those that they need.

use std::collections::BTreeSet;

use restage_model::{Groups, Run, RunKind, RunState, Shard, Suite};
use restage_store::Store;

use crate::error::ProjectError;
use crate::needs::{FoundNeeds, NeedsGap, find_needs};
use crate::project::Project;

/// Sessions of a suite.
pub struct Selection {
    /// The suite.
    pub suite: Suite,
    /// Their places in it; all where there is none.
    pub places: Option<Vec<u32>>,
    /// The sessions that are replayed together.
    pub groups: Groups,
    /// The names of the sessions that were not asked for, and met some that were.
    pub met: Vec<String>,
}

/// What was added to a selection.
pub struct Augmented {
    /// The names of the sessions that others need.
    pub added: Vec<String>,
    /// Why more may be needed.
    pub gaps: Vec<NeedsGap>,
}

impl Selection {
    /// The sessions of these names, or all; and of these the ones of a shard. Groups are whole.
    pub fn of(
        suite: Suite,
        only: &[String],
        shard: Option<Shard>,
        groups: Groups,
    ) -> Result<Self, ProjectError> {
        if let Some(unknown) = only.iter().find(|name| !suite.sessions.iter().any(|s| s.name == **name)) {
            return Err(ProjectError::UnknownSession { suite: suite.name, session: unknown.clone() });
        }
        let mut places = shard.map(|shard| shard.places(&suite, &groups));
        let mut met = Vec::new();
        if !only.is_empty() {
            let named = (0..).zip(&suite.sessions).filter(|(_, session)| only.contains(&session.name));
            let named: Vec<u32> = named.map(|(place, _)| place).collect();
            let in_shard = |place: &u32| places.as_ref().is_none_or(|shard| shard.contains(place));
            let mut named: Vec<u32> = named.into_iter().filter(in_shard).collect();
            met = groups.complete(&suite, &mut named);
            places = Some(named);
        }
        Ok(Self { suite, places, groups, met })
    }

    /// Adds the sessions that these need, in the order they were recorded. The selection is then of the suite of
    /// the baseline that tells so: its runs can be compared with it.
    pub fn augment(&mut self, project: &Project, store: &Store) -> Result<Augmented, ProjectError> {
        let asked: BTreeSet<String> = (0..)
            .zip(&self.suite.sessions)
            .filter(|(place, _)| self.places.as_ref().is_none_or(|places| places.contains(place)))
            .map(|(_, session)| session.name.clone())
            .collect();
        let (baseline, suite) = self.baseline(store, &asked)?;
        let FoundNeeds { needs, gaps } = find_needs(project, store, &baseline)?;
        let needed = needs.needed_by(asked.iter().map(String::as_str));
        let added = suite.sessions.iter().map(|s| &s.name).filter(|name| needed.contains(name.as_str()));
        let added: Vec<String> = added.cloned().collect();
        let chosen = |name: &String| asked.contains(name) || needed.contains(name.as_str());
        let places = (0..).zip(&suite.sessions).filter(|(_, session)| chosen(&session.name));
        self.places = Some(places.map(|(place, _)| place).collect());
        self.groups = needs.groups;
        self.suite = suite;
        Ok(Augmented { added, gaps })
    }

    /// The newest baseline that has all these sessions as they are here.
    fn baseline(&self, store: &Store, asked: &BTreeSet<String>) -> Result<(Run, Suite), ProjectError> {
        let is_baseline = |run: &Run| run.kind == RunKind::Baseline && run.state == RunState::Complete;
        for run in store.runs()?.into_iter().rev().filter(is_baseline) {
            let suite = store.suite(run.suite)?;
            let mut own = self.suite.sessions.iter().filter(|s| asked.contains(&s.name));
            if own.all(|s| suite.sessions.iter().any(|t| (&t.name, &t.exchanges) == (&s.name, &s.exchanges)))
            {
                return Ok((run, suite));
            }
        }
        Err(ProjectError::NoBaselineWithSessions)
    }
}
