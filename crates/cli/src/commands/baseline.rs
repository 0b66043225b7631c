//! `restage baseline`: the gold standard.

use std::collections::BTreeSet;

use restage_model::Shard;
use restage_replay::{Clock, make_baseline};

use crate::cli::Global;
use crate::clock::under;
use crate::failure::{Failure, Outcome};
use crate::judging;
use crate::manner::{JobsArgs, RestartArgs};
use crate::output::{self, count};
use crate::progress;
use crate::project::{Project, RECORDED};
use crate::refused::{Refused, refused};
use crate::shard;

/// How many masked parts of the state are named.
const SHOWN_PLACES: usize = 8;

/// Replay a suite on the trusted version, with a snapshot before each session
///
/// Replays it twice: in order from the state before the first recorded session, and once more from the
/// snapshots. A step whose two answers differ is noisy, and is judged later by what does not differ. The
/// application's state is put back as it was. --jobs is for the second time: in the first, the state runs on from session
/// to session.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage baseline")]
pub(crate) struct Args {
    /// What to replay
    #[arg(default_value = RECORDED)]
    suite: String,
    /// The trusted version: an [app.NAME] of restage.toml [default: [app.baseline], or else [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// What the app's clock shows: real, recorded (the recorded time of each step), fixed:2026-11-15T19:10:00Z (at the start of
    /// every session), shift:+3d [default: `clock` of [app], or else real]
    #[arg(long, value_name = "CLOCK")]
    clock: Option<Clock>,
    /// Check only a part of the sessions, 2/8 the second of eight: for a machine that will test only those
    #[arg(long, value_name = "N/M")]
    shard: Option<Shard>,
    /// The run's name [default: baseline-1, baseline-2, …]
    #[arg(long, value_name = "RUN")]
    into: Option<String>,
    #[command(flatten)]
    jobs: JobsArgs,
    #[command(flatten)]
    restart: RestartArgs,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    let app = under(args.clock, args.restart.apply(project.trusted_app(args.app.as_deref())?));
    let mut work = project.for_replay(global)?;
    let suite = project.suite(&mut work.store, &args.suite)?;
    let name = project.run_name(&work.store, args.into.as_deref(), "baseline")?;
    let checked = args.shard.map(|shard| shard.places(&suite));
    let bar = progress::bar(global, "baseline, twice", suite.steps() + shard::steps(&suite, args.shard));
    let (order, mut watch) = (args.jobs.order(), progress::watch(global, &bar));
    let baseline = make_baseline(&mut work, &name, &suite, &app, order, checked, &mut watch)?;
    drop(watch);
    bar.finish_and_clear();
    let rules = judging::rules(&project, None)?;
    let comparison = judging::judge(global, &work.store, &baseline.run, &baseline.check, &rules)?;
    let noisy: usize = comparison.weaker_oracles().iter().map(|(_, n)| n).sum();
    let blind = comparison
        .weaker_oracles()
        .iter()
        .find(|(o, _)| matches!(*o, "Flist" | "nothing"))
        .map_or(0, |(_, n)| *n);
    let masked = comparison.verdicts.iter().filter(|v| !v.masked.is_empty()).count();
    let varying: BTreeSet<&str> =
        comparison.aftermaths.iter().flat_map(|a| &a.masked).map(|m| m.place.as_str()).collect();
    let stale = comparison.verdicts.iter().filter(|v| v.stale.is_some()).count();
    let unanswered =
        work.store.steps(baseline.run.id)?.iter().filter(|s| s.answer.received().is_none()).count();
    let refused = refused(&work.store, baseline.run.id)?;
    if global.json {
        output::json(&serde_json::json!({
            "run": baseline.run.name,
            "check": baseline.check.name,
            "sessions": suite.sessions.len(),
            "steps": suite.steps(),
            "masked": masked,
            "noisy": noisy,
            "judged_by_flow_alone": blind,
            "stale": stale,
            "unanswered": unanswered,
            "refused": refused,
            "masked_state": varying,
        }));
        return Ok(Outcome::Well);
    }
    output::line(&format!(
        "{}: {} in {} on `{}`",
        baseline.run.name,
        count(suite.steps(), "step"),
        count(suite.sessions.len(), "session"),
        app.name
    ));
    if masked > 0 {
        output::line(&format!(
            "  masked, as they vary between two runs of the same version: parts of {}; `restage calibrate` finds out more",
            count(masked, "step")
        ));
    }
    if noisy > 0 {
        let by: Vec<String> =
            comparison.weaker_oracles().iter().map(|(o, n)| format!("{n} by {o}")).collect();
        output::line(&format!(
            "  noisy, as two runs of the same version differ: {}; judged by less than {}: {}",
            count(noisy, "step"),
            rules.oracle,
            by.join(", ")
        ));
    }
    if blind > 0 {
        output::line(&format!(
            "  of {}, only the status and the way through the pages can be judged",
            count(blind, "step")
        ));
        progress::note(
            global,
            "  hint: much noise in texts often means that [state] does not name all that the application keeps",
        );
    }
    if !varying.is_empty() {
        output::line(&format!(
            "  masked, as the state after a session varies: {}",
            listed(&varying.into_iter().collect::<Vec<_>>())
        ));
    }
    if stale > 0 {
        output::line(&format!(
            "  stale, as the live pages do not offer what was used: {}; `restage runs show {} --stale` lists them",
            count(stale, "step"),
            baseline.run.name
        ));
    }
    if !refused.is_empty() {
        let told: Vec<String> = refused.iter().map(Refused::told).collect();
        output::line(&format!(
            "  not answered as when they were recorded, with stand-ins for what users typed: {}",
            listed(&told.iter().map(String::as_str).collect::<Vec<_>>())
        ));
        progress::note(
            global,
            "  hint: an account that was there before needs its own password and address: list them in a file NAME=value, and name it in restage.toml: [redact] secrets = { file = \"…\" }",
        );
    }
    if unanswered > 0 {
        output::line(&format!(
            "  unanswered, also by the trusted version: {}; `restage runs show {}` tells why. Nothing can be told of them later",
            count(unanswered, "step"),
            baseline.run.name
        ));
    }
    progress::note(global, "next: change the application, then `restage test`");
    Ok(Outcome::Well)
}

/// The first few of a list, and how many more there are.
fn listed(all: &[&str]) -> String {
    let shown = all.iter().take(SHOWN_PLACES).copied().collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(SHOWN_PLACES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
