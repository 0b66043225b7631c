//! `restage baseline`: the gold standard.

use restage_judge::fidelity_of;
use restage_model::{Groups, RunEvent, Shard};
use restage_project::{BaselineAsked, RECORDED, make_baseline_with_groups, shard_steps};

use crate::args::{AppArgs, EventArgs, FactsArgs, Global, JobsArgs, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::baseline::BaselineSummary;
use crate::terminal::judging;
use crate::terminal::run_progress::RunProgress;

/// Replay a suite on the trusted version: its answers are what later versions are compared with
///
/// The suite is replayed twice. The first time, sessions run in order, from the state before the first recorded session, with
/// a snapshot before each session. The second time, each session starts from its snapshot; what differs between the two is
/// noise, and is masked in later comparisons. Where sessions met, both are done again with these replayed together, request by request
/// as recorded. The application's data is then restored. --jobs applies to the second time.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage baseline")]
pub(crate) struct Args {
    /// The suite to replay
    #[arg(default_value = RECORDED)]
    suite: String,
    /// The trusted version: an [app.NAME] in restage.toml [default: [app.baseline], else [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// Check only one part of the sessions (2/8: the second of eight), on a machine that tests only that part
    #[arg(long, value_name = "N/M")]
    shard: Option<Shard>,
    /// The run's name [default: baseline-1, baseline-2, …]
    #[arg(long, value_name = "RUN")]
    into: Option<String>,
    #[command(flatten)]
    jobs: JobsArgs,
    #[command(flatten)]
    app_args: AppArgs,
    #[command(flatten)]
    facts: FactsArgs,
    #[command(flatten)]
    events: EventArgs,
    #[command(flatten)]
    wait: WaitArgs,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let app = args.app_args.apply(project.trusted_app(args.app.as_deref())?);
    let mut work = open_project::for_replay(global, &project, args.wait)?;
    args.facts.apply(&project, &mut work);
    // What was recorded by an older restage was not looked through yet.
    project.learn_page_parameters(&mut work.store)?;
    let suite = project.suite(&mut work.store, &args.suite)?;
    let name = project.run_name(&work.store, args.into.as_deref(), "baseline")?;
    let rules = project.judging_rules(None)?;
    let steps = suite.steps() + shard_steps(&suite, &Groups::default(), args.shard);
    let mut progress = RunProgress::new(global, "baseline, twice", steps, args.events.open()?);
    let mut events = |event: &RunEvent| progress.show(event);
    let (order, shard) = (args.jobs.order(), args.shard);
    let asked = BaselineAsked { name, suite: &suite, app: &app, order, shard };
    let (baseline, groups) = make_baseline_with_groups(&project, &mut work, &asked, &rules, &mut events)?;
    drop(progress);
    work.release_state()?;
    let comparison = judging::judge(global, &work.store, &baseline.run, &baseline.check, &rules)?;
    let fidelity = fidelity_of(&mut work.store, &baseline.run, &rules, project.conditions(&app, false))?;
    let summary = BaselineSummary::of(&work.store, (&baseline, groups), &comparison, &rules, fidelity)?;
    summary.print(global, &suite, &app.name);
    Ok(Outcome::Well)
}
