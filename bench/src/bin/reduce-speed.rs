//! How long suites of very many sessions take to reduce, and how much memory.
//!
//! Aims, for 1,000,000 sessions over 10,000 keys: HGS and concept analysis in less than a minute each, in less than 4 GB;
//! concept analysis of sessions as they come: 50,000 a second. Processor time counts, since others may be at work on the
//! machine, and all runs on one thread. Ends with 1 where an aim is missed.

use std::collections::HashSet;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use restage_bench::{Table, Traffic, Trouble, aim_met, peak_memory, processor_time, run_program};
use restage_suite::reduce::{Concepts, Coverage, Technique, Ties, reduce};

const MINUTE: Duration = Duration::from_secs(60);
const MOST_MEMORY: u64 = 4 << 30;
const FEWEST_A_SECOND: f64 = 50_000.0;

/// How long suites of very many sessions take to reduce
#[derive(Debug, Parser)]
struct Args {
    /// Sessions
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    sessions: usize,
    /// Keys
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    keys: usize,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args).map(aim_met))
}

fn measure(args: &Args) -> Result<bool, Trouble> {
    let coverage = Traffic::new(args.keys, 7).sessions(args.sessions);
    let met = coverage.met(0..args.sessions);
    let distinct: HashSet<&[u32]> = (0..args.sessions).map(|s| coverage.set(s)).collect();
    let asked: usize = (0..args.sessions).map(|s| coverage.set(s).len()).sum();
    println!(
        "{} sessions, {} of them distinct, of {:.1} keys on average; {} of {} keys are asked for\n",
        args.sessions,
        distinct.len(),
        asked as f64 / args.sessions as f64,
        met.iter().filter(|m| **m).count(),
        args.keys
    );
    drop(distinct);
    let mut table = Table::new(1, &["by", "sessions kept", "seconds", "CPU s", "sessions/CPU s", "peak MB"]);
    let mut well = true;
    let mut row = |by: &str, kept: usize, took: Took| -> Result<(), Trouble> {
        let memory = peak_memory().ok_or("the system does not say how much memory was used")?;
        well &= took.processor < MINUTE && memory < MOST_MEMORY;
        let rate = args.sessions as f64 / took.processor.as_secs_f64();
        table.row(vec![
            by.to_owned(),
            kept.to_string(),
            format!("{:.2}", took.clock.as_secs_f64()),
            format!("{:.2}", took.processor.as_secs_f64()),
            format!("{rate:.0}"),
            (memory >> 20).to_string(),
        ]);
        Ok(())
    };
    for technique in [Technique::Hgs, Technique::Greedy, Technique::Concept] {
        let (kept, took) = timed(|| reduce(&coverage, technique, Ties::First));
        row(&technique.to_string(), kept.len(), took)?;
        if coverage.met(kept) != met {
            return Err(format!("{technique} has lost requirements").into());
        }
    }
    let (kept, took) = timed(|| one_by_one(&coverage));
    row("concept, one by one", kept, took)?;
    let rate = args.sessions as f64 / took.processor.as_secs_f64();
    println!("{table}");
    Ok(well && rate >= FEWEST_A_SECOND)
}

/// Concept analysis of sessions as they come; how many are kept.
fn one_by_one(coverage: &Coverage) -> usize {
    let mut concepts = Concepts::new();
    for session in 0..coverage.sessions() {
        concepts.add(session as u64, coverage.set(session));
    }
    concepts.len()
}

/// What something took.
#[derive(Clone, Copy)]
struct Took {
    clock: Duration,
    processor: Duration,
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Took) {
    let (clock, processor) = (Instant::now(), processor_time());
    let done = work();
    (done, Took { clock: clock.elapsed(), processor: processor_time() - processor })
}
