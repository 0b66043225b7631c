//! `restage regenerate`: what a suite does is read, sequences are planned, run on the trusted version, and kept where they gained something.
//!
//! - `known_suite`: the suite, what it does, and what its errors are;
//! - `trial`: new sessions, run;
//! - `report`: what was done.

mod known_suite;
mod report;
mod trial;

use std::time::{Duration, Instant};

use restage_model::{Groups, NewSession, NewSuite, RunEvent, Suite};
use restage_project::Project;
use restage_regenerate::{
    Choice, Criterion, Limits, MadeSession, Plan, PlannedSequence, Tried, make_session, plan,
    random_sequences,
};
use restage_replay::{AppSpec, NewBaseline, Order, make_baseline};

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::event_log::EventLog;
use crate::terminal::progress::note;
use crate::terminal::run_progress::RunProgress;

use known_suite::KnownSuite;
use report::CoverageTold;
pub(crate) use report::{PlannedTold, Regenerated, RoundTold};
use trial::Trial;

/// How sequences are made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Du,
    Vadu {
        /// Definitions of one kind, one after another, count each as another one.
        chains: bool,
    },
    Random {
        seed: u64,
    },
}

impl Way {
    /// What its pairs are counted by; sequences drawn at random are counted by those of DU, which they are compared with.
    pub(crate) fn criterion(self) -> Criterion {
        match self {
            Self::Vadu { chains: false } => Criterion::Vadu,
            Self::Vadu { chains: true } => Criterion::Chained,
            Self::Du | Self::Random { .. } => Criterion::Du,
        }
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Du => "du",
            Self::Vadu { .. } => "vadu",
            Self::Random { .. } => "random",
        }
    }
}

/// What is to be done.
pub(crate) struct Regenerating<'a> {
    pub(crate) global: &'a Global,
    pub(crate) project: &'a Project,
    pub(crate) suite: &'a Suite,
    pub(crate) app: &'a AppSpec,
    pub(crate) way: Way,
    /// The run that says what the suite does.
    pub(crate) baseline: Option<&'a str>,
    pub(crate) rounds: usize,
    pub(crate) max_requests: Option<usize>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) choice: Choice,
    /// New sessions are run and told, and none is kept as a suite.
    pub(crate) only_tell: bool,
    pub(crate) events: Option<EventLog>,
}

impl Regenerating<'_> {
    /// Plans sequences, and stores nothing but what it had to find out about the suite.
    pub(crate) fn dry_run(&mut self, work: &mut restage_replay::Project) -> Result<Regenerated, Failure> {
        let known = KnownSuite::read(self, work)?;
        let plan = self.plan(&known, &Tried::new(), self.max_requests);
        let mut told = Regenerated::new(self, &known);
        told.add_plan(&plan);
        told.planned_sequences =
            Some(plan.sequences.iter().map(|sequence| PlannedTold::of(sequence, &known)).collect());
        Ok(told)
    }

    /// Makes new sessions, round by round, and the suite of those that gained something.
    pub(crate) fn run(
        &mut self,
        work: &mut restage_replay::Project,
        into: &str,
    ) -> Result<Regenerated, Failure> {
        let until = self.max_time.map(|time| Instant::now() + time);
        let mut known = KnownSuite::read(self, work)?;
        let mut told = Regenerated::new(self, &known);
        let own = known.sources.len();
        let (mut tried, mut sent, mut made_so_far) = (Tried::new(), 0, 0);
        for round in 1..=self.rounds {
            let left = self.max_requests.map(|most| most.saturating_sub(sent));
            let plan = self.plan(&known, &tried, left);
            if round == 1 {
                told.add_plan(&plan);
            }
            if plan.sequences.is_empty() {
                break;
            }
            known.keep_starts(work, &plan.sequences)?;
            let mut made = Vec::with_capacity(plan.sequences.len());
            for sequence in &plan.sequences {
                made_so_far += 1;
                made.push(make_session(&work.store, &known.sources, sequence, &format!("r{made_so_far}"))?);
            }
            let trial = Trial { into, round, until, kept: &known.sources[own..] };
            let tested = trial.run(self, work, &known, made)?;
            sent += tested.requests;
            let (round, kept) = RoundTold::of(self, &mut known, &mut tried, tested);
            let gained_nothing = round.pairs == 0;
            told.rounds.push(round);
            known.extend(kept);
            if gained_nothing || until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        let sessions: Vec<NewSession> =
            known.sources[own..].iter().map(|source| source.session.clone().into()).collect();
        told.coverage = CoverageTold::of(&known);
        if !sessions.is_empty() && !self.only_tell {
            self.store(work, into, sessions, &mut told)?;
        }
        Ok(told)
    }

    /// Stores the suite, makes its baseline, and keeps what was done as its receipt.
    fn store(
        &mut self,
        work: &mut restage_replay::Project,
        into: &str,
        sessions: Vec<NewSession>,
        told: &mut Regenerated,
    ) -> Result<(), Failure> {
        let origin = format!("regenerated by {} from {}", self.way.name(), self.suite.name);
        let new = NewSuite { name: into.to_owned(), origin, sessions };
        let suite = self.project.save_suite(&mut work.store, new)?;
        let name = self.project.run_name(&work.store, None, "baseline")?;
        let events = self.events.take().unwrap_or_default();
        let mut progress = RunProgress::new(self.global, "baseline, twice", 2 * suite.steps(), events);
        let mut show = |event: &RunEvent| progress.show(event);
        let new = NewBaseline {
            name,
            suite: &suite,
            app: self.app,
            // They were recorded one step here, one there: none of them met.
            groups: Groups::default(),
            order: Order::InTurn,
            checked: None,
        };
        let baseline = make_baseline(work, &new, &mut show)?;
        drop(progress);
        told.suite = Some(suite.name.clone());
        told.baseline = Some(baseline.run.name);
        told.sessions = suite.sessions.len();
        told.requests = suite.steps();
        work.store.set_receipt(suite.id, &serde_json::to_string(&told).unwrap_or_default())?;
        Ok(())
    }

    fn plan(&self, known: &KnownSuite, tried: &Tried, requests: Option<usize>) -> Plan {
        let limits = Limits { requests };
        let Way::Random { seed } = self.way else {
            return plan(&known.dynamics, self.way.criterion(), tried, limits, self.choice);
        };
        // As many as DU makes where nothing limits it.
        let du = plan(&known.dynamics, Criterion::Du, &Tried::new(), Limits::default(), self.choice);
        let mut sequences = random_sequences(&known.dynamics, du.sequences.len(), seed);
        let all = sequences.len();
        let mut room = requests.unwrap_or(usize::MAX);
        sequences.retain(|sequence| {
            let fits = sequence.requests() <= room && !is_tried(sequence, tried);
            room -= if fits { sequence.requests() } else { 0 };
            fits
        });
        let over = all - sequences.len();
        Plan { sequences, covered: du.covered, sequences_over_limit: over, ..Plan::default() }
    }

    /// A note for people.
    pub(crate) fn note(&self, text: String) {
        note(self.global, text);
    }
}

fn is_tried(sequence: &PlannedSequence, tried: &Tried) -> bool {
    sequence.uses.iter().all(|usage| tried.contains(&(sequence.cut, usage.place)))
}

/// How many requests sessions send.
fn requests(made: &[MadeSession]) -> usize {
    made.iter().map(|made| made.session.steps.len()).sum()
}
