//! `restage sanitize`: secrets out of a store that was made without redaction, or with fewer rules.

use std::collections::BTreeMap;

use restage_capture::Redacting;
use restage_model::{ExchangeId, Suite};
use restage_replay::cover;
use restage_store::Store;

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::output::{self, count};
use crate::progress::{self, note};
use crate::project::{Project, RECORDED};
use crate::redaction;
use crate::scan::Secrets;

/// Replace the secrets of a store by stand-ins
///
/// For a store that was made before `[redact]` had its rules, or with `off = true`. Passwords, card numbers, e-mail addresses, authorizations, session ids and tokens in
/// recorded exchanges and in runs become values of the same shape, the same for the same value, and no byte of the old ones is left in the store. Snapshots are the application's
/// own data and stay as they are.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage sanitize --check && echo nothing secret here")]
pub(crate) struct Args {
    /// Change nothing; tell what would be replaced, and exit 1 where there is anything
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    let mut store = project.store()?;
    if args.check {
        return check(global, &project, &mut store);
    }
    let redacting = Redacting::new(project.recording_redactor()?, &store)?;
    let exchanges = store.exchanges_after(ExchangeId(0))?.len();
    let bar = progress::bar(global, "replacing secrets", exchanges * 2);
    // What a late exchange tells of is looked for in the earlier ones, too.
    let first = redacting.sweep(&mut store, ExchangeId(0), || bar.inc(1))?;
    let second = redacting.sweep(&mut store, ExchangeId(0), || bar.inc(1))?;
    bar.finish_and_clear();
    let steps = sanitize_runs(&mut store, &redacting)?;
    let kinds = redaction::counts(&redacting);
    if !kinds.is_empty() {
        store.forget_unused()?;
    }
    store.compact()?;
    report(global, first.max(second), steps, &kinds);
    Ok(Outcome::Well)
}

/// Covers what replays sent and got; how many steps had anything.
fn sanitize_runs(store: &mut Store, redacting: &Redacting) -> Result<u64, Failure> {
    let mut redactor = redacting.redactor();
    redactor.sanitize_runs_from_now_on();
    let mut changed_steps = 0;
    for run in store.runs()? {
        let mut changed = Vec::new();
        for mut step in store.replayed_steps(run.id)? {
            if cover(&mut redactor, &mut step) {
                changed.push(step);
            }
        }
        let mut logs = Vec::new();
        for session in store.run_sessions(run.id)? {
            let Some(log) = session.log else { continue };
            if let Some(covered) = redactor.redact_text(&String::from_utf8_lossy(&store.body(&log)?)) {
                logs.push((session.ordinal, covered));
            }
        }
        store.add_stand_ins(&redactor.take_fresh())?;
        store.rewrite_steps(run.id, &changed)?;
        for (ordinal, log) in logs {
            store.rewrite_log(run.id, ordinal, log.as_bytes())?;
        }
        changed_steps += changed.len() as u64;
    }
    Ok(changed_steps)
}

fn check(global: &Global, project: &Project, store: &mut Store) -> Result<Outcome, Failure> {
    let suite: Suite = project.suite(store, RECORDED)?;
    let runs = store.runs()?;
    let mut secrets = Secrets::of_suite(project, store, &suite)?;
    secrets.add_runs(project, store, &runs.iter().collect::<Vec<_>>())?;
    let places = secrets.places();
    if global.json {
        output::json(&serde_json::json!({ "secrets": places }));
    } else {
        for place in places {
            output::line(place);
        }
        note(global, format!("{} that no stand-in has replaced", count(places.len(), "place")));
    }
    Ok(if places.is_empty() { Outcome::Well } else { Outcome::Different })
}

fn report(global: &Global, exchanges: u64, steps: u64, kinds: &BTreeMap<String, u64>) {
    if global.json {
        return output::json(
            &serde_json::json!({ "exchanges": exchanges, "steps": steps, "redacted": kinds }),
        );
    }
    output::line(&format!(
        "{} and {} of runs had secrets",
        count(exchanges as usize, "exchange"),
        count(steps as usize, "step")
    ));
    if let Some(told) = redaction::told(kinds) {
        output::line(&told);
    }
    if exchanges > 0 {
        note(global, "next: make the baseline anew with `restage baseline`: replays now send the stand-ins");
    }
}
