//! What generated suites cover and find (paper 5's tables 3 to 5): every edge, every ordered pair, and the paper's own heuristic, on the
//! bookstore, beside what was recorded.
//!
//! First with chance and the clock fixed, so that every difference is a fault's; then with both as they are, judged under masks.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use bookstore::Fault;
use clap::Parser;
use restage_bench::{
    Found, GeneratedSuiteRow, GenerationStudy, LlvmTools, Seen, ShopMap, Subject, SuiteWay, Trouble, judge,
    run_program, seen, stop_on_interrupt,
};
use restage_model::Run;
use restage_oracle::Oracle;

/// What generated suites cover and find
#[derive(Debug, Parser)]
struct Args {
    /// Where the tables go, beside standard output
    #[arg(long, value_name = "FILE", default_value = "bench/generated.md")]
    into: PathBuf,
    /// Only so many of the bookstore's faults, spread over all of them
    #[arg(long, value_name = "N")]
    faults: Option<usize>,
    /// Leave out the half with chance and the clock as they are
    #[arg(long)]
    only_fixed: bool,
    /// The bookstore, built with -C instrument-coverage; without it, no code is counted
    #[arg(long, value_name = "PATH", requires = "llvm")]
    counting: Option<PathBuf>,
    /// The folder of llvm-profdata and llvm-cov, of the compiler's version
    #[arg(long, value_name = "DIR", requires = "counting")]
    llvm: Option<PathBuf>,
}

fn main() -> ExitCode {
    run_program(|args: Args| study(&args))
}

fn study(args: &Args) -> Result<(), Trouble> {
    let begun = Instant::now();
    let stop = stop_on_interrupt()?;
    let most = args.faults.unwrap_or(Fault::ALL.len()).clamp(1, Fault::ALL.len());
    let faults: Vec<Fault> = (0..most).map(|n| Fault::ALL[n * Fault::ALL.len() / most]).collect();
    let tools = args.counting.clone().zip(args.llvm.clone());
    let tools = tools.map(|(bookstore, folder)| LlvmTools { folder, bookstore });
    let mut study = fixed(&faults, tools.as_ref(), stop.clone())?;
    eprintln!("chance and the clock fixed: {} s", begun.elapsed().as_secs());
    if !args.only_fixed {
        noisy(&mut study, stop)?;
    }
    println!("{study}");
    eprintln!("{} s in all", begun.elapsed().as_secs());
    std::fs::write(&args.into, study.to_string()).map_err(|e| format!("{}: {e}", args.into.display()).into())
}

/// Each suite on each faulty bookstore, with chance and the clock fixed.
fn fixed(
    faults: &[Fault],
    tools: Option<&LlvmTools>,
    stop: Arc<AtomicBool>,
) -> Result<GenerationStudy, Trouble> {
    let (mut subject, recorded) = Subject::fixed(stop)?;
    let map = ShopMap::of(&mut subject, &recorded)?;
    let mut study = GenerationStudy { users: map.users()?, faults: faults.to_vec(), rows: Vec::new() };
    for way in SuiteWay::ALL {
        let made = map.walked(&mut subject, way)?;
        subject.suite = made.suite;
        let baseline = subject.baseline(&format!("{}-baseline", way.name()))?;
        let clean = subject.replayed(&baseline, &format!("{}-clean", way.name()), &[])?;
        let differing =
            seen(&subject.project.store, &baseline, &clean)?.iter().filter(|step| step.shows).count();
        if differing > 0 {
            return Err(format!("{}: {differing} steps differ without any fault", way.name()).into());
        }
        let mut found = Found::default();
        for fault in faults {
            let run = subject.replayed(&baseline, &format!("{}-{}", way.name(), fault.name()), &[*fault])?;
            let steps = seen(&subject.project.store, &baseline, &run)?;
            let all = steps.iter().fold(Seen::NONE, |all, step| all | step.seen);
            if all.meets(Seen::named("D")) {
                found.d.insert(fault.name());
            }
            if all.meets(Seen::named("T")) {
                found.t.insert(fault.name());
            }
            subject.project.store.remove_run(run.id)?;
        }
        let statements = match tools {
            Some(tools) => {
                let suite = subject.suite.clone();
                Some(tools.measure(&mut subject, &suite, &way.name())?)
            }
            None => None,
        };
        eprintln!(
            "{}: {} of {} faults by D, {} by T",
            way.name(),
            found.d.len(),
            faults.len(),
            found.t.len()
        );
        study.rows.push(GeneratedSuiteRow {
            name: way.name(),
            planned: made.planned,
            walked: made.walked,
            fixed: found,
            noisy: None,
            statements,
        });
    }
    Ok(study)
}

/// The same with chance and the clock as they are; the sequences are walked anew.
fn noisy(study: &mut GenerationStudy, stop: Arc<AtomicBool>) -> Result<(), Trouble> {
    let mut subject = Subject::real(stop)?;
    let recorded = subject.baseline("recorded-baseline")?;
    let map = ShopMap::of(&mut subject, &recorded)?;
    let oracles: [Oracle; 2] = ["D".parse()?, "T".parse()?];
    for (way, row) in SuiteWay::ALL.into_iter().zip(&mut study.rows) {
        subject.suite = map.walked(&mut subject, way)?.suite;
        let baseline = match way {
            SuiteWay::Recorded => recorded.clone(),
            _ => subject.baseline(&format!("{}-baseline", way.name()))?,
        };
        let clean = subject.replayed(&baseline, &format!("{}-clean", way.name()), &[])?;
        let failing = failing(&subject, &baseline, &clean, &oracles[0])?;
        let mut found = Found::default();
        for fault in &study.faults {
            let run = subject.replayed(&baseline, &format!("{}-{}", way.name(), fault.name()), &[*fault])?;
            for (oracle, found) in oracles.iter().zip([&mut found.d, &mut found.t]) {
                if self::failing(&subject, &baseline, &run, oracle)? > 0 {
                    found.insert(fault.name());
                }
            }
            subject.project.store.remove_run(run.id)?;
        }
        eprintln!(
            "{}, noise: {} by D, {} by T, {failing} clean steps fail",
            way.name(),
            found.d.len(),
            found.t.len()
        );
        row.noisy = Some((found, failing, subject.suite.steps()));
    }
    Ok(())
}

/// How many steps of a run fail by an oracle.
fn failing(subject: &Subject, baseline: &Run, run: &Run, oracle: &Oracle) -> Result<usize, Trouble> {
    Ok(judge(&subject.project.store, baseline, run, oracle)?.failing().count())
}
