//! How much faster a replay is on several copies of the application at once, and whether it finds the same.

use std::process::ExitCode;
use std::time::Instant;

use bookstore::Fault;
use clap::Parser;
use restage_bench::{
    Noise, Rounds, Subject, Table, Trouble, judge, requests, run_program, stop_on_interrupt, unless_stopped,
    wait_for_quiet,
};
use restage_model::{Groups, Run, RunId, RunKind, StatePolicy, StepAt};
use restage_oracle::Oracle;
use restage_replay::{Order, Replay, replay};

/// How much faster a replay is on several copies of the application at once
#[derive(Debug, Parser)]
struct Args {
    /// How often each is measured, in turns
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// How many milliseconds the application takes for a request; may be repeated
    #[arg(long, value_name = "MS", default_values_t = [0, 20, 100])]
    delay: Vec<u64>,
    /// How many copies, beside one; may be repeated
    #[arg(long, value_name = "N", default_values_t = [2, 4])]
    jobs: Vec<u16>,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args))
}

fn measure(args: &Args) -> Result<(), Trouble> {
    let stop = stop_on_interrupt()?;
    // Without noise, the answers must be the same to the byte.
    let mut subject = Subject::record(Noise::Off, stop.clone())?;
    let baseline = subject.baseline("baseline")?;
    println!("{} sessions, {} steps\n", subject.suite.sessions.len(), subject.suite.steps());
    let head = ["ms a request", "jobs", "seconds", "times as fast", "same answers", "same verdicts"];
    let mut table = Table::new(0, &head);
    let mut quiet = 0;
    for &delay in &args.delay {
        let mut figures = vec![Rounds::default(); args.jobs.len() + 1];
        let (mut answers, mut verdicts) = (vec![0; figures.len()], vec![true; figures.len()]);
        for round in 0..args.rounds {
            quiet += usize::from(wait_for_quiet());
            let mut alone = None;
            for (column, jobs) in std::iter::once(1).chain(args.jobs.iter().copied()).enumerate() {
                unless_stopped(&stop)?;
                let name = format!("{delay}-{jobs}-{round}");
                let seen = replayed(&mut subject, &baseline, name, delay, jobs)?;
                figures[column].add(seen.seconds);
                let alone = alone.get_or_insert_with(|| seen.clone());
                answers[column] = seen.answers.iter().zip(&alone.answers).filter(|(a, b)| a == b).count();
                verdicts[column] &= seen.failing == alone.failing;
            }
        }
        for (column, jobs) in std::iter::once(1).chain(args.jobs.iter().copied()).enumerate() {
            table.row(vec![
                delay.to_string(),
                jobs.to_string(),
                format!("{:.2}", figures[column].median()),
                format!("{:.2}", figures[0].ratio_to(&figures[column])),
                format!("{}/{}", answers[column], subject.suite.steps()),
                if verdicts[column] { "yes" } else { "no" }.to_owned(),
            ]);
        }
    }
    println!("{table}\n{quiet} of {} rounds began on a quiet machine.", args.rounds * args.delay.len());
    Ok(())
}

/// A replay: how long it took from its beginning to its end, what was answered, and which steps fail.
#[derive(Clone)]
struct Seen {
    seconds: f64,
    answers: Vec<(u16, bytes::Bytes)>,
    failing: Vec<StepAt>,
}

fn replayed(
    subject: &mut Subject,
    baseline: &Run,
    name: String,
    delay: u64,
    jobs: u16,
) -> Result<Seen, Trouble> {
    // With a fault, so that there are verdicts to compare.
    let mut app = subject.app(&[Fault::ALL[0]])?;
    app.command.push_str(&format!(" --delay {delay}"));
    let asked = Replay {
        name,
        kind: RunKind::Replay,
        suite: &subject.suite,
        app: &app,
        policy: StatePolicy::Restore,
        reference: Some(baseline.id),
        order: if jobs > 1 { Order::Jobs(jobs) } else { Order::InTurn },
        only: None,
        groups: Groups::default(),
        as_recorded: false,
    };
    let begun = Instant::now();
    let run = replay(&mut subject.project, &asked, &mut |_| {})?;
    let seconds = begun.elapsed().as_secs_f64();
    let store = &mut subject.project.store;
    let comparison = judge(store, baseline, &run, &"C-WD | N+I".parse::<Oracle>()?)?;
    let failing = comparison.failing().map(|verdict| verdict.at).collect();
    let answers = answers(store, run.id)?;
    store.remove_run(run.id)?;
    Ok(Seen { seconds, answers, failing })
}

fn answers(store: &restage_store::Store, run: RunId) -> Result<Vec<(u16, bytes::Bytes)>, Trouble> {
    Ok(requests(store, run)?.into_iter().map(|request| (request.status, request.page)).collect())
}
