//! `restage calibrate`: what varies on the trusted version.

use std::collections::BTreeMap;
use std::time::Duration;

use restage_judge::{Bodies, keys, learn_state};
use restage_model::{Run, RunKind, StatePolicy, Step};
use restage_oracle::{Calibration, Comparator, calibrate, changed_since};
use restage_project::{ProfileFile, Project};
use restage_replay::{AppSpec, CALIBRATION_HOURS_AHEAD, Clock, Replay, libfaketime};
use restage_state::{Comparer, StateMasks};
use restage_store::Store;

use crate::args::{AppArgs, Global, JobsArgs, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::event_log::EventLog;
use crate::terminal::judging;
use crate::terminal::output::{self, count};
use crate::terminal::progress;
use crate::terminal::run_progress::RunProgress;

/// Replay the trusted version several times to learn what varies: masks and an oracle for each page
///
/// Each run starts from the baseline's snapshots, on other days if libfaketime is installed. The result is
/// restage.noise.toml, yours to read and edit. For each page it lists the parts that vary, which are masked from then on, and
/// the strictest oracle that sees no difference. Reports show what is masked.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage calibrate --runs 5")]
pub(crate) struct Args {
    /// The number of runs
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    runs: u16,
    /// The baseline [default: the newest]
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
    /// The trusted version: an [app.NAME] in restage.toml [default: [app.baseline], else [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// The strictest comparator to choose: for example DB-W, if white space and comments do not matter
    #[arg(long, value_name = "COMPARATOR", default_value = "D", value_parser = comparator)]
    at_most: Comparator,
    /// Treat every difference as noise, even if all runs agree against the baseline
    #[arg(long)]
    anyway: bool,
    /// Do not move the clock to other days
    #[arg(long)]
    same_clock: bool,
    /// Keep the runs in the store
    #[arg(long)]
    keep_runs: bool,
    #[command(flatten)]
    jobs: JobsArgs,
    #[command(flatten)]
    app_args: AppArgs,
    #[command(flatten)]
    wait: WaitArgs,
}

fn comparator(text: &str) -> Result<Comparator, String> {
    Comparator::named(text).ok_or_else(|| {
        let known: Vec<&str> = Comparator::ALL.iter().map(Comparator::id).collect();
        format!("no comparator has this name; there are: {}", known.join(", "))
    })
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let app = args.app_args.apply(project.trusted_app(args.app.as_deref())?);
    // A broken profile is told before the work, not after it.
    let rules = project.judging_rules(None)?;
    let mut work = open_project::for_replay(global, &project, args.wait)?;
    let baseline = project.baseline(&work.store, args.baseline.as_deref())?;
    // Under a clock that is the same in every run, what time makes of a page is no noise: it is to be judged.
    let same_clock = args.same_clock || app.clock.is_same_in_every_run();
    let shifts = !same_clock && libfaketime().is_some();
    if !shifts && !same_clock {
        progress::note(
            global,
            "note: libfaketime is not installed, so all runs are of today, and every date is masked\n  hint: on Debian and Ubuntu: apt install libfaketime",
        );
    }
    let suite = work.store.suite(baseline.suite)?;
    let steps = suite.steps() * usize::from(args.runs);
    let mut progress = RunProgress::new(global, "calibrating", steps, EventLog::default());
    let mut runs: Vec<Run> = Vec::new();
    let mut shifted = 0;
    for number in 0..usize::from(args.runs) {
        let ahead = CALIBRATION_HOURS_AHEAD[number % CALIBRATION_HOURS_AHEAD.len()];
        let app: AppSpec = if shifts && ahead > 0 {
            shifted += 1;
            app.clone().with_clock_ahead(Duration::from_secs(ahead * 3600))
        } else {
            app.clone()
        };
        let replay = Replay {
            only: None,
            name: project.run_name(&work.store, None, &format!("{}.calibration", baseline.name))?,
            kind: RunKind::Check,
            suite: &suite,
            app: &app,
            policy: StatePolicy::Restore,
            reference: Some(baseline.id),
            order: args.jobs.order(),
            as_recorded: false,
        };
        runs.push(restage_replay::replay(&mut work, &replay, &mut |event| progress.show(event))?);
    }
    drop(progress);
    work.close_state()?;
    let expected = work.store.steps(baseline.id)?;
    let steps: Vec<Vec<Step>> = runs.iter().map(|run| work.store.steps(run.id)).collect::<Result<_, _>>()?;
    let check = baseline.check.map(|id| work.store.steps(id)).transpose()?;
    let keys = keys(&work.store, &expected, &project.key_rules(&work.store)?)?;
    let calibration = Calibration {
        expected: &expected,
        runs: &steps,
        check: check.as_deref(),
        keys: &keys,
        at_most: &args.at_most,
        one_day: shifted == 0 && !app.clock.is_same_in_every_run(),
        json: rules.oracle.json,
    };
    let changed = if args.anyway { Vec::new() } else { changed_since(calibration, &Bodies(&work.store))? };
    if let Some(first) = changed.first() {
        let session = work.store.run_sessions(baseline.id)?.into_iter().find(|s| s.ordinal == first.session);
        let failure = Failure::user(format!(
            "`{}` no longer answers as in {}: {} differ in every run, so the version or its data has changed\n  \
             first in {} step {}, {}\n  \
             hint: `restage test` shows what differs, `restage baseline` makes a new baseline, --anyway treats it as noise",
            app.name,
            baseline.name,
            count(changed.len(), "step"),
            session.map(|s| s.session).unwrap_or_default(),
            first.step + 1,
            keys.get(first).map(ToString::to_string).unwrap_or_default()
        ));
        remove(global, &project, &mut work.store, &runs)?;
        return Err(failure);
    }
    let pages = keys.values().collect::<std::collections::HashSet<_>>().len();
    let bar = progress::bar(global, "learning", pages);
    let learnt = calibrate(calibration, &Bodies(&work.store), &mut || bar.inc(1))?;
    bar.finish_and_clear();
    let state = match rules.aftermath.snapshot_store()? {
        Some(mut snapshot_store) => {
            let trusted: Vec<Run> = std::iter::once(&baseline).chain(&runs).cloned().collect();
            learn_state(&work.store, &mut Comparer::new(&mut snapshot_store), &trusted)?
        }
        _ => StateMasks::default(),
    };
    let profile = ProfileFile { state, pages: learnt.pages }.write(&project)?;
    let rules = project.judging_rules(None)?;
    let mut failing = 0;
    for run in &runs {
        let comparison = judging::judge(global, &work.store, &baseline, run, &rules)?;
        failing += comparison.counts.all_failing();
    }
    if !args.keep_runs {
        remove(global, &project, &mut work.store, &runs)?;
    }
    tell(
        global,
        &project,
        &baseline,
        &profile,
        Told { runs: runs.len(), shifted, clock: app.clock, pages, steps: expected.len(), failing },
    );
    Ok(Outcome::Well)
}

/// The runs were made for this alone.
fn remove(global: &Global, project: &Project, store: &mut Store, runs: &[Run]) -> Result<(), Failure> {
    let mut snapshot_store = project.snapshot_store()?;
    for run in runs {
        restage_replay::remove_run(store, &mut snapshot_store, run)?;
    }
    open_project::collect_garbage(global, project, &mut snapshot_store)
}

struct Told {
    runs: usize,
    shifted: usize,
    clock: Clock,
    pages: usize,
    steps: usize,
    /// Steps of these runs that fail all the same.
    failing: usize,
}

fn tell(global: &Global, project: &Project, baseline: &Run, profile: &ProfileFile, told: Told) {
    let pages = &profile.pages;
    let masks: usize = pages.iter().map(|page| page.masks.len()).sum();
    let mut oracles: BTreeMap<&str, usize> = BTreeMap::new();
    for oracle in pages.iter().filter_map(|page| page.oracle.as_deref()) {
        *oracles.entry(oracle).or_default() += 1;
    }
    let file = ProfileFile::path(project);
    if global.json {
        output::json(&serde_json::json!({
            "baseline": baseline.name,
            "runs": told.runs,
            "shifted": told.shifted,
            "pages": told.pages,
            "steps": told.steps,
            "masks": masks,
            "state_masks": profile.state.len(),
            "oracles": oracles,
            "failing": told.failing,
            "profile": file,
        }));
        return;
    }
    let clocks = match told.shifted {
        0 if told.clock.is_same_in_every_run() => format!("clock {}", told.clock),
        0 => "all of today".to_owned(),
        n => format!("{n} of them on other days"),
    };
    output::line(&format!(
        "{} of {} ({clocks}): {} on {}",
        count(told.runs, "run"),
        baseline.name,
        count(told.steps, "step"),
        count(told.pages, "page")
    ));
    let mut by: Vec<(&str, usize)> = oracles.into_iter().collect();
    by.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for (oracle, n) in by {
        output::line(&format!("  {:>6} judged by {oracle}", count(n, "page")));
    }
    output::line(&format!("  {} masked:", count(masks, "part")));
    for page in pages {
        for mask in &page.masks {
            let on = if page.key.to_string() == "*" { "all pages".to_owned() } else { page.key.to_string() };
            output::line(&format!("    {mask}, on {on}"));
        }
    }
    if !profile.state.is_empty() {
        output::line(&format!("  {} of the state masked", count(profile.state.len(), "part")));
    }
    if told.failing > 0 {
        output::line(&format!(
            "  {} of these runs still fail, by status or redirect",
            count(told.failing, "step")
        ));
    }
    output::line(&format!("wrote {}", file.display()));
    progress::note(global, "next: read the file, put it under version control, then run `restage test`");
}
