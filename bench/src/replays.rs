//! Baselines of the bookstore, and what `restage test` replays on them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bookstore::Fault;
use restage_model::{Groups, Run, RunEvent, RunKind, StatePolicy};
use restage_replay::{AppSpec, EventSink, NewBaseline, Order, Replay, make_baseline, replay};

use crate::Trouble;
use crate::day::Day;
use crate::seen::seen;
use crate::state_rows::{Rows, rows};
use crate::subject::{Noise, Subject};

impl Subject {
    /// One with chance and the clock fixed, and its baseline. An error where runs of it differ all the same.
    pub fn fixed(stop: Arc<AtomicBool>) -> Result<(Self, Run), Trouble> {
        let mut subject = Self::record(Noise::Off, stop)?;
        let baseline = subject.baseline("baseline")?;
        let clean = subject.replayed(&baseline, "clean", &[])?;
        let steps = seen(&subject.project.store, &baseline, &clean)?;
        match steps.iter().filter(|s| s.shows).count() {
            0 => Ok((subject, baseline)),
            n => Err(format!("{n} steps differ without any fault: nothing can be said of faults").into()),
        }
    }

    /// One as it is on a real site. An error where the shoppers went other ways than in a subject with sessions
    /// of these lengths.
    pub fn noisy(stop: Arc<AtomicBool>, lengths: &[usize]) -> Result<Self, Trouble> {
        let subject = Self::real(stop)?;
        if subject.lengths() != lengths {
            return Err(
                "the shoppers went other ways under noise: where a fault shows is not known there".into()
            );
        }
        Ok(subject)
    }

    /// One as it is on a real site, whatever ways its shoppers went.
    pub fn real(stop: Arc<AtomicBool>) -> Result<Self, Trouble> {
        Self::record(Noise::Real, stop)
    }

    /// How many steps each session has.
    pub fn lengths(&self) -> Vec<usize> {
        self.suite.sessions.iter().map(|s| s.exchanges.len()).collect()
    }

    /// The trusted release's run, and its check.
    pub fn baseline(&mut self, name: &str) -> Result<Run, Trouble> {
        let app = self.app(&[])?;
        let new = NewBaseline {
            name: name.to_owned(),
            suite: &self.suite,
            app: &app,
            groups: Groups::default(),
            order: Order::InTurn,
            checked: None,
        };
        Ok(make_baseline(&mut self.project, &new, &mut |_| {})?.run)
    }

    /// What `restage test` replays, with faults switched on.
    pub fn replayed(&mut self, baseline: &Run, name: &str, faults: &[Fault]) -> Result<Run, Trouble> {
        self.replayed_on(Day(0), baseline, name, faults)
    }

    /// The same on another day.
    pub fn replayed_on(
        &mut self,
        day: Day,
        baseline: &Run,
        name: &str,
        faults: &[Fault],
    ) -> Result<Run, Trouble> {
        let mut app = self.app(faults)?;
        day.set(&mut app)?;
        self.run(baseline, name, &app, &mut |_| {})
    }

    /// The same, and what each session has left in the database.
    pub fn replayed_with_rows(
        &mut self,
        baseline: &Run,
        name: &str,
        faults: &[Fault],
    ) -> Result<(Run, Vec<Rows>), Trouble> {
        let app = self.app(faults)?;
        let (database, lengths) = (self.database(), self.lengths());
        let mut left: Vec<Result<Rows, Trouble>> = Vec::new();
        let mut done = 0;
        let run = self.run(baseline, name, &app, &mut |event| {
            if let RunEvent::StepReplayed { .. } = event {
                done += 1;
                if lengths.get(left.len()) == Some(&done) {
                    done = 0;
                    left.push(rows(&database));
                }
            }
        })?;
        Ok((run, left.into_iter().collect::<Result<_, _>>()?))
    }

    /// Replays the suite on an app, each session on the state it had in the baseline.
    pub(crate) fn run(
        &mut self,
        baseline: &Run,
        name: &str,
        app: &AppSpec,
        events: &mut EventSink<'_>,
    ) -> Result<Run, Trouble> {
        let asked = Replay {
            only: None,
            name: name.to_owned(),
            kind: RunKind::Replay,
            suite: &self.suite,
            app,
            policy: StatePolicy::Restore,
            reference: Some(baseline.id),
            order: Order::InTurn,
            groups: Groups::default(),
            as_recorded: false,
        };
        Ok(replay(&mut self.project, &asked, events)?)
    }
}
