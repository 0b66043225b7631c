//! Whether what differs comes from what the app keeps in memory.
//!
//! A session begins from its snapshot, whatever was replayed before it. An app that keeps settings or a cache in memory still has
//! what earlier sessions left, and where those are not the ones that came before in the baseline, it answers otherwise. That is found
//! out by trying: one session that differs is replayed once more on an app that is started for it. If it differs no more, it was that.

use restage_judge::{Comparison, Rules};
use restage_model::{Run, RunKind, StatePolicy};
use restage_project::Project;
use restage_replay::{AppSpec, Order, Replay, Restart, remove_run};

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::progress::note;

/// A test that found differences.
pub(crate) struct RestartTrial<'a> {
    pub(crate) baseline: &'a Run,
    pub(crate) run: &'a Run,
    pub(crate) comparison: &'a Comparison,
    pub(crate) app: &'a AppSpec,
}

impl RestartTrial<'_> {
    /// Says so where the app's memory is the cause of a difference. What the trial itself fails with is told nowhere: the test's own
    /// verdict stands.
    pub(crate) fn tell(
        &self,
        global: &Global,
        project: &Project,
        work: &mut restage_replay::Project,
        rules: &Rules,
    ) -> Result<(), Failure> {
        let Some(place) = self.session() else { return Ok(()) };
        let name = format!("{}.restarted", self.run.name);
        let app = AppSpec { restart: Restart::EachSession, ..self.app.clone() };
        let suite = work.store.suite(self.baseline.suite)?;
        let groups = project.groups_of_run(&work.store, self.baseline)?;
        let mut places = vec![place];
        groups.complete(&suite, &mut places);
        let replay = Replay {
            name: name.clone(),
            kind: RunKind::Replay,
            suite: &suite,
            app: &app,
            policy: StatePolicy::Restore,
            reference: Some(self.baseline.id),
            order: Order::InTurn,
            only: Some(places),
            groups,
            as_recorded: false,
        };
        let replayed = restage_replay::replay(work, &replay, &mut |_| {});
        let helps = match &replayed {
            Ok(run) => {
                let judged = restage_judge::judge(&work.store, self.baseline, run, rules, &mut |_| {})?;
                judged.missing.is_empty() && judged.counts.all_failing() == 0
            }
            Err(_) => false,
        };
        // It is no test of the user's, whatever came of it.
        for run in work.store.runs()?.into_iter().filter(|run| run.name == name) {
            let mut snapshot_store = project.snapshot_store()?;
            remove_run(&mut work.store, &mut snapshot_store, &run)?;
        }
        if let (true, Some(session)) = (helps, suite.sessions.get(place as usize)) {
            note(
                global,
                format!(
                    "note: {} differs no more when the app is started anew before it: the app keeps in memory what its data contradicts\n  hint: restart = \"each-session\" in [app], or --restart each-session",
                    session.name
                ),
            );
        }
        Ok(())
    }

    /// The first session that differs, by its place.
    fn session(&self) -> Option<u32> {
        let changes = self.comparison.changes.iter();
        changes
            .flat_map(|change| {
                change.steps.iter().map(|at| at.session).chain(change.sessions.iter().copied())
            })
            .min()
    }
}
