//! `restage test`: the everyday command.

use restage_judge::{Comparison, Rules, part_of};
use restage_model::{Groups, Run, RunKind, Shard, StatePolicy, Suite};
use restage_project::{Project, RunPair, check_shard};
use restage_replay::{AppSpec, Order, Replay, Restart};
use restage_store::Store;

use crate::args::{AppArgs, EventArgs, FactsArgs, Global, OrderArgs, ReportArgs, WaitArgs};
use crate::commands::repair::MOST_TRIES;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::repairing::{Repairing, StoredRepair};
use crate::restart_trial::RestartTrial;
use crate::settling::Settlements;
use crate::terminal::event_log::EventLog;
use crate::terminal::judging;
use crate::terminal::output::count;
use crate::terminal::progress;
use crate::terminal::report::present;
use crate::terminal::run_progress::RunProgress;

/// Replay the baseline's suite on the version under test, and compare; exits 1 on differences
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage test --html report.html --junit report.xml
  restage test --app next --repair")]
pub(crate) struct Args {
    /// The version under test: an [app.NAME] in restage.toml [default: [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// The baseline [default: the newest]
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
    /// Replay only this part of the baseline's suite, made by `restage reduce`
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,
    /// The oracle for all pages: comparators joined by | (either) and & (both), or `2 of (A, B, C)` [default: [oracle] in
    /// restage.toml, else C-WD | N+I]
    #[arg(long, value_name = "EXPR", env = "RESTAGE_ORACLE", hide_env = true)]
    oracle: Option<String>,
    /// The application's data before each session: restore, initial, fresh or keep; see `restage replay --help` [default:
    /// restore, or initial with --overlap]
    #[arg(long, value_name = "POLICY")]
    state: Option<StatePolicy>,
    /// Replay only one part of the sessions: 2/8 is the second of eight parts of about equal size
    #[arg(long, value_name = "N/M")]
    shard: Option<Shard>,
    /// The run's name [default: test-1, test-2, …; for a shard test-1.2-of-8]
    #[arg(long, value_name = "RUN")]
    into: Option<String>,
    /// Where steps are stale or fail, also make their sessions valid on the version under test, as `restage repair` does, in the suite
    /// repaired-RUN; the test is judged as without it
    #[arg(long, conflicts_with_all = ["overlap", "shard"])]
    repair: bool,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    app_args: AppArgs,
    #[command(flatten)]
    facts: FactsArgs,
    #[command(flatten)]
    events: EventArgs,
    #[command(flatten)]
    wait: WaitArgs,
    #[command(flatten)]
    formats: ReportArgs,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let rules = project.judging_rules(args.oracle.as_deref())?;
    let rules = Settlements::of(global, &project)?.join(rules);
    let app = args.app_args.apply(project.app(args.app.as_deref())?);
    let mut work = open_project::for_replay(global, &project, args.wait)?;
    args.facts.apply(&project, &mut work);
    let baseline = project.baseline(&work.store, args.baseline.as_deref())?;
    project.fidelity(&mut work.store, &baseline, &project.judging_rules(None)?)?;
    tell_of_growth(global, &project, &work.store, &work.store.suite(baseline.suite)?)?;
    let name = project.shard_run_name(&work.store, args.into.as_deref(), "test", args.shard)?;
    let (policy, order) = (args.state.unwrap_or(args.order.policy(StatePolicy::Restore)), args.order.order());
    check_shard(args.shard, order, policy)?;
    if policy == StatePolicy::Augment {
        return Err(Failure::user(
            "--state augment: a test replays all sessions, so there are none to add\n  hint: `restage replay --only SESSION --state augment`, then `restage compare`",
        ));
    }
    let suite = args.suite.as_ref().map(|name| project.suite(&mut work.store, name)).transpose()?;
    let (shard, events) = (args.shard, args.events.open()?);
    let trial = Trial { baseline: &baseline, suite, app: &app, name, policy, order, shard, events };
    let run = trial.replay(global, &mut work)?;
    // What is replayed from here on is no run of the user's.
    work.facts = None;
    let comparison = judging::judge(global, &work.store, &baseline, &run, &rules)?;
    Settlements::tell_of_unused(global, &comparison);
    // Where sessions are replayed on an app on which others came before than in the baseline.
    let other_order = order != Order::InTurn || args.suite.is_some() || args.shard.is_some();
    if !comparison.passes()
        && other_order
        && policy == StatePolicy::Restore
        && app.restart == Restart::Never
        && app.address.is_none()
    {
        let trial = RestartTrial { baseline: &baseline, run: &run, comparison: &comparison, app: &app };
        trial.tell(global, &project, &mut work, &rules)?;
    }
    let repair = args.repair && (!comparison.passes() || has_stale_steps(&work.store, &run)?);
    let repaired =
        repair.then(|| repair_tested(global, &project, &mut work, &baseline, &run, &app)).transpose()?;
    if args.repair && !repair {
        progress::note(
            global,
            "note: nothing to repair: every step is offered and answered as in the baseline",
        );
    }
    // Nothing is replayed from here on: others need not wait for the report.
    work.release_state()?;
    // What stays in restage's own folder goes nowhere.
    let for_others = args.formats.html.is_some() || args.formats.junit.is_some();
    let formats = ReportArgs {
        with_secrets: args.formats.with_secrets || !for_others,
        html: Some(args.formats.html.clone().unwrap_or_else(|| project.own_folder().join("report.html"))),
        ..args.formats.clone()
    };
    let pair = RunPair { expected: baseline, actual: run };
    present(global, &project, &work.store, &pair, (comparison, &rules), &formats, repaired.as_ref())
}

fn has_stale_steps(store: &Store, run: &Run) -> Result<bool, Failure> {
    Ok(store.steps(run.id)?.iter().any(|step| step.stale.is_some()))
}

/// The sessions that were tested, made valid on the version under test, as a suite of their own.
fn repair_tested(
    global: &Global,
    project: &Project,
    work: &mut restage_replay::Project,
    baseline: &Run,
    run: &Run,
    app: &AppSpec,
) -> Result<StoredRepair, Failure> {
    let suite = work.store.suite(run.suite)?;
    let into = format!("repaired-{}", run.name);
    let repairing = Repairing {
        suite: &suite,
        app,
        map: None,
        baseline: Some(baseline),
        most_tries: MOST_TRIES,
        name: format!("repair {into}"),
    };
    repairing.store(global, project, work, &into)
}

/// The baseline's suite on a version, and how that compares with the baseline.
pub(crate) struct Trial<'a> {
    pub(crate) baseline: &'a Run,
    /// A part of the baseline's suite; none for all of it.
    pub(crate) suite: Option<Suite>,
    pub(crate) app: &'a AppSpec,
    /// The run's name.
    pub(crate) name: String,
    pub(crate) policy: StatePolicy,
    pub(crate) order: Order,
    /// Which part of the suite; all of it where there is none.
    pub(crate) shard: Option<Shard>,
    /// Where its events are written.
    pub(crate) events: EventLog,
}

impl Trial<'_> {
    pub(crate) fn run(
        self,
        global: &Global,
        work: &mut restage_replay::Project,
        rules: &Rules,
    ) -> Result<(Comparison, Run), Failure> {
        let baseline = self.baseline;
        let run = self.replay(global, work)?;
        let comparison = judging::judge(global, &work.store, baseline, &run, rules)?;
        Ok((comparison, run))
    }

    fn replay(self, global: &Global, work: &mut restage_replay::Project) -> Result<Run, Failure> {
        let all = work.store.suite(self.baseline.suite)?;
        let suite = match self.suite {
            Some(part) => part_of(&all, part)?,
            None => all,
        };
        // As the baseline did: where all overlap, all are together.
        let groups = match self.order {
            Order::Overlap => Groups::default(),
            _ => Groups::of(&suite, work.store.groups_of_run(self.baseline.id)?),
        };
        let only = self.shard.map(|shard| shard.places(&suite, &groups));
        let replay = Replay {
            name: self.name,
            kind: RunKind::Replay,
            suite: &suite,
            app: self.app,
            policy: self.policy,
            reference: (self.policy == StatePolicy::Restore).then_some(self.baseline.id),
            order: self.order,
            groups,
            only,
            as_recorded: false,
        };
        let mut progress = RunProgress::new(global, "replaying", 0, self.events);
        let run = restage_replay::replay(work, &replay, &mut |event| progress.show(event))?;
        drop(progress);
        Ok(run)
    }
}

/// What was recorded since the baseline is not tested yet; say so.
fn tell_of_growth(global: &Global, project: &Project, store: &Store, suite: &Suite) -> Result<(), Failure> {
    let new = project.sessions_since(store, suite)?;
    if new > 0 {
        let text = format!(
            "note: {} recorded since the baseline, not tested yet\n  hint: `restage baseline` includes them",
            count(new, "session")
        );
        progress::note(global, text);
    }
    Ok(())
}
