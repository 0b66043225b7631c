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
    FaultRow, FaultStudy, Judgement, Subject, Trouble, aim_met, judge, run_program, sighting,
    stop_on_interrupt,
};
use restage_model::Run;
use restage_oracle::Oracle;

/// Which of the bookstore's faults each comparator finds
#[derive(Debug, Parser)]
struct Args {
    /// Where the tables go, beside standard output
    #[arg(long, value_name = "FILE", default_value = "bench/faults.md")]
    into: PathBuf,
    /// By what the noisy runs are judged
    #[arg(long, value_name = "EXPR", default_value = "C-WD | N+I")]
    oracle: Oracle,
    /// Baselines that look for false positives
    #[arg(long, value_name = "N", default_value_t = 5)]
    baselines: usize,
    /// Replays of the clean release that each looks at
    #[arg(long, value_name = "N", default_value_t = 3)]
    clean: usize,
}

fn main() -> ExitCode {
    run_program(|args: Args| study(&args).map(aim_met))
}

fn study(args: &Args) -> Result<bool, Trouble> {
    let begun = Instant::now();
    let stop = stop_on_interrupt()?;
    let mut study = FaultStudy {
        rows: Vec::new(),
        steps: 0,
        oracle: args.oracle.to_string(),
        clean: Vec::new(),
        weakened: Vec::new(),
    };
    let sessions = fixed(args, stop.clone(), &mut study)?;
    eprintln!("chance and the clock fixed: {} s", begun.elapsed().as_secs());
    noisy(args, stop, &sessions, &mut study)?;
    println!("{study}");
    eprintln!("{} s in all", begun.elapsed().as_secs());
    std::fs::write(&args.into, study.to_string()).map_err(|e| format!("{}: {e}", args.into.display()))?;
    for row in study.rows.iter().filter(|r| r.shows() && !r.found_by_d()) {
        eprintln!("faults: D misses {}, which shows in {} steps", row.fault, row.sighting.shows.len());
    }
    Ok(study.d_finds_all())
}

/// Each fault with chance and the clock fixed; how many steps each session has.
fn fixed(args: &Args, stop: Arc<AtomicBool>, study: &mut FaultStudy) -> Result<Vec<usize>, Trouble> {
    let (mut subject, baseline) = Subject::fixed(stop)?;
    for &fault in Fault::ALL {
        let run = subject.replayed(&baseline, fault.name(), &[fault])?;
        let store = &subject.project.store;
        let sighting = sighting(store, &baseline, &run)?;
        let fixed = Judgement::of(&judge(store, &baseline, &run, &args.oracle)?, &sighting.shows);
        study.rows.push(FaultRow { fault, sighting, fixed, noisy: Judgement::default() });
        subject.project.store.remove_run(run.id)?;
    }
    study.steps = subject.suite.steps();
    Ok(subject.lengths())
}

/// Each fault with chance and the clock as they are.
fn noisy(
    args: &Args,
    stop: Arc<AtomicBool>,
    sessions: &[usize],
    study: &mut FaultStudy,
) -> Result<(), Trouble> {
    let mut subject = Subject::noisy(stop, sessions)?;
    let baselines: Vec<Run> = (1..=args.baselines.max(1))
        .map(|number| subject.baseline(&format!("baseline-{number}")))
        .collect::<Result<_, _>>()?;
    for baseline in &baselines {
        let mut failing = Vec::new();
        let mut weakened = 0;
        for number in 1..=args.clean {
            let run = subject.replayed(baseline, &format!("{}-clean-{number}", baseline.name), &[])?;
            let comparison = judge(&subject.project.store, baseline, &run, &args.oracle)?;
            weakened = comparison.verdicts.iter().filter(|v| v.weakened).count();
            failing.push(comparison.failing().count());
            for verdict in comparison.failing() {
                let what = verdict.differences.first().map(ToString::to_string).unwrap_or_default();
                eprintln!("faults: wrong, in {}: {}: {what}", run.name, verdict.key);
            }
        }
        study.clean.push(failing);
        study.weakened.push(weakened);
    }
    for row in &mut study.rows {
        let run = subject.replayed(&baselines[0], row.fault.name(), &[row.fault])?;
        let comparison = judge(&subject.project.store, &baselines[0], &run, &args.oracle)?;
        row.noisy = Judgement::of(&comparison, &row.sighting.shows);
        subject.project.store.remove_run(run.id)?;
    }
    Ok(())
}
