//! `restage regenerate`: new sessions of recorded ones, so that what one defines another one uses.

use std::time::Duration;

use clap::ValueEnum;
use restage_project::RECORDED;
use restage_regenerate::Choice;

use crate::args::{AppArgs, EventArgs, Global, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::regenerating::{Regenerating, Way};
use crate::terminal::new_suites::regenerated::tell_regenerated;

/// Make new sessions of recorded ones: what one session defines on the server, a request of another one uses
///
/// A session is cut after a request that defines something: a variable of the user's session, or rows of a table. Then comes a request
/// that uses it, taken from any session, and sent by the browser that defined. Pairs of a definition and a use that the suite covers are
/// left out. New sessions are run at once on the trusted version: their errors are reported, those whose pair came about or that show
/// a new error are kept as a suite, and that gets a baseline. What the server does is told by probes, as with --facts; a baseline of
/// the suite with facts is made where there is none. The application's data is restored afterwards.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage regenerate recorded --by du --into du
  restage regenerate recorded --by vadu --into vadu --max-requests 2000 --rounds 3
  restage regenerate recorded --by vadu --dry-run")]
pub(crate) struct Args {
    /// The suite whose sessions are put together anew
    suite: String,
    /// Which pairs: du (each place that defines, with each place that uses), vadu (each value of a session variable, and each
    /// statement that alters a table, with each use), random (as many sequences as du makes, drawn at random, to compare with)
    #[arg(long, value_name = "WAY")]
    by: By,
    /// The new suite's name
    #[arg(long, value_name = "NAME", required_unless_present = "dry_run")]
    into: Option<String>,
    /// The trusted version: an [app.NAME] in restage.toml [default: [app.baseline], else [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// A run of the suite with facts [default: the newest baseline that has some, else one is made]
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
    /// Go on from what new sessions define and use, so many times at the most, until nothing is gained
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: usize,
    /// With vadu and --rounds: go on from what defines to more of its kind, up to three, before it is used: three loans
    #[arg(long)]
    chains: bool,
    /// Send so many requests of new sessions at the most, in all rounds; what promises most comes first [default: any number]
    #[arg(long, value_name = "N")]
    max_requests: Option<usize>,
    /// Begin no more new sessions after so long [default: any time]
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    max_time: Option<Duration>,
    /// With random: draw with this seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only say which sequences would be made
    #[arg(long)]
    dry_run: bool,
    /// For the study: run new sessions and tell what came of them, and make no suite
    #[arg(long, hide = true)]
    only_tell: bool,
    /// For the study: put steps together whatever rows they are about
    #[arg(long, hide = true)]
    ignore_rows: bool,
    /// For the study: plan pairs as well that the suite covers
    #[arg(long, hide = true)]
    plan_covered: bool,
    #[command(flatten)]
    app_args: AppArgs,
    #[command(flatten)]
    events: EventArgs,
    #[command(flatten)]
    wait: WaitArgs,
}

/// The ways, as they are typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    Du,
    Vadu,
    Random,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    if args.chains && !matches!(args.by, By::Vadu) {
        return Err(Failure::user(
            "--chains is of --by vadu: the other ways look at places, not at how often something was defined"
                .to_owned(),
        ));
    }
    let project = open_project::find(global)?;
    let app = args.app_args.apply(project.trusted_app(args.app.as_deref())?);
    let mut work = open_project::for_replay(global, &project, args.wait)?;
    let into = args.into.as_deref().unwrap_or_default();
    if into == RECORDED || !args.dry_run && work.store.suite_named(into)?.is_some() {
        return Err(Failure::user(format!(
            "there is a suite called `{into}` already\n  hint: choose another name with --into"
        )));
    }
    project.learn_page_parameters(&mut work.store)?;
    let suite = project.suite(&mut work.store, &args.suite)?;
    let mut regenerating = Regenerating {
        global,
        project: &project,
        suite: &suite,
        app: &app,
        way: match args.by {
            By::Du => Way::Du,
            By::Vadu => Way::Vadu { chains: args.chains },
            By::Random => Way::Random { seed: args.seed },
        },
        baseline: args.baseline.as_deref(),
        rounds: args.rounds.max(1),
        max_requests: args.max_requests,
        max_time: args.max_time,
        choice: Choice { by_rows: !args.ignore_rows, skip_covered: !args.plan_covered },
        only_tell: args.only_tell,
        events: Some(args.events.open()?),
    };
    let regenerated =
        if args.dry_run { regenerating.dry_run(&mut work)? } else { regenerating.run(&mut work, into)? };
    work.release_state()?;
    tell_regenerated(global, &regenerated);
    Ok(Outcome::Well)
}
