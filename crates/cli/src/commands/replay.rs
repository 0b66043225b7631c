//! `restage replay`: a suite on an app.

use restage_judge::{LiveCount, fidelity_of};
use restage_model::{Groups, RunKind, Shard, StatePolicy};
use restage_project::{Augmented, RECORDED, Selection, check_shard};
use restage_replay::{Order, Replay};

use crate::args::{AppArgs, EventArgs, FactsArgs, Global, OrderArgs, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::output::{self, count};
use crate::terminal::progress::note;
use crate::terminal::run_progress::RunProgress;
use crate::terminal::{fidelity, groups, live_values};

/// Replay a suite on an app, and store the run
///
/// Afterwards the application's data is restored, unless you say --state keep.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage replay recorded --state fresh --into trial")]
pub(crate) struct Args {
    /// The suite to replay
    #[arg(default_value = RECORDED)]
    suite: String,
    /// The version: an [app.NAME] in restage.toml [default: [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// The application's data before each session: restore (the session's snapshot), initial (the initial snapshot, once at
    /// the start), fresh (the initial snapshot before each session), augment (as initial, and also replays the sessions that
    /// these need), keep (left as it is) [default: restore if the suite has a baseline, else initial; initial with --overlap]
    #[arg(long, value_name = "POLICY")]
    state: Option<StatePolicy>,
    /// Replay only these sessions: s2,s7
    #[arg(long, value_name = "SESSION", value_delimiter = ',')]
    only: Vec<String>,
    /// Replay only one part of the sessions: 2/8 is the second of eight parts of about equal size
    #[arg(long, value_name = "N/M")]
    shard: Option<Shard>,
    /// The run's name [default: replay-1, replay-2, …; for a shard replay-1.2-of-8]
    #[arg(long, value_name = "RUN")]
    into: Option<String>,
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
    /// Print each value taken from the live application: what it replaced, where it came from and why
    #[arg(long, conflicts_with = "as_recorded")]
    explain: bool,
    /// Send every request exactly as recorded, with its cookies, tokens and addresses
    #[arg(long)]
    as_recorded: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let app = args.app_args.apply(project.app(args.app.as_deref())?);
    let mut work = open_project::for_replay(global, &project, args.wait)?;
    args.facts.apply(&project, &mut work);
    let suite = project.suite(&mut work.store, &args.suite)?;
    let name = project.shard_run_name(&work.store, args.into.as_deref(), "replay", args.shard)?;
    let baseline = project.newest_baseline(&work.store)?.filter(|b| b.suite == suite.id);
    let usual = if baseline.is_some() { StatePolicy::Restore } else { StatePolicy::Initial };
    let policy = args.state.unwrap_or(args.order.policy(usual));
    let reference = baseline.as_ref().filter(|_| policy == StatePolicy::Restore).map(|b| b.id);
    check_shard(args.shard, args.order.order(), policy)?;
    let overlap = args.order.order() == Order::Overlap;
    let groups = match &baseline {
        _ if overlap => Groups::default(),
        Some(baseline) => project.groups_of_run(&work.store, baseline)?,
        None => project.groups_of_suite(&work.store, &suite)?,
    };
    let mut selection = Selection::of(suite, &args.only, args.shard, groups)?;
    let Augmented { added, gaps } = match policy {
        StatePolicy::Augment => selection.augment(&project, &work.store)?,
        _ => Augmented { added: Vec::new(), gaps: Vec::new() },
    };
    for gap in &gaps {
        note(global, format!("note: {gap}"));
    }
    if !selection.met.is_empty() {
        groups::tell_of_met(global, &selection.met);
    }
    let Selection { suite, places, groups, met } = selection;
    let replay = Replay {
        name,
        kind: RunKind::Replay,
        suite: &suite,
        app: &app,
        policy,
        reference,
        order: args.order.order(),
        groups,
        only: places,
        as_recorded: args.as_recorded,
    };
    let mut progress = RunProgress::new(global, "replaying", 0, args.events.open()?);
    let run = restage_replay::replay(&mut work, &replay, &mut |event| progress.show(event))?;
    drop(progress);
    work.release_state()?;
    let rules = project.judging_rules(None)?;
    let conditions = project.conditions(&app, overlap);
    let measure = fidelity_of(&mut work.store, &run, &rules, conditions)?;
    let met_in_run = Groups::of(&suite, work.store.groups_of_run(run.id)?);
    let steps = work.store.steps(run.id)?;
    let unanswered = steps.iter().filter(|s| s.answer.received().is_none()).count();
    let stale = steps.iter().filter(|s| s.stale.is_some()).count();
    let live = steps.iter().filter(|s| !s.substitutions.is_empty()).count();
    let sessions = work.store.run_sessions(run.id)?;
    let explained = if args.explain { live_values::explained(&sessions, &steps) } else { Vec::new() };
    if global.json {
        output::json(&serde_json::json!({
            "run": run,
            "sessions": sessions.len(),
            "added": added,
            "met": met,
            "groups": met_in_run,
            "unknown_needs": gaps,
            "steps": steps.len(),
            "unanswered": unanswered,
            "stale": stale,
            "with_live_values": live,
            "live": LiveCount::of(&sessions, &steps, &measure),
            "fidelity": measure,
            "explained": args.explain.then_some(&explained),
        }));
        return Ok(Outcome::Well);
    }
    output::line(&format!(
        "{}: {} in {} on `{}`, state {policy}; {live} with live values, {stale} stale, {unanswered} unanswered",
        run.name,
        count(steps.len(), "step"),
        count(sessions.len(), "session"),
        app.name
    ));
    groups::print(&met_in_run);
    fidelity::print(&measure);
    if !added.is_empty() {
        output::line(&format!(
            "  added, because others need them: {} (`restage sessions needs` says why)",
            added.join(", ")
        ));
    }
    live_values::print(&explained);
    Ok(Outcome::Well)
}
