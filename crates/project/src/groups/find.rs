//! Trying sessions together that may have met, and keeping what is better for it.

use std::collections::{BTreeSet, HashMap};

use restage_judge::{Rules, fidelity_of};
use restage_model::{Fidelity, Groups, Run, RunKind, StatePolicy, Suite};
use restage_replay::{AppSpec, EventSink, Order, Replay, remove_run, replay};
use restage_suite::find_needs;

use super::links::{Link, Links};
use super::span::presences;
use crate::error::ProjectError;
use crate::needs::observe;
use crate::project::Project;

/// More sessions that wrote the same data are not put together where their answers do not ask for it: in a busy shop they would become
/// one session.
const MOST_BY_DATA: usize = 8;
/// More sessions are not put together only because they were there at the same time.
const MOST_BY_TIME: usize = 40;

/// Finds the groups of a baseline that was made without any.
pub(super) struct GroupFinder<'a> {
    /// The project.
    pub(super) project: &'a Project,
    /// The trusted version.
    pub(super) app: &'a AppSpec,
    /// By what noise is known.
    pub(super) rules: &'a Rules,
    /// In which order groups are tried.
    pub(super) order: Order,
}

/// What is known so far.
struct Progress<'s> {
    suite: &'s Suite,
    kept: Vec<Vec<String>>,
    /// How each session comes out, with the groups that are kept.
    fidelity: Fidelity,
}

impl GroupFinder<'_> {
    /// The groups of a baseline and its check that replayed each session by itself. Sessions that may have met are replayed together, from the snapshot before
    /// the first of them; those are a group that more steps are as recorded of then, or that wrote the same data and are no worse.
    pub(super) fn find(
        &self,
        work: &mut restage_replay::Project,
        baseline: &Run,
        events: &mut EventSink<'_>,
    ) -> Result<Groups, ProjectError> {
        let suite = work.store.suite(baseline.suite)?;
        let presences = presences(&work.store, &suite.sessions)?;
        if presences.iter().all(Option::is_none) {
            return Ok(Groups::default());
        }
        let links =
            Links { names: suite.sessions.iter().map(|s| s.name.as_str()).collect(), presences: &presences };
        let conditions = self.project.conditions(self.app, false);
        let fidelity = fidelity_of(&mut work.store, baseline, self.rules, conditions)?;
        let (mut observed, _) = observe(self.project, &work.store, baseline)?;
        let needs = find_needs(&observed);
        // The first of two may need what the other one did before it: replayed before, it shows in what it asked for alone.
        observed.reverse();
        let needs_of_first = find_needs(&observed);
        let mut progress = Progress { suite: &suite, kept: Vec::new(), fidelity };
        // Facts are asked for of the baseline, not of what is tried.
        let facts = work.facts.take();
        let mut found = || -> Result<(), ProjectError> {
            let first = links.astray(&progress.fidelity);
            // Who was at the same place is known from the recording.
            let candidates = progress.joined(touching(links.by_place(), &first));
            self.try_together(work, baseline, &mut progress, candidates, &[], events)?;
            // Who used what the other one wrote is told by the baseline, whose sessions did not meet: it may be mistaken.
            let astray = links.astray(&progress.fidelity);
            let mut wanted = touching(links.by_needs(&needs), &astray);
            wanted.extend(touching(links.by_needs(&needs_of_first), &astray));
            // Of those who wrote the same, answers may not tell that they met; where they were astray, they wrote something else.
            let mut same_rows = links.by_same_rows(&observed);
            same_rows.retain(|link| !touches(link, &first));
            let told_by_rows: Vec<Vec<String>> =
                progress.joined(same_rows).into_iter().filter(|group| group.len() <= MOST_BY_DATA).collect();
            let mut candidates = progress.joined(wanted);
            candidates.extend(told_by_rows.iter().cloned());
            let candidates = progress.joined_groups(candidates);
            self.try_together(work, baseline, &mut progress, candidates, &told_by_rows, events)?;
            // Who still is not answered as recorded may have met somebody of whom the data tells nothing.
            let astray = links.astray(&progress.fidelity);
            let mut candidates = progress.joined(links.by_time(&astray));
            candidates.retain(|group| progress.has(group, &astray) && group.len() <= MOST_BY_TIME);
            self.try_together(work, baseline, &mut progress, candidates, &[], events)
        };
        let found = found();
        work.facts = facts;
        found?;
        Ok(Groups::of(&suite, progress.kept))
    }

    /// Replays candidates, each from the snapshot before its first session, and keeps those that are better for it.
    fn try_together(
        &self,
        work: &mut restage_replay::Project,
        baseline: &Run,
        progress: &mut Progress<'_>,
        mut candidates: Vec<Vec<String>>,
        told_by_rows: &[Vec<String>],
        events: &mut EventSink<'_>,
    ) -> Result<(), ProjectError> {
        candidates.retain(|group| !progress.kept.contains(group));
        if candidates.is_empty() {
            return Ok(());
        }
        let places = (0..).zip(&progress.suite.sessions);
        let is_tried = |name: &String| candidates.iter().any(|group| group.contains(name));
        let trial = Replay {
            name: self.project.run_name(&work.store, None, &format!("{}.together", baseline.name))?,
            kind: RunKind::Replay,
            suite: progress.suite,
            app: self.app,
            policy: StatePolicy::Restore,
            reference: Some(baseline.id),
            order: self.order,
            groups: Groups::of(progress.suite, candidates.iter().cloned()),
            only: Some(places.filter(|(_, s)| is_tried(&s.name)).map(|(place, _)| place).collect()),
            as_recorded: false,
        };
        let run = replay(work, &trial, events)?;
        let conditions = self.project.conditions(self.app, false);
        let together = fidelity_of(&mut work.store, &run, self.rules, conditions);
        match &mut work.state {
            Some(state) => remove_run(&mut work.store, state.snapshot_store_mut(), &run)?,
            None => work.store.remove_run(run.id)?,
        }
        let together = together?;
        for group in candidates {
            let as_recorded = |fidelity: &Fidelity| -> usize {
                group
                    .iter()
                    .filter_map(|name| fidelity.session(name))
                    .map(|session| session.as_recorded)
                    .sum()
            };
            let (apart, met) = (as_recorded(&progress.fidelity), as_recorded(&together));
            if met > apart || (met == apart && told_by_rows.contains(&group)) {
                progress.keep(group, &together);
            }
        }
        Ok(())
    }
}

impl Progress<'_> {
    /// The groups that links make, with those that are kept already.
    fn joined(&self, links: BTreeSet<Link>) -> Vec<Vec<String>> {
        let name = |place: usize| self.suite.sessions[place].name.clone();
        self.joined_groups(links.into_iter().map(|(one, other)| vec![name(one), name(other)]))
    }

    /// The same of groups.
    fn joined_groups(&self, groups: impl IntoIterator<Item = Vec<String>>) -> Vec<Vec<String>> {
        let all = Groups::of(self.suite, self.kept.iter().cloned().chain(groups));
        all.iter().map(<[String]>::to_vec).collect()
    }

    /// Whether one of these sessions is in a group.
    fn has(&self, group: &[String], sessions: &BTreeSet<usize>) -> bool {
        sessions.iter().any(|place| group.contains(&self.suite.sessions[*place].name))
    }

    fn keep(&mut self, group: Vec<String>, together: &Fidelity) {
        self.kept.retain(|other| !other.iter().any(|name| group.contains(name)));
        let new: HashMap<&str, _> = together.sessions.iter().map(|s| (s.name.as_str(), s)).collect();
        for session in &mut self.fidelity.sessions {
            if let Some(new) = new.get(session.name.as_str()).filter(|_| group.contains(&session.name)) {
                *session = (*new).clone();
            }
        }
        self.kept.push(group);
    }
}

/// Those of which one is one of these sessions.
fn touching(links: BTreeSet<Link>, sessions: &BTreeSet<usize>) -> BTreeSet<Link> {
    links.into_iter().filter(|link| touches(link, sessions)).collect()
}

fn touches((one, other): &Link, sessions: &BTreeSet<usize>) -> bool {
    sessions.contains(one) || sessions.contains(other)
}
