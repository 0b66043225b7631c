//! `restage baseline`: the gold standard.

use std::collections::BTreeSet;

use restage_judge::VerdictSource;
use restage_model::Shard;
use restage_project::{RECORDED, RefusedStep, refused_steps, shard_steps};
use restage_replay::make_baseline;

use crate::args::Global;
use crate::args::{AppArgs, JobsArgs};
use crate::failure::{Failure, Outcome};
use crate::judging;
use crate::open_project;
use crate::terminal::output::{self, count};
use crate::terminal::progress;

/// How many masked parts of the state are named.
const SHOWN_PLACES: usize = 8;

/// Replay a suite on the trusted version: its answers are what later versions are compared with
///
/// The suite is replayed twice. The first time, sessions run in order, from the state before the first recorded session, with
/// a snapshot before each session. The second time, each session starts from its snapshot; what differs between the two is
/// noise, and is masked in later comparisons. The application's data is then restored. --jobs applies to the second time.
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
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let app = args.app_args.apply(project.trusted_app(args.app.as_deref())?);
    let mut work = open_project::for_replay(global, &project)?;
    let suite = project.suite(&mut work.store, &args.suite)?;
    let name = project.run_name(&work.store, args.into.as_deref(), "baseline")?;
    let checked = args.shard.map(|shard| shard.places(&suite));
    let bar = progress::bar(global, "baseline, twice", suite.steps() + shard_steps(&suite, args.shard));
    let (order, mut watch) = (args.jobs.order(), progress::watch(global, &bar));
    let baseline = make_baseline(&mut work, &name, &suite, &app, order, checked, &mut watch)?;
    drop(watch);
    bar.finish_and_clear();
    let rules = judging::rules(&project, None)?;
    let comparison = judging::judge(global, &work.store, &baseline.run, &baseline.check, &rules)?;
    let noisy: usize = comparison.weaker_oracles.iter().map(|(_, n)| n).sum();
    let blind = comparison
        .weaker_oracles
        .iter()
        .find(|(o, _)| matches!(o.as_str(), "Flist" | "nothing"))
        .map_or(0, |(_, n)| *n);
    let masked = comparison.counts.masked;
    let (mut varying, mut stale) = (BTreeSet::new(), 0);
    comparison.verdicts(&work.store, &rules).each_session(&mut |session| {
        stale += session.verdicts.iter().filter(|v| v.stale.is_some()).count();
        varying.extend(session.aftermath.into_iter().flat_map(|a| a.masked).map(|m| m.place));
    })?;
    let unanswered = work.store.unanswered_count(baseline.run.id)?;
    let refused = refused_steps(&work.store, baseline.run.id)?;
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
            "  masked, because they vary between two runs of the same version: parts of {}; `restage calibrate` learns more",
            count(masked, "step")
        ));
    }
    if noisy > 0 {
        let by: Vec<String> = comparison.weaker_oracles.iter().map(|(o, n)| format!("{n} by {o}")).collect();
        output::line(&format!(
            "  noisy, because two runs of the same version differ: {}; judged by a weaker oracle than {}: {}",
            count(noisy, "step"),
            rules.oracle,
            by.join(", ")
        ));
    }
    if blind > 0 {
        output::line(&format!("  judged only by status and redirects: {}", count(blind, "step")));
        progress::note(
            global,
            "  hint: this much noise often means that [state] does not list all that the application keeps",
        );
    }
    if !varying.is_empty() {
        output::line(&format!(
            "  masked, because the state after a session varies: {}",
            listed(&varying.iter().map(String::as_str).collect::<Vec<_>>())
        ));
    }
    if stale > 0 {
        output::line(&format!(
            "  stale, because the live pages do not offer what was used: {}; `restage runs show {} --stale` lists them",
            count(stale, "step"),
            baseline.run.name
        ));
    }
    if !refused.is_empty() {
        let told: Vec<String> = refused.iter().map(RefusedStep::place).collect();
        output::line(&format!(
            "  answered differently than when recorded, because stand-ins were sent for secrets: {}",
            listed(&told.iter().map(String::as_str).collect::<Vec<_>>())
        ));
        progress::note(
            global,
            "  hint: accounts that existed before the recording need their real passwords: write them to a file, one NAME=value a line, and name it in restage.toml: [redact] secrets = { file = \"…\" }",
        );
    }
    if unanswered > 0 {
        output::line(&format!(
            "  unanswered by the trusted version: {}, which cannot be tested; `restage runs show {}` says why",
            count(unanswered, "step"),
            baseline.run.name
        ));
    }
    progress::note(global, "next: change the application, then run `restage test`");
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
