//! What reduced suites keep (paper 1's tables 1 and 2): sessions, requests, keys, pages reached and faults found, with the
//! state restored before each session and without.
//!
//! On the bookstore with chance and the clock fixed, so that every difference is a fault's. Named projects (folders with a store
//! and a baseline) are added: there, the faults are the versions that were tested on the baseline.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use bookstore::Fault;
use clap::Parser;
use restage_bench::{
    FaultFinds, FaultShown as Shown, PageSet, ProjectRuns, ReducedSuite, ReductionStudy, Replayed, Seen,
    SeenStep, Subject, Trouble, reduced_suites, restage_program, run_program, seen, stop_on_interrupt,
};
use restage_model::{Groups, NewSuite, Run, RunKind, RunState, Session, StatePolicy, Suite};
use restage_oracle::Comparator;
use restage_replay::{Order, Replay, replay};
use restage_store::Store;

/// What reduced suites keep
#[derive(Debug, Parser)]
struct Args {
    /// Projects beside the bookstore: folders with .restage/restage.db in them
    #[arg(value_name = "DIR")]
    projects: Vec<PathBuf>,
    /// Where the tables go, beside standard output
    #[arg(long, value_name = "FILE", default_value = "bench/reduction.md")]
    into: PathBuf,
    /// The restage program, for the projects [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    restage: Option<PathBuf>,
    /// Leave the bookstore out
    #[arg(long)]
    only_projects: bool,
    /// Only so many of the bookstore's faults, spread over all of them
    #[arg(long, value_name = "N")]
    faults: Option<usize>,
}

fn main() -> ExitCode {
    run_program(|args: Args| study(&args))
}

fn study(args: &Args) -> Result<(), Trouble> {
    let begun = Instant::now();
    let mut text = format!("# What reduced suites keep\n\n{INTRODUCTION}");
    if !args.only_projects {
        let most = args.faults.unwrap_or(Fault::ALL.len()).clamp(1, Fault::ALL.len());
        let faults: Vec<Fault> = (0..most).map(|n| Fault::ALL[n * Fault::ALL.len() / most]).collect();
        text.push_str(&format!("\n{}", bookstore_study(&faults)?));
        eprintln!("the bookstore: {} s", begun.elapsed().as_secs());
    }
    let restage = restage_program(args.restage.clone())?;
    for folder in &args.projects {
        text.push_str(&format!("\n{}", project_study(folder, &restage)?));
    }
    println!("{text}");
    std::fs::write(&args.into, text).map_err(|e| format!("{}: {e}", args.into.display()).into())
}

const INTRODUCTION: &str = "Made by `scripts/study reduction`; do not edit. As in the paper: *Orig* is all that was recorded, *Mod2* every other session, \
*HGS* Harrold, Gupta\nand Soffa's reduction, drawn a hundred times (the suite that was drawn most often is replayed), *Con* one session for each concept \
next\nto the bottom of the lattice. They keep keys (the paper's U), pairs of keys, parameters or values. *With state*, each session begins on the\nstate \
that it had in the baseline; *without*, the suite is replayed from the initial state, nothing restored. A page is reached where\na request of its key was \
answered with the same status and the same kind of redirect. *Only without state* counts pages that the suite\nreaches in this way alone: mostly those of refusals.\n";

/// The bookstore's shoppers.
fn bookstore_study(faults: &[Fault]) -> Result<ReductionStudy, Trouble> {
    let (mut subject, baseline) = Subject::fixed(stop_on_interrupt()?)?;
    let original = subject.suite.clone();
    let suites = reduced_suites(&subject.project.store, &original)?;
    let pages = PageSet::of(&subject.project.store, &baseline)?;
    let mut study =
        new_study("The bookstore", &original, &suites, &pages, format!("{} faults", faults.len()));
    // With state, sessions do not touch one another: what a suite finds is what its sessions find in a run of all.
    let mut with = vec![FaultFinds::default(); suites.len()];
    for &fault in faults {
        let run = subject.replayed(&baseline, fault.name(), &[fault])?;
        let steps = seen(&subject.project.store, &baseline, &run)?;
        for (found, suite) in with.iter_mut().zip(&suites) {
            let of_suite = steps.iter().filter(|s| suite.kept.contains(&(s.at.session as usize)));
            count(found, of_suite);
        }
        subject.project.store.remove_run(run.id)?;
    }
    for (replayed, found) in study.with_state.iter_mut().zip(with) {
        replayed.faults = Some(found);
    }
    for suite in &suites {
        let sessions = suite.kept.iter().map(|&s| original.sessions[s].clone());
        let part = subject.project.store.save_suite(NewSuite::of(&suite.name, "reduce", sessions))?;
        let clean = from_initial(&mut subject, &part, &format!("{}-clean", suite.name), &[])?;
        let mut found = FaultFinds::default();
        for &fault in faults {
            let run =
                from_initial(&mut subject, &part, &format!("{}-{}", suite.name, fault.name()), &[fault])?;
            count(&mut found, seen(&subject.project.store, &clean, &run)?.iter());
            subject.project.store.remove_run(run.id)?;
        }
        let pages = PageSet::of(&subject.project.store, &clean)?.all();
        study.without_state.push(Replayed { pages, faults: Some(found) });
        eprintln!("{}: {} of {} faults without state", suite.name, found.strict, faults.len());
    }
    Ok(study)
}

/// Replays a suite from the initial state, nothing restored.
fn from_initial(subject: &mut Subject, suite: &Suite, name: &str, faults: &[Fault]) -> Result<Run, Trouble> {
    let app = subject.app(faults)?;
    let asked = Replay {
        name: name.to_owned(),
        kind: RunKind::Replay,
        suite,
        app: &app,
        policy: StatePolicy::Initial,
        reference: None,
        order: Order::InTurn,
        only: None,
        groups: Groups::default(),
        as_recorded: false,
    };
    Ok(replay(&mut subject.project, &asked, &mut |_| {})?)
}

/// Counts a fault where it is seen.
fn count<'a>(found: &mut FaultFinds, steps: impl Iterator<Item = &'a SeenStep>) {
    let all = steps.fold(Seen::NONE, |all, step| all | step.seen);
    let by = |ids: &[&str]| ids.iter().fold(Seen::FLOW, |by, id| by | Seen::named(id));
    found.strict += usize::from(all.meets(by(&[Comparator::ALL[0].id()])));
    found.default += usize::from(all.meets(by(&["C-WD", "N+I"])));
}

/// A project that was recorded and has a baseline, on which its faulty versions were tested.
fn project_study(folder: &Path, restage: &Path) -> Result<ReductionStudy, Trouble> {
    let mut store = Store::open(&folder.join(".restage/restage.db"))?;
    let runs = store.runs()?;
    let whole = |run: &&Run| run.state == RunState::Complete;
    let baseline = runs.iter().rev().filter(whole).find(|r| r.kind == RunKind::Baseline);
    let baseline = baseline.ok_or_else(|| format!("{} has no baseline", folder.display()))?;
    let original = store.suite(baseline.suite)?;
    let suites = reduced_suites(&store, &original)?;
    let pages = PageSet::of(&store, baseline)?;
    let project = ProjectRuns::new(folder, restage.to_owned());
    // The newest run of each version.
    let mut faults: Vec<&Run> = Vec::new();
    for run in runs.iter().rev().filter(whole) {
        let tested =
            run.kind == RunKind::Replay && run.suite == original.id && run.policy == StatePolicy::Restore;
        let fault =
            ProjectRuns::is_fault(&run.app, &baseline.app) && !faults.iter().any(|f| f.app == run.app);
        if tested && fault {
            faults.push(run);
        }
    }
    let with: Vec<Shown> =
        faults.iter().map(|run| project.shown(&baseline.name, &run.name)).collect::<Result<_, _>>()?;
    let name =
        folder.file_name().map_or_else(|| folder.display().to_string(), |n| n.to_string_lossy().into_owned());
    let mut study = new_study(&name, &original, &suites, &pages, format!("{} faulty versions", faults.len()));
    for (place, suite) in suites.iter().enumerate() {
        let sessions: Vec<Session> = suite.kept.iter().map(|&s| original.sessions[s].clone()).collect();
        let kept: BTreeSet<&String> = sessions.iter().map(|session| &session.name).collect();
        let count =
            |shown: &BTreeSet<String>| usize::from(shown.iter().any(|session| kept.contains(session)));
        study.with_state[place].faults = Some(FaultFinds {
            strict: with.iter().map(|shown| count(&shown.strict)).sum(),
            default: with.iter().map(|shown| count(&shown.default)).sum(),
        });
        store.save_suite(NewSuite::of(&suite.name, "reduce", sessions.iter().cloned()))?;
        let named = |app: &str| format!("reduction-{}-{app}", suite.name);
        let clean = named("clean");
        project.replay_from_initial(&suite.name, None, &clean)?;
        let mut found = FaultFinds::default();
        for fault in &faults {
            let run = named(&fault.app);
            project.replay_from_initial(&suite.name, Some(&fault.app), &run)?;
            let shown = project.shown(&clean, &run)?;
            found.strict += usize::from(!shown.strict.is_empty());
            found.default += usize::from(!shown.default.is_empty());
        }
        let clean = store.run_named(&clean)?.ok_or("the run is gone")?;
        study.without_state.push(Replayed { pages: PageSet::of(&store, &clean)?.all(), faults: Some(found) });
        eprintln!("{name}, {}: {} of {} faults without state", suite.name, found.strict, faults.len());
    }
    Ok(study)
}

fn new_study(
    subject: &str,
    suite: &Suite,
    suites: &[ReducedSuite],
    pages: &PageSet,
    faults: String,
) -> ReductionStudy {
    ReductionStudy {
        subject: subject.to_owned(),
        lengths: ReductionStudy::lengths(suite),
        suites: suites.to_vec(),
        keys: suites.iter().map(|s| pages.keys(s.kept.iter().copied())).collect(),
        with_state: suites
            .iter()
            .map(|s| Replayed { pages: pages.pages(s.kept.iter().copied()), faults: None })
            .collect(),
        without_state: Vec::new(),
        faults,
    }
}
