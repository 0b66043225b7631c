//! `restage replay`: a suite on an app.

use restage_model::{RunKind, Shard, StatePolicy};
use restage_replay::{Clock, Replay};

use crate::cli::Global;
use crate::clock::under;
use crate::failure::{Failure, Outcome};
use crate::manner::{OrderArgs, RestartArgs};
use crate::output::{self, count};
use crate::progress;
use crate::project::{Project, RECORDED};
use crate::shard;

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
    /// suite has a baseline, else initial; initial with --overlap]
    #[arg(long, value_name = "POLICY")]
    state: Option<StatePolicy>,
    /// What the app's clock shows: real, recorded (the recorded time of each step), fixed:2026-11-15T19:10:00Z (at the start of
    /// every session), shift:+3d [default: `clock` of [app], or else real]
    #[arg(long, value_name = "CLOCK")]
    clock: Option<Clock>,
    /// Only a part of the sessions: 2/8 is the second of eight parts, of about as many steps each
    #[arg(long, value_name = "N/M")]
    shard: Option<Shard>,
    /// The run's name [default: replay-1, replay-2, …; of a shard replay-1.2-of-8]
    #[arg(long, value_name = "RUN")]
    into: Option<String>,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    restart: RestartArgs,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    let app = under(args.clock, args.restart.apply(project.app(args.app.as_deref())?));
    let mut work = project.for_replay(global)?;
    let suite = project.suite(&mut work.store, &args.suite)?;
    let name = shard::run_name(&project, &work.store, args.into.as_deref(), "replay", args.shard)?;
    let baseline = project.newest_baseline(&work.store)?.filter(|b| b.suite == suite.id);
    let usual = if baseline.is_some() { StatePolicy::Restore } else { StatePolicy::Initial };
    let policy = args.state.unwrap_or(args.order.policy(usual));
    let reference = baseline.filter(|_| policy == StatePolicy::Restore).map(|b| b.id);
    shard::refuse_without_restoring(args.shard, policy)?;
    let replay = Replay {
        name,
        kind: RunKind::Replay,
        suite: &suite,
        app: &app,
        policy,
        reference,
        order: args.order.order(),
        shard: args.shard,
        as_recorded: false,
    };
    let bar = progress::bar(global, "replaying", shard::steps(&suite, args.shard));
    let run = restage_replay::replay(&mut work, &replay, &mut progress::watch(global, &bar))?;
    bar.finish_and_clear();
    let steps = work.store.steps(run.id)?;
    let unanswered = steps.iter().filter(|s| s.answer.received().is_none()).count();
    let sessions = work.store.run_sessions(run.id)?.len();
    let stale = steps.iter().filter(|s| s.stale.is_some()).count();
    let live = steps.iter().filter(|s| !s.substitutions.is_empty()).count();
    if global.json {
        output::json(&serde_json::json!({
            "run": run,
            "sessions": sessions,
            "steps": steps.len(),
            "unanswered": unanswered,
            "stale": stale,
            "with_live_values": live,
        }));
        return Ok(Outcome::Well);
    }
    output::line(&format!(
        "{}: {} in {} on `{}`, state {policy}; {live} with live values, {stale} stale, {unanswered} unanswered",
        run.name,
        count(steps.len(), "step"),
        count(sessions, "session"),
        app.name
    ));
    Ok(Outcome::Well)
}
