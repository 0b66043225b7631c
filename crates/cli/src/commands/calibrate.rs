//! `restage calibrate`: what varies on the trusted version.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use restage_judge::{Bodies, LeftOut, VerdictSource, keys, learn_state, left_out};
use restage_model::{Outcome as Judged, Run, RunId, RunKind, StatePolicy, Step};
use restage_oracle::{Calibration, Comparator, Mask, calibrate, changed_since};
use restage_project::{ProfileFile, Project};
use restage_replay::{AppSpec, CALIBRATION_HOURS_AHEAD, Clock, Replay, ReplayError, libfaketime};
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
            "note: libfaketime is not installed, so all runs are of today: dates that say today are masked, what else other days change is not seen\n  hint: on Debian and Ubuntu: apt install libfaketime",
        );
    }
    let suite = work.store.suite(baseline.suite)?;
    let groups = project.groups_of_run(&work.store, &baseline)?;
    let steps = suite.steps() * usize::from(args.runs);
    let mut progress = RunProgress::new(global, "calibrating", steps, EventLog::default());
    let mut made = Made::default();
    for number in 0..usize::from(args.runs) {
        let ahead = CALIBRATION_HOURS_AHEAD[number % CALIBRATION_HOURS_AHEAD.len()];
        let ahead = if shifts { ahead } else { 0 };
        let app: AppSpec = match ahead {
            0 => app.clone(),
            hours => app.clone().with_clock_ahead(Duration::from_secs(hours * 3600)),
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
            groups: groups.clone(),
            as_recorded: false,
        };
        let run = restage_replay::replay(&mut work, &replay, &mut |event| progress.show(event));
        match run {
            Ok(run) if ahead == 0 => made.usual.push(run),
            Ok(run) => made.shifted.push((run, ahead)),
            // What is known is worth keeping, unless the data or the user says stop.
            Err(error) if is_of_one_run(&error) => {
                if let Some(broken) = work.store.run_named(&replay.name)? {
                    made.broken.push(broken);
                }
                made.failed.push((replay.name.clone(), ahead, error));
            }
            Err(error) => return Err(error.into()),
        }
    }
    drop(progress);
    work.close_state()?;
    if !made.broken.is_empty() {
        remove(global, &project, &mut work.store, &made.broken)?;
    }
    if let Some((_, _, error)) = made.failed.pop_if(|_| made.usual.is_empty() && made.shifted.is_empty()) {
        return Err(error.into());
    }
    for (name, ahead, error) in &made.failed {
        let clock = clock_of(*ahead);
        progress::note(
            global,
            format!(
                "warning: the run {name} ({clock}) failed and tells nothing: {error}\n  hint: what the other runs show is kept"
            ),
        );
    }
    let runs = made.runs();
    let shifted = made.shifted.len();
    let expected = work.store.steps(baseline.id)?;
    let shifted_runs: Vec<Run> = made.shifted.iter().map(|(run, _)| run.clone()).collect();
    let mut snapshot_store = rules.aftermath.snapshot_store()?;
    let mut comparer = snapshot_store.as_mut().map(Comparer::new);
    let left_out = left_out(&work.store, &baseline, &made.usual, &shifted_runs, &rules, comparer.as_mut())?;
    let mut steps: Vec<Vec<Step>> = Vec::new();
    for run in &runs {
        steps.push(left_out.without(run.id, work.store.steps(run.id)?));
    }
    let check = baseline.check.map(|id| work.store.steps(id)).transpose()?;
    let keys = keys(&work.store, &expected, &project.key_rules(&work.store)?)?;
    let sessions: HashMap<u32, String> =
        work.store.run_sessions(baseline.id)?.into_iter().map(|s| (s.ordinal, s.session)).collect();
    let calibration = Calibration {
        expected: &expected,
        runs: &steps,
        check: check.as_deref(),
        keys: &keys,
        at_most: &args.at_most,
        one_day: (shifted == 0 && !app.clock.is_same_in_every_run()).then_some(baseline.started),
        sessions: &sessions,
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
    let state = match &mut comparer {
        Some(comparer) => {
            let check = baseline.check.map(|id| work.store.run(id)).transpose()?;
            let trusted: Vec<Run> =
                std::iter::once(baseline.clone()).chain(check).chain(runs.iter().cloned()).collect();
            learn_state(&work.store, comparer, &trusted, &left_out)?
        }
        None => StateMasks::default(),
    };
    drop(comparer);
    drop(snapshot_store);
    let profile = ProfileFile { state, pages: learnt.pages, ..ProfileFile::default() }.write(&project)?;
    let rules = project.judging_rules(None)?;
    let mut failing = 0;
    for run in &runs {
        let comparison = judging::judge(global, &work.store, &baseline, run, &rules)?;
        comparison.verdicts(&work.store, &rules).each_session(&mut |session| {
            if !left_out.has(run.id, session.ordinal) {
                let steps = session.verdicts.iter().filter(|verdict| verdict.outcome == Judged::Fail).count();
                let left = session.aftermath.is_some_and(|aftermath| aftermath.outcome == Judged::Fail);
                failing += steps + usize::from(left);
            }
        })?;
    }
    if !args.keep_runs {
        remove(global, &project, &mut work.store, &runs)?;
    }
    tell(
        global,
        &project,
        &baseline,
        &profile,
        Told {
            made: &made,
            left_out: &left_out,
            sessions: sessions.len(),
            clock: app.clock,
            pages,
            steps: expected.len(),
            failing,
        },
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

/// The runs that were made.
#[derive(Default)]
struct Made {
    /// Under the app's usual clock.
    usual: Vec<Run>,
    /// Ahead by so many hours.
    shifted: Vec<(Run, u64)>,
    /// Those that failed, by name, with their clock and why.
    failed: Vec<(String, u64, ReplayError)>,
    /// What there is of those.
    broken: Vec<Run>,
}

impl Made {
    /// The runs to learn from.
    fn runs(&self) -> Vec<Run> {
        self.usual.iter().chain(self.shifted.iter().map(|(run, _)| run)).cloned().collect()
    }

    /// A run's name, and how many hours it was ahead.
    fn told(&self, run: RunId) -> (&str, u64) {
        let usual = self.usual.iter().map(|run| (run, 0));
        let found =
            usual.chain(self.shifted.iter().map(|(run, ahead)| (run, *ahead))).find(|(r, _)| r.id == run);
        found.map_or(("", 0), |(run, ahead)| (&run.name, ahead))
    }
}

/// Whether an error ends one run, and others may do: the app did not start, or did not come back.
fn is_of_one_run(error: &ReplayError) -> bool {
    matches!(error, ReplayError::App(_) | ReplayError::AppLost { .. } | ReplayError::Copy { .. })
}

/// The sessions that a mask is limited to.
fn in_sessions(mask: &Mask) -> String {
    let names: Vec<&str> = mask.sessions().collect();
    match names[..] {
        [] => String::new(),
        [one] => format!(", in {one}"),
        [first, ..] => format!(", in {first} and {} more sessions", names.len() - 1),
    }
}

fn clock_of(ahead: u64) -> String {
    match ahead {
        0 => "clock of today".to_owned(),
        hours if hours < 48 => format!("clock {hours} hours ahead"),
        hours => format!("clock {} days ahead", hours / 24),
    }
}

struct Told<'a> {
    made: &'a Made,
    left_out: &'a LeftOut,
    /// How many sessions a run has.
    sessions: usize,
    clock: Clock,
    pages: usize,
    steps: usize,
    /// Steps of these runs that fail all the same.
    failing: usize,
}

impl Told<'_> {
    /// Run by run, what was left out: how many sessions, why, and where first.
    fn left_out_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (run, _) in &self.made.shifted {
            let by = self.left_out.of_run(run.id);
            let all: usize = by.iter().map(|(_, count)| count).sum();
            if all == 0 {
                continue;
            }
            let why: Vec<String> = by
                .iter()
                .map(|(first, count)| {
                    let step = first.step.map(|step| format!(" step {}", step + 1)).unwrap_or_default();
                    format!("{count} {} (first {}{step})", first.why, first.session)
                })
                .collect();
            let (name, ahead) = self.made.told(run.id);
            lines.push(format!(
                "{all} of {} in {name} ({}): {}",
                count(self.sessions, "session"),
                clock_of(ahead),
                why.join(", ")
            ));
        }
        lines
    }
}

fn tell(global: &Global, project: &Project, baseline: &Run, profile: &ProfileFile, told: Told<'_>) {
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
            "runs": told.made.usual.len() + told.made.shifted.len(),
            "shifted": told.made.shifted.len(),
            "failed": told.made.failed.iter().map(|(name, ..)| name).collect::<Vec<_>>(),
            "left_out": told.left_out.sessions.iter().map(|session| {
                let (run, ahead) = told.made.told(session.run);
                serde_json::json!({
                    "run": run,
                    "hours_ahead": ahead,
                    "session": session.session,
                    "why": session.why.to_string(),
                    "step": session.step.map(|step| step + 1),
                })
            }).collect::<Vec<_>>(),
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
    let runs = told.made.usual.len() + told.made.shifted.len();
    let clocks = match told.made.shifted.len() {
        0 if told.clock.is_same_in_every_run() => format!("clock {}", told.clock),
        0 => "all of today".to_owned(),
        n => format!("{n} of them on other days"),
    };
    output::line(&format!(
        "{} of {} ({clocks}): {} on {}",
        count(runs, "run"),
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
            output::line(&format!("    {mask}, on {on}{}", in_sessions(mask)));
        }
    }
    if !profile.state.is_empty() {
        output::line(&format!("  {} of the state masked", count(profile.state.len(), "part")));
    }
    for line in told.left_out_lines() {
        output::line(&format!("  not learnt from: {line}"));
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
