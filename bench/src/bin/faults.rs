//! For each of the bookstore's faults: who sees it (paper 1's and 2's question, on one subject).
//!
//! First with chance and the clock fixed, so that every difference is the fault's; then with both as they
//! are, judged as `restage test` judges. Ends with 1 where the strictest comparator misses what shows.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use bookstore::Fault;
use clap::Parser;
use restage_bench::{
    FaultRow, FaultStudy, Judgement, Noise, Sighting, Subject, Trouble, bookstore_mode, judge, sighting,
    stop_on_interrupt,
};
use restage_model::{Run, RunKind, StatePolicy};
use restage_oracle::Oracle;
use restage_replay::{Replay, make_baseline, replay};

/// Which of the bookstore's faults each comparator finds
#[derive(Debug, Parser)]
struct Args {
    /// Where the tables go, beside standard output
    #[arg(long, value_name = "FILE", default_value = "bench/faults.md")]
    into: PathBuf,
    /// By what the noisy runs are judged
    #[arg(long, value_name = "EXPR", default_value = "C-WD | N+I")]
    oracle: Oracle,
    /// Replays of the clean release that look for false positives
    #[arg(long, value_name = "N", default_value_t = 5)]
    clean: usize,
}

fn main() -> ExitCode {
    if let Some(ended) = bookstore_mode() {
        return ended;
    }
    match study(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(trouble) => {
            eprintln!("faults: {trouble}");
            ExitCode::from(3)
        }
    }
}

fn study(args: &Args) -> Result<bool, Trouble> {
    let begun = Instant::now();
    let stop = stop_on_interrupt()?;
    let Fixed { seen, steps } = fixed(args, stop.clone())?;
    eprintln!("chance and clock fixed: {} s", begun.elapsed().as_secs());
    let Noisy { judgements, clean, weakened } = noisy(args, stop)?;
    let rows = Fault::ALL.iter().zip(seen).zip(judgements);
    let study = FaultStudy {
        rows: rows
            .map(|((&fault, (sighting, fixed)), noisy)| FaultRow { fault, sighting, fixed, noisy })
            .collect(),
        steps,
        oracle: args.oracle.to_string(),
        clean,
        weakened,
    };
    println!("{study}");
    eprintln!("{} s in all", begun.elapsed().as_secs());
    std::fs::write(&args.into, study.to_string()).map_err(|e| format!("{}: {e}", args.into.display()))?;
    for row in study.rows.iter().filter(|r| r.shows() && !r.found_by_d()) {
        eprintln!("faults: D misses {}, which shows in {} steps", row.fault, row.sighting.shows);
    }
    Ok(study.d_finds_all())
}

struct Fixed {
    seen: Vec<(Sighting, Judgement)>,
    /// How many a replay has.
    steps: usize,
}

/// Each fault with chance and the clock fixed.
fn fixed(args: &Args, stop: Arc<AtomicBool>) -> Result<Fixed, Trouble> {
    let mut subject = Subject::record(Noise::Off, stop)?;
    let baseline = baseline(&mut subject)?;
    let clean = replayed(&mut subject, &baseline, "clean", &[])?;
    let noise = sighting(&subject.project.store, &baseline, &clean)?;
    if noise.shows > 0 {
        return Err(
            format!("{} steps differ without any fault: nothing can be said of faults", noise.shows).into()
        );
    }
    let mut seen = Vec::new();
    for &fault in Fault::ALL {
        let run = replayed(&mut subject, &baseline, fault.name(), &[fault])?;
        let store = &subject.project.store;
        let comparison = judge(store, &baseline, &run, &args.oracle)?;
        seen.push((sighting(store, &baseline, &run)?, Judgement::of(&comparison)));
        subject.project.store.remove_run(run.id)?;
    }
    Ok(Fixed { seen, steps: subject.suite.steps() })
}

struct Noisy {
    judgements: Vec<Judgement>,
    clean: Vec<usize>,
    weakened: usize,
}

/// Each fault with chance and the clock as they are.
fn noisy(args: &Args, stop: Arc<AtomicBool>) -> Result<Noisy, Trouble> {
    let mut subject = Subject::record(Noise::Real, stop)?;
    let baseline = baseline(&mut subject)?;
    let mut noisy = Noisy { judgements: Vec::new(), clean: Vec::new(), weakened: 0 };
    for round in 0..args.clean {
        let run = replayed(&mut subject, &baseline, &format!("clean-{round}"), &[])?;
        let comparison = judge(&subject.project.store, &baseline, &run, &args.oracle)?;
        noisy.weakened = comparison.verdicts.iter().filter(|v| v.weakened).count();
        noisy.clean.push(comparison.failing().count());
        for verdict in comparison.failing() {
            let what = verdict.differences.first().map_or("", |d| d.summary.as_str());
            eprintln!("faults: false positive in clean run {round}: {}: {what}", verdict.key);
        }
    }
    for &fault in Fault::ALL {
        let run = replayed(&mut subject, &baseline, fault.name(), &[fault])?;
        let comparison = judge(&subject.project.store, &baseline, &run, &args.oracle)?;
        noisy
            .judgements
            .push(Judgement { failing: comparison.failing().count(), changes: comparison.changes.len() });
        subject.project.store.remove_run(run.id)?;
    }
    Ok(noisy)
}

fn baseline(subject: &mut Subject) -> Result<Run, Trouble> {
    let app = subject.app(&[])?;
    Ok(make_baseline(&mut subject.project, "baseline", &subject.suite, &app, &mut |_| {})?.run)
}

/// What `restage test` replays.
fn replayed(subject: &mut Subject, baseline: &Run, name: &str, faults: &[Fault]) -> Result<Run, Trouble> {
    let app = subject.app(faults)?;
    let asked = Replay {
        name: name.to_owned(),
        kind: RunKind::Replay,
        suite: &subject.suite,
        app: &app,
        policy: StatePolicy::Restore,
        reference: Some(baseline.id),
    };
    Ok(replay(&mut subject.project, &asked, &mut |_| {})?)
}
