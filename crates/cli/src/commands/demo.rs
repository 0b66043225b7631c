//! `restage demo`: the whole story on the built-in bookstore, with nothing else installed.

use std::path::{Path, PathBuf};
use std::time::Instant;

use bookstore::{TOUR, TourStop};
use restage_capture::{Recorder, RecorderSettings, RedactingStore, Tally};
use restage_model::{Comparison, ExchangeId, StatePolicy};
use restage_project::{Project, RECORDED, SETTINGS_FILE};
use restage_replay::{App, INITIAL, Order, make_baseline};
use restage_report::{Report, terminal, write_html};
use restage_store::Store;
use url::Url;

use crate::args::Global;
use crate::commands::test::Trial;
use crate::failure::{Failure, Outcome};
use crate::judging;
use crate::open_project;
use crate::terminal::output::{self, count};
use crate::terminal::progress;
use crate::terminal::redacted;

/// Marks a folder as a demo's, which the next demo may replace.
const MARK: &str = "made-by-restage-demo";

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
    /// What the shoppers' choices are drawn from
    #[arg(long, value_name = "N", default_value_t = 7)]
    seed: u64,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let begun = Instant::now();
    let folder = make_folder(&args.dir)?;
    let global = Global { project: Some(folder.clone()), store: None, ..global.clone() };
    let project = open_project::find(&global)?;
    let mut story = Story { global: &global, chapter: 0 };

    story.chapter("Record: shoppers visit a bookstore through the recorder");
    let tally = record(&global, &project, args)?;
    story.tell(format!("{} shoppers: exchanges seen {}, stored {}", args.shoppers, tally.seen, tally.stored));
    let mut work = open_project::for_replay(&global, &project)?;
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
    let bar = progress::bar(&global, "baseline, twice", suite.steps() * 2);
    let baseline = make_baseline(
        &mut work,
        "baseline",
        &suite,
        &app,
        Order::InTurn,
        None,
        &mut progress::on_tick(&bar),
    )?
    .run;
    bar.finish_and_clear();
    story.tell(
        "what differs between the two (a date, a random recommendation, a token) is masked from now on"
            .to_owned(),
    );

    story.chapter("Test the same release: nothing may fail");
    let rules = judging::rules(&project, None)?;
    let (under_test, with_faults) = (project.app(None)?, project.app(Some("faulty"))?);
    let trial = |app, name: &str| Trial {
        shard: None,
        baseline: &baseline,
        suite: None,
        app,
        name: name.to_owned(),
        policy: StatePolicy::Restore,
        order: Order::InTurn,
    };
    let clean = trial(&under_test, "clean").run(&global, &mut work, &rules)?;
    let clean_failing = clean.0.failing().count() + clean.0.failing_aftermaths().count();
    let masked = clean.0.verdicts.iter().filter(|v| !v.masked.is_empty()).count();
    story.tell(format!(
        "{} replayed, the data after {} compared, {clean_failing} failing (parts of {} are masked)",
        count(clean.0.verdicts.len(), "step"),
        count(clean.0.aftermaths.len(), "session"),
        count(masked, "page"),
    ));

    story.chapter("Test a release with three faults");
    for TourStop { fault, .. } in TOUR {
        story.tell(format!("{} ({}): {}", fault.name(), fault.category(), fault.shows()));
    }
    let (faulty, run) = trial(&with_faults, "faulty").run(&global, &mut work, &rules)?;
    let report = Report::gather(&work.store, &baseline, &run, faulty.clone())?;
    let path = folder.join("report.html");
    write_html(&report, &path)?;
    if !global.json {
        let mut out = Vec::new();
        terminal(&report, &mut out, output::colour(&global))?;
        output::line(&format!("\n{}\n", String::from_utf8_lossy(&out).trim_end()));
    }

    story.chapter("What was found");
    let found: Vec<(TourStop, Option<String>)> =
        TOUR.iter().map(|stop| (*stop, page_of(*stop, &faulty))).collect();
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
            "faulty_failing": faulty.failing().count(),
            "changes": faulty.changes.len(),
            "faults": faults,
            "report": path,
        }));
    }
    story.next(&path, &args.dir, begun);
    let well = clean_failing == 0 && found.iter().all(|(_, page)| page.is_some());
    Ok(if well { Outcome::Well } else { Outcome::Different })
}

/// Tells what happens, on standard output.
struct Story<'a> {
    global: &'a Global,
    chapter: usize,
}

impl Story<'_> {
    fn chapter(&mut self, title: &str) {
        self.chapter += 1;
        if !self.global.json {
            output::line(&format!("{}. {title}", self.chapter));
        }
    }

    fn tell(&self, text: String) {
        if !self.global.json {
            output::line(&format!("   {text}"));
        }
    }

    fn next(&self, report: &Path, dir: &Path, begun: Instant) {
        if self.global.json {
            return;
        }
        let dir = dir.display();
        output::line(&format!(
            "\ndone in {:.0} s; report: {}\n\nTry next:\n  restage --project {dir} sessions\n  restage --project {dir} runs show faulty\n  \
             restage --project {dir} test --app faulty --oracle D\n  restage --project {dir} snapshots\n  \
             restage init                     in your own application's folder",
            begun.elapsed().as_secs_f64(),
            report.display(),
        ));
    }
}

/// Makes the project's folder, in place of one that an earlier demo made.
fn make_folder(dir: &Path) -> Result<PathBuf, Failure> {
    let failed = |e: std::io::Error| Failure::environment(format!("cannot create {}: {e}", dir.display()));
    if dir.exists() {
        let empty = std::fs::read_dir(dir).map_err(failed)?.next().is_none();
        if !empty && !dir.join(MARK).exists() {
            return Err(Failure::user(format!(
                "{} already exists, and no demo created it\n  hint: name another folder with --dir",
                dir.display()
            )));
        }
        std::fs::remove_dir_all(dir).map_err(failed)?;
    }
    std::fs::create_dir_all(dir.join("data")).map_err(failed)?;
    std::fs::write(dir.join(MARK), "The next `restage demo` may replace this folder.\n").map_err(failed)?;
    let dir = dir.canonicalize().map_err(failed)?;
    let program = std::env::current_exe()?;
    let faults: Vec<String> = TOUR.iter().map(|stop| format!("--fault {}", stop.fault.name())).collect();
    let command = |faults: &str| {
        let line = format!("exec '{}' bookstore --port {{port}} --data data {faults}", program.display());
        toml::Value::String(line.trim_end().to_owned()).to_string()
    };
    let config = format!(
        "# The demo's project: a bookstore, its shoppers' sessions, and a faulty release.\n\n\
         [app]\ncommand = {}\n\n[app.faulty]\ncommand = {}\n\n[state]\nfolders = [\"data\"]\n\n\
         # What is secret is not stored. Replays get the passwords of members from here.\n\
         [redact]\nsecrets = {{ file = \"members.env\" }}\n",
        command(""),
        command(&faults.join(" ")),
    );
    std::fs::write(dir.join(SETTINGS_FILE), config).map_err(failed)?;
    let secrets: String =
        bookstore::members().map(|(name, password)| format!("{name}={password}\n")).collect();
    std::fs::write(dir.join("members.env"), secrets).map_err(failed)?;
    Ok(dir)
}

/// Starts the shop and the recorder before it, and sends the shoppers through.
fn record(global: &Global, project: &Project, args: &Args) -> Result<Tally, Failure> {
    project.make_own_folder()?;
    let mut app = App::start(&project.trusted_app(None)?)?;
    if let Some(mut state) = project.state()? {
        state.save(INITIAL)?;
    }
    let store = Store::open_or_create(project.store_path())?;
    let upstream =
        Url::parse(&format!("http://{}", app.address())).map_err(|e| Failure::environment(e.to_string()))?;
    let settings = RecorderSettings::new(upstream, ([127, 0, 0, 1], 0).into());
    let redacting = project.redacting(&store)?;
    let sink = RedactingStore::new(store, redacting.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let bar = progress::bar(global, "shoppers", args.shoppers);
    let tally = runtime.block_on(async {
        let recorder = Recorder::bind(settings, sink)?;
        let address = format!("http://{}", recorder.local_addr());
        let (seed, shoppers, progress) = (args.seed, args.shoppers, bar.clone());
        let (done, is_done) = tokio::sync::oneshot::channel();
        let drive = tokio::task::spawn_blocking(move || {
            let tally = bookstore::shoppers::drive(&address, seed, shoppers, &mut |_| progress.inc(1));
            // The receiver is gone only when the recorder has ended already.
            let _ = done.send(());
            tally
        });
        let tally = recorder.run(is_done).await;
        let driven = drive.await.map_err(|e| Failure::environment(e.to_string()))?;
        driven.map_err(|e| Failure::environment(format!("the shoppers: {e}")))?;
        Ok::<_, Failure>(tally)
    })?;
    bar.finish_and_clear();
    app.stop();
    if let Some(redacting) = redacting {
        redacted::sweep(global, &mut project.store()?, &redacting, ExchangeId(0))?;
    }
    Ok(tally)
}

/// The page that a fault was found on: the key of a failing step there, or the page whose link led astray.
fn page_of(stop: TourStop, comparison: &Comparison) -> Option<String> {
    let leads_astray = format!("on {} leads to", stop.path);
    comparison.failing().find_map(|verdict| {
        let astray = verdict.differences.iter().find(|d| d.summary.contains(&leads_astray));
        if let Some(difference) = astray {
            return Some(format!("GET {}: {}", stop.path, difference.summary));
        }
        let path = verdict.key.as_str().split(' ').nth(1)?.split('?').next()?;
        (path == stop.path).then(|| verdict.key.to_string())
    })
}
