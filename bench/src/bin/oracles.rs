//! How well each comparator and each union of some does on the bookstore's faults: paper 2's study on one subject.
//!
//! First every fault with chance and the clock fixed: that is where it is true that a fault shows. Then with both
//! as they are, on several days, each fault beside a clean twin, judged in several ways.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Parser;
use restage_bench::{
    Against, Calibrated, Case, CleanPairs, Day, Judging, OracleStudy, Seen, Shown, Subject, Trial, Trouble,
    Truth, run_program, seen, stop_on_interrupt, wrongly,
};
use restage_model::Run;
use restage_store::Store;

/// The days that runs are on: other days, months and years, as paper 2's nine executions were. None is a day that
/// calibrate looks at.
const DAYS: [u32; 9] = [2, 5, 7, 11, 30, 92, 184, 365, 731];

/// Precision, recall and F-measure of the oracles
#[derive(Debug, Parser)]
struct Args {
    /// Where the tables go, beside standard output; figures go beside them
    #[arg(long, value_name = "FILE", default_value = "bench/oracles.md")]
    into: PathBuf,
    /// Say which steps are judged wrongly after calibrate, and what is masked there
    #[arg(long)]
    tell: bool,
}

fn main() -> ExitCode {
    run_program(|args: Args| study(&args))
}

fn study(args: &Args) -> Result<(), Trouble> {
    let begun = Instant::now();
    DAYS.iter().try_for_each(|&day| Day(day).is_believed())?;
    let stop = stop_on_interrupt()?;
    let truth = Truth::find(stop.clone())?;
    eprintln!("chance and the clock fixed: {} s", begun.elapsed().as_secs());
    let Noisy { pairs, calibrated, trials } = noisy(args, stop, &truth)?;
    eprintln!("as they are: {} s", begun.elapsed().as_secs());
    let study = OracleStudy {
        steps: truth.lengths.iter().sum(),
        days: DAYS.to_vec(),
        in_state: truth.faults.iter().filter(|shown| shown.in_state()).cloned().collect(),
        pairs,
        calibrated,
        trials: std::iter::once(truth.trial()).chain(trials).collect(),
    };
    println!("{study}\n{}", study.aims());
    for file in study.write(&args.into)? {
        eprintln!("wrote {}", file.display());
    }
    eprintln!("{} s in all", begun.elapsed().as_secs());
    Ok(())
}

/// What runs with chance and the clock as they are show.
struct Noisy {
    pairs: CleanPairs,
    calibrated: Calibrated,
    trials: Vec<Trial>,
}

/// Every fault with chance and the clock as they are, judged in each way; and the clean release against itself.
fn noisy(args: &Args, stop: Arc<AtomicBool>, truth: &Truth) -> Result<Noisy, Trouble> {
    let mut subject = Subject::noisy(stop, &truth.lengths)?;
    let baseline = subject.baseline("baseline")?;
    let calibrated = subject.calibrated(&baseline)?;
    let mut ways = ways(&subject.project.store, &baseline, &calibrated)?;
    let mut clean_runs = Vec::new();
    for (number, shown) in truth.in_pages().enumerate() {
        let day = Day(DAYS[number % DAYS.len()]);
        let name = shown.fault.name();
        let faulty = subject.replayed_on(day, &baseline, name, &[shown.fault])?;
        let clean = subject.replayed_on(day, &baseline, &format!("clean beside {name}"), &[])?;
        let verdicts = |run: &Run| verdicts(&subject.project.store_path, &baseline, run, &ways);
        let (in_faulty, in_clean) = std::thread::scope(|scope| {
            let in_faulty = scope.spawn(|| verdicts(&faulty));
            let in_clean = verdicts(&clean);
            (in_faulty.join(), in_clean)
        });
        let in_faulty = in_faulty.map_err(|_| "a thread that judges has panicked")??;
        for (((_, trial), faulty), clean) in ways.iter_mut().zip(in_faulty).zip(in_clean?) {
            trial.cases.push(Case { fault: shown.fault, faulty: shown.beside(faulty), clean });
        }
        let store = &mut subject.project.store;
        if args.tell {
            tell(store, &ways, shown, &faulty, &clean)?;
        }
        store.remove_run(faulty.id)?;
        if clean_runs.len() < DAYS.len() {
            clean_runs.push(clean);
        } else {
            store.remove_run(clean.id)?;
        }
    }
    let pairs = CleanPairs::of(&subject.project.store, &clean_runs)?;
    Ok(Noisy { pairs, calibrated, trials: ways.into_iter().map(|(_, trial)| trial).collect() })
}

/// Which steps the last of the ways judges wrongly.
fn tell(
    store: &Store,
    ways: &[(Judging, Trial)],
    shown: &Shown,
    faulty: &Run,
    clean: &Run,
) -> Result<(), Trouble> {
    let Some((judging, _)) = ways.last() else { return Ok(()) };
    if let Some(said) = judging.comparison(store, faulty)? {
        wrongly(&said, shown.steps.iter().map(|step| step.shows)).iter().for_each(|line| eprintln!("{line}"));
    }
    if let Some(said) = judging.comparison(store, clean)? {
        wrongly(&said, std::iter::repeat(false)).iter().for_each(|line| eprintln!("{line}"));
    }
    Ok(())
}

/// By whom each step of a run fails, in each way.
fn verdicts(
    store: &Path,
    baseline: &Run,
    run: &Run,
    ways: &[(Judging, Trial)],
) -> Result<Vec<Vec<Seen>>, Trouble> {
    let store = Store::open(store)?;
    let steps = seen(&store, baseline, run)?;
    ways.iter().map(|(judging, _)| judging.verdicts(&store, run, &steps)).collect()
}

/// The ways to judge, each with a trial that has no cases yet. A further way is a further entry.
fn ways(store: &Store, baseline: &Run, calibrated: &Calibrated) -> Result<Vec<(Judging, Trial)>, Trouble> {
    let ways = [
        (
            Judging::Alone,
            "alone",
            "Chance and the clock as they are",
            "Dates, tokens, recommendations and ties are as they come. Each comparator is on its own, as in the paper.",
        ),
        (
            Judging::Test(Box::new(Against::of(store, baseline, None)?)),
            "checked",
            "As they are, and checked for noise",
            "What `restage test --oracle` says: Flist, Errors and Headers always count, the parts in which the baseline\n\
             differs from its check are masked, and a comparator that sees more vary gives way to those below it.",
        ),
        (
            Judging::Test(Box::new(Against::of(store, baseline, Some(calibrated.clone()))?)),
            "calibrated",
            "As they are, and calibrated",
            "What `restage test` says after `restage calibrate`, which has replayed the trusted release five times on days\n\
             that no other run is on: what varied is masked, and each page has the strictest oracle that saw nothing else vary.",
        ),
    ];
    let trial = |(judging, name, title, about): (Judging, _, _, _)| {
        let (always, usual) = (judging.always(), judging.usual());
        (judging, Trial { name, title, about, always, usual, cases: Vec::new() })
    };
    Ok(ways.map(trial).into())
}
