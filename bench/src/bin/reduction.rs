//! What reduced suites keep (paper 1's tables 1 and 2): sessions, requests, keys, pages reached and faults found, with the
//! state restored before each session and without.
//!
//! On the bookstore with chance and the clock fixed, so that every difference is a fault's. Named projects (folders with a store
//! and a baseline) are added: there, the faults are the versions that were tested on the baseline and fail.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use bookstore::Fault;
use clap::Parser;
use restage_bench::{
    FaultFinds, PageSet, ReducedSuite, ReductionStudy, Replayed, Seen, SeenStep, Subject, Trouble, judge,
    reduced_suites, run_program, seen, stop_on_interrupt,
};
use restage_model::{Run, RunKind, RunState, StatePolicy, Suite};
use restage_oracle::{Comparator, Oracle};
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
    for folder in &args.projects {
        text.push_str(&format!("\n{}", project_study(folder)?));
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
        let sessions: Vec<_> = suite.kept.iter().map(|&s| original.sessions[s].clone()).collect();
        let id = subject.project.store.save_suite(&suite.name, "reduce", &sessions)?;
        let part = subject.project.store.suite(id)?;
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

/// A project that was recorded and has a baseline.
fn project_study(folder: &Path) -> Result<ReductionStudy, Trouble> {
    let store = Store::open(&folder.join(".restage/restage.db"))?;
    let runs = store.runs()?;
    let whole = |run: &&Run| run.state == RunState::Complete;
    let baseline = runs.iter().rev().filter(whole).find(|r| r.kind == RunKind::Baseline);
    let baseline = baseline.ok_or_else(|| format!("{} has no baseline", folder.display()))?;
    let suite = store.suite(baseline.suite)?;
    let suites = reduced_suites(&store, &suite)?;
    let pages = PageSet::of(&store, baseline)?;
    let default: Oracle = "C-WD | N+I".parse()?;
    let strict: Oracle = "D".parse()?;
    // The steps that fail, of each version that differs.
    let mut failing: Vec<[BTreeSet<usize>; 2]> = Vec::new();
    for run in runs.iter().filter(whole).filter(|r| r.suite == suite.id && r.kind == RunKind::Replay) {
        let mut by = [BTreeSet::new(), BTreeSet::new()];
        for (sessions, oracle) in by.iter_mut().zip([&strict, &default]) {
            let comparison = judge(&store, baseline, run, oracle)?;
            sessions.extend(comparison.failing().map(|verdict| verdict.at.session as usize));
        }
        if by.iter().any(|sessions| !sessions.is_empty()) {
            failing.push(by);
        }
    }
    let name =
        folder.file_name().map_or_else(|| folder.display().to_string(), |n| n.to_string_lossy().into_owned());
    let mut study = new_study(&name, &suite, &suites, &pages, format!("{} runs that differ", failing.len()));
    if !failing.is_empty() {
        for (replayed, suite) in study.with_state.iter_mut().zip(&suites) {
            let finds = |by: usize| {
                failing.iter().filter(|f| suite.kept.iter().any(|session| f[by].contains(session))).count()
            };
            replayed.faults = Some(FaultFinds { strict: finds(0), default: finds(1) });
        }
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
