//! `restage demo`: the whole story on the built-in bookstore, with nothing else installed.

use std::path::PathBuf;
use std::time::Instant;

use bookstore::{TOUR, TourStop};
use restage_judge::{VerdictSource, fidelity_of};
use restage_model::{Difference, Outcome as Judged, Place, RunEvent, StatePolicy, Verdict};
use restage_project::{BaselineAsked, RECORDED, make_baseline_with_groups};
use restage_replay::Order;
use restage_report::{Report, terminal, write_html};

use crate::args::{Global, WaitArgs};
use crate::commands::test::Trial;
use crate::demo::{Story, make_folder, record_shoppers};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::event_log::EventLog;
use crate::terminal::output::{self, count};
use crate::terminal::run_progress::RunProgress;

/// Show everything on a built-in bookstore: record, replay, find three faults, write a report
///
/// Needs nothing but this program. It creates a folder with a project that all other commands work on afterwards.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage demo --dir /tmp/bookstore-demo")]
pub(crate) struct Args {
    /// The folder to create; one from an earlier demo is replaced
    #[arg(long, value_name = "DIR", default_value = "restage-demo")]
    dir: PathBuf,
    /// How many shoppers visit the shop
    #[arg(long, value_name = "N", default_value_t = 40)]
    shoppers: usize,
    /// The seed of the shoppers' random choices
    #[arg(long, value_name = "N", default_value_t = 7)]
    seed: u64,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let begun = Instant::now();
    let folder = make_folder(&args.dir)?;
    let global = Global { project: Some(folder.clone()), store: None, ..global.clone() };
    let project = open_project::find(&global)?;
    let mut story = Story::new(&global);

    story.chapter("Record: shoppers visit a bookstore through the recorder");
    let tally = record_shoppers(&global, &project, args.shoppers, args.seed)?;
    story.tell(format!("{} shoppers: exchanges seen {}, stored {}", args.shoppers, tally.seen, tally.stored));
    let mut work = open_project::for_replay(&global, &project, WaitArgs::default())?;
    let suite = project.suite(&mut work.store, RECORDED)?;
    story.tell(format!(
        "{} with {}; images and style sheets are left out",
        count(suite.sessions.len(), "session"),
        count(suite.steps(), "request")
    ));

    story.chapter(
        "Baseline: replay the sessions twice on the trusted release, with a snapshot before each session",
    );
    let app = project.trusted_app(None)?;
    let mut progress = RunProgress::new(&global, "baseline, twice", suite.steps() * 2, EventLog::default());
    let rules = project.judging_rules(None)?;
    let name = "baseline".to_owned();
    let asked = BaselineAsked { name, suite: &suite, app: &app, order: Order::InTurn, shard: None };
    let mut show = |event: &RunEvent| progress.show(event);
    let (baseline, _) = make_baseline_with_groups(&project, &mut work, &asked, &rules, &mut show)?;
    let baseline = baseline.run;
    drop(progress);
    let fidelity = fidelity_of(&mut work.store, &baseline, &rules, project.conditions(&app, false))?;
    story.tell(format!("{} of {} answered as recorded", fidelity.as_recorded, count(fidelity.steps, "step")));
    story.tell(
        "what differs between the two (a date, a random recommendation, a token) is masked from now on"
            .to_owned(),
    );

    story.chapter("Test the same release: nothing may fail");
    let (under_test, with_faults) = (project.app(None)?, project.app(Some("faulty"))?);
    let trial = |app, name: &str| Trial {
        events: EventLog::default(),
        shard: None,
        baseline: &baseline,
        suite: None,
        app,
        name: name.to_owned(),
        policy: StatePolicy::Restore,
        order: Order::InTurn,
    };
    let clean = trial(&under_test, "clean").run(&global, &mut work, &rules)?;
    let clean_failing = clean.0.counts.all_failing();
    story.tell(format!(
        "{} replayed, the data after {} compared, {clean_failing} failing (parts of {} are masked)",
        count(clean.0.counts.steps, "step"),
        count(clean.0.counts.aftermaths, "session"),
        count(clean.0.counts.masked, "page"),
    ));

    story.chapter("Test a release with three faults");
    for TourStop { fault, .. } in TOUR {
        story.tell(format!("{} ({}): {}", fault.name(), fault.category(), fault.shows()));
    }
    let (faulty, run) = trial(&with_faults, "faulty").run(&global, &mut work, &rules)?;
    let verdicts = faulty.verdicts(&work.store, &rules);
    let report = Report::gather(&work.store, &baseline, &run, faulty.clone(), &verdicts)?;
    let path = folder.join("report.html");
    write_html(&report, &path)?;
    if !global.json {
        let mut out = Vec::new();
        terminal(&report, &mut out, output::colour(&global))?;
        output::line(&format!("\n{}\n", String::from_utf8_lossy(&out).trim_end()));
    }

    story.chapter("What was found");
    let found = pages_of(&verdicts)?;
    for (stop, page) in &found {
        let said = page.as_ref().map_or_else(|| "NOT found".to_owned(), |page| format!("found on {page}"));
        story.tell(format!("{:<24} {said}", stop.fault.name()));
    }
    if global.json {
        let faults: Vec<_> = found
            .iter()
            .map(|(stop, page)| serde_json::json!({ "fault": stop.fault.name(), "category": stop.fault.category().name(), "page": page }))
            .collect();
        output::json(&serde_json::json!({
            "project": folder,
            "seen": tally.seen,
            "stored": tally.stored,
            "sessions": suite.sessions.len(),
            "steps": suite.steps(),
            "clean_failing": clean_failing,
            "faulty_failing": faulty.counts.failing,
            "changes": faulty.changes.len(),
            "faults": faults,
            "report": path,
        }));
    }
    story.next(&path, &args.dir, begun);
    let well = clean_failing == 0 && found.iter().all(|(_, page)| page.is_some());
    Ok(if well { Outcome::Well } else { Outcome::Different })
}

/// The page that each fault was found on.
fn pages_of(verdicts: &dyn VerdictSource) -> Result<Vec<(TourStop, Option<String>)>, Failure> {
    let mut found: Vec<(TourStop, Option<String>)> = TOUR.iter().map(|stop| (*stop, None)).collect();
    verdicts.each_session(&mut |session| {
        for verdict in session.verdicts.iter().filter(|verdict| verdict.outcome == Judged::Fail) {
            for (stop, page) in found.iter_mut().filter(|(_, page)| page.is_none()) {
                *page = page_of(*stop, verdict);
            }
        }
    })?;
    Ok(found)
}

/// The page that a fault was found on: the key of a failing step there, or the page whose link led astray.
fn page_of(stop: TourStop, verdict: &Verdict) -> Option<String> {
    let page = format!(" on {}", stop.path);
    let leads_astray =
        |d: &&Difference| matches!(&d.place, Place::Address { via: Some(via) } if via.ends_with(&page));
    let astray = verdict.differences.iter().find(leads_astray);
    if let Some(difference) = astray {
        return Some(format!("GET {}: {}", stop.path, difference));
    }
    let path = verdict.key.as_str().split(' ').nth(1)?.split('?').next()?;
    (path == stop.path).then(|| verdict.key.to_string())
}
