//! `restage sanitize`: secrets out of a store that was made without redaction, or with fewer rules.

use indicatif::ProgressBar;
use restage_model::Suite;
use restage_project::{Project, RECORDED, Sanitized, Secrets, SweepProgress, sanitize};
use restage_store::Store;

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::output::{self, count};
use crate::terminal::progress::{self, note};
use crate::terminal::redacted;

/// Replace secrets in an existing store by stand-ins
///
/// For a store that was recorded with other rules in [redact], or with `off = true`. Passwords, card numbers, e-mail addresses,
/// authorizations, session ids and tokens in recordings and runs are replaced by values of the same shape, equal ones by equal
/// ones. Nothing of the old values is left in the store. Snapshots are the application's own data and stay as they are.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage sanitize --check && echo nothing secret here")]
pub(crate) struct Args {
    /// Change nothing; list what would be replaced, and exit 1 if there is anything
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let mut store = project.store()?;
    if args.check {
        return check(global, &project, &mut store);
    }
    let mut bar = ProgressBar::hidden();
    let sanitized = sanitize(&project, &mut store, |progress| match progress {
        SweepProgress::Begins { exchanges } => bar = progress::bar(global, "replacing secrets", exchanges),
        SweepProgress::Exchange => bar.inc(1),
    })?;
    bar.finish_and_clear();
    report(global, &sanitized);
    Ok(Outcome::Well)
}

fn check(global: &Global, project: &Project, store: &mut Store) -> Result<Outcome, Failure> {
    let suite: Suite = project.suite(store, RECORDED)?;
    let runs = store.runs()?;
    let mut secrets = Secrets::of_suite(project, store, &suite)?;
    secrets.add_made(project, store)?;
    secrets.add_runs(project, store, &runs.iter().collect::<Vec<_>>())?;
    let places = secrets.places();
    if global.json {
        output::json(&serde_json::json!({ "secrets": places }));
    } else {
        for place in places {
            output::line(place);
        }
        note(global, format!("{} with secrets that no stand-in replaces", count(places.len(), "place")));
    }
    Ok(if places.is_empty() { Outcome::Well } else { Outcome::Different })
}

fn report(global: &Global, Sanitized { exchanges, steps, secrets }: &Sanitized) {
    if global.json {
        return output::json(
            &serde_json::json!({ "exchanges": exchanges, "steps": steps, "redacted": secrets }),
        );
    }
    output::line(&format!(
        "secrets replaced in {} and in {} of runs",
        count(*exchanges as usize, "exchange"),
        count(*steps as usize, "step")
    ));
    if let Some(told) = redacted::in_words(secrets) {
        output::line(&told);
    }
    if *exchanges > 0 {
        note(
            global,
            "next: make a new baseline with `restage baseline`, since replays now send the stand-ins",
        );
    }
}
