//! `restage replay`: a suite on an app.

use restage_model::{RunKind, StatePolicy};
use restage_replay::Replay;

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::live_values::{self, LiveCount};
use crate::output::{self, count};
use crate::progress;
use crate::project::{Project, RECORDED};

/// Replay a suite on an app, and store the run
///
/// The application's state is put back as it was when the replay is over (but under `--state keep`).
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage replay recorded --state fresh --into trial")]
pub(crate) struct Args {
    /// What to replay
    #[arg(default_value = RECORDED)]
    suite: String,
    /// The version: an [app.NAME] of restage.toml [default: [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// What happens to the state between sessions: restore (as it was before each), initial (once, at the
    /// start), fresh (the initial state before each), keep (nothing is touched) [default: restore where the
    /// suite has a baseline, else initial]
    #[arg(long, value_name = "POLICY")]
    state: Option<StatePolicy>,
    /// The run's name [default: replay-1, replay-2, …]
    #[arg(long, value_name = "RUN")]
    into: Option<String>,
    /// Print each value that was taken from the live application: what was sent in place of what, where it came from
    /// and why
    #[arg(long, conflicts_with = "as_recorded")]
    explain: bool,
    /// Send every request as it was recorded, with its cookies, tokens and addresses: for comparison
    #[arg(long)]
    as_recorded: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    let app = project.app(args.app.as_deref())?;
    let mut work = project.for_replay(global)?;
    let suite = project.suite(&mut work.store, &args.suite)?;
    let name = project.run_name(&work.store, args.into.as_deref(), "replay")?;
    let baseline = project.newest_baseline(&work.store)?.filter(|b| b.suite == suite.id);
    let policy =
        args.state.unwrap_or(if baseline.is_some() { StatePolicy::Restore } else { StatePolicy::Initial });
    let reference = baseline.filter(|_| policy == StatePolicy::Restore).map(|b| b.id);
    let replay = Replay {
        name,
        kind: RunKind::Replay,
        suite: &suite,
        app: &app,
        policy,
        reference,
        as_recorded: args.as_recorded,
    };
    let bar = progress::bar(global, "replaying", suite.steps());
    let run = restage_replay::replay(&mut work, &replay, &mut progress::on_tick(&bar))?;
    bar.finish_and_clear();
    let steps = work.store.steps(run.id)?;
    let unanswered = steps.iter().filter(|s| s.answer.received().is_none()).count();
    let stale = steps.iter().filter(|s| s.stale.is_some()).count();
    let live = steps.iter().filter(|s| !s.substitutions.is_empty()).count();
    let sessions = work.store.run_sessions(run.id)?;
    let explained = if args.explain { live_values::explained(&sessions, &steps) } else { Vec::new() };
    if global.json {
        output::json(&serde_json::json!({
            "run": run,
            "sessions": suite.sessions.len(),
            "steps": steps.len(),
            "unanswered": unanswered,
            "stale": stale,
            "with_live_values": live,
            "live": LiveCount::of(&work.store, &steps)?,
            "explained": args.explain.then_some(&explained),
        }));
        return Ok(Outcome::Well);
    }
    output::line(&format!(
        "{}: {} in {} on `{}`, state {policy}; {live} with live values, {stale} stale, {unanswered} unanswered",
        run.name,
        count(steps.len(), "step"),
        count(suite.sessions.len(), "session"),
        app.name
    ));
    live_values::print(&explained);
    Ok(Outcome::Well)
}
