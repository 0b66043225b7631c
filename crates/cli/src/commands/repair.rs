//! `restage repair`: sessions of the old version made valid on the new one.

use restage_project::RECORDED;

use crate::args::{AppArgs, Global, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::repairing::Repairing;
use crate::terminal::new_suites::repaired::tell_repaired;

/// Make sessions of the old version valid on the new one
///
/// Each session is tried on the new version step by step. Where a step does not come out as it did, another way is looked for: the form or
/// link under another name or on another page, a way of the new version's map, a page that was put in between, values for parameters
/// that are new. What is kept was sent to the new version just so, and answered as intended. Sessions that are valid stay as they are;
/// all others say what was changed, and why. What users had and is no longer there is listed for review. The application's data is
/// left as it was.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage repair recorded --into repaired
  restage repair recorded --into repaired --dry-run
  restage repair small --into small-2 --app next --map map.json --json")]
pub(crate) struct Args {
    /// The suite to repair
    suite: String,
    /// The new suite's name
    #[arg(long, value_name = "NAME")]
    into: String,
    /// The new version: an [app.NAME] in restage.toml [default: [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// The new version's map: its name in the store, or a file as `restage map --json` writes it [default: the newest map of that
    /// version, else the version is mapped first]
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
    /// A baseline of the old version: what it answered counts, and the data before each session is its [default: the newest that has
    /// these sessions, else what was recorded counts, and sessions follow each other from the initial state]
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
    /// Store nothing; only say what would be repaired
    #[arg(long)]
    dry_run: bool,
    /// How much is tried for each session at the most
    #[arg(long, value_name = "N", default_value_t = MOST_TRIES)]
    max_tries: usize,
    #[command(flatten)]
    app_args: AppArgs,
    #[command(flatten)]
    wait: WaitArgs,
}

/// How much is tried for each session, where nobody says otherwise.
pub(crate) const MOST_TRIES: usize = 200;

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    if args.into == RECORDED || args.into == args.suite {
        return Err(Failure::user(format!(
            "--into {}: this suite cannot be overwritten\n  hint: give the new suite a name of its own",
            args.into
        )));
    }
    let app = args.app_args.apply(project.app(args.app.as_deref())?);
    let mut work = open_project::for_replay(global, &project, args.wait)?;
    let suite = project.suite(&mut work.store, &args.suite)?;
    let baseline = match &args.baseline {
        Some(name) => Some(project.run(&work.store, name)?),
        None => project.baseline_with(&work.store, &suite, |_| Ok(true))?,
    };
    let repairing = Repairing {
        suite: &suite,
        app: &app,
        map: args.map.as_deref(),
        baseline: baseline.as_ref(),
        most_tries: args.max_tries,
        name: format!("repair {}", args.into),
    };
    let repaired = if args.dry_run {
        repairing.try_out(global, &project, &mut work, &args.into)?
    } else {
        repairing.store(global, &project, &mut work, &args.into)?
    };
    work.release_state()?;
    tell_repaired(global, &repaired);
    Ok(Outcome::Well)
}
