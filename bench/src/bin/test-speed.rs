//! How fast `restage test` and its judging are on the bookstore, beside another build of restage: so that a change of
//! the design is seen to cost nothing.
//!
//! Each build makes the demo's project for itself, and works on its own. In turns, round by round: `restage test` on
//! the faulty release, from the start of the app to the report; and `restage compare` of a run that nobody judged yet.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use restage_bench::{
    OtherRun, Rounds, Table, Trouble, aim_met, restage_program, run_other, run_other_ending, run_program,
    wait_for_quiet,
};

/// The most that this build may take, as a part of what the other takes.
const MOST: f64 = 1.05;

/// How fast `restage test` is, beside another build of restage
#[derive(Debug, Parser)]
struct Args {
    /// Another build of the program, which this one may not be slower than
    #[arg(long, value_name = "PATH")]
    beside: Option<PathBuf>,
    /// How often each is measured, in turns
    #[arg(long, value_name = "N", default_value_t = 7)]
    rounds: usize,
    /// Shoppers of the bookstore
    #[arg(long, value_name = "N", default_value_t = 40)]
    shoppers: usize,
    /// The program [default: the one built beside this one]
    #[arg(long, value_name = "PATH")]
    restage: Option<PathBuf>,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args).map(aim_met))
}

fn measure(args: &Args) -> Result<bool, Trouble> {
    let folder = tempfile::tempdir()?;
    let mut builds =
        vec![Build::new(restage_program(args.restage.clone())?, folder.path(), "this", args.shoppers)?];
    if let Some(other) = &args.beside {
        builds.push(Build::new(
            restage_program(Some(other.clone()))?,
            folder.path(),
            "other",
            args.shoppers,
        )?);
    }
    let mut quiet = 0;
    for round in 0..args.rounds {
        quiet += usize::from(wait_for_quiet());
        // Who begins takes turns as well: the second finds the disk's caches warm.
        let first = round % builds.len();
        builds.rotate_left(first);
        builds.iter_mut().try_for_each(|build| build.round(round))?;
        builds.rotate_right(first);
    }
    println!("{quiet} of {} rounds began on a quiet machine\n", args.rounds);
    Ok(told(&builds))
}

/// Prints the figures; whether the aim is met.
fn told(builds: &[Build]) -> bool {
    let mut table =
        Table::new(2, &["", "build", "s", "CPU s", "s to the other", "CPU to the other", "peak MB"]);
    let mut met = true;
    for (number, what) in ["restage test", "restage compare"].into_iter().enumerate() {
        for build in builds {
            let figures = &build.figures[number];
            let other = (builds.len() > 1).then(|| &builds[1].figures[number]);
            let clock = other.map(|other| figures.clock.ratio_to(&other.clock));
            let processor = other.map(|other| figures.processor.ratio_to(&other.processor));
            met &= processor.is_none_or(|ratio| ratio <= MOST);
            let shown = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
            table.row(vec![
                what.to_owned(),
                build.name.to_owned(),
                format!("{:.2}", figures.clock.median()),
                format!("{:.2}", figures.processor.median()),
                shown(clock),
                shown(processor),
                (figures.peak >> 20).to_string(),
            ]);
        }
    }
    println!("{table}");
    met
}

/// A build of restage, with a project of its own.
struct Build {
    name: &'static str,
    program: PathBuf,
    project: PathBuf,
    /// Of `test`, and of `compare`.
    figures: [Figures; 2],
}

/// What a command took, round by round.
#[derive(Default)]
struct Figures {
    clock: Rounds,
    processor: Rounds,
    peak: u64,
}

impl Figures {
    fn add(&mut self, run: &OtherRun) {
        self.clock.add(run.took.as_secs_f64());
        self.processor.add(run.processor.as_secs_f64());
        self.peak = self.peak.max(run.peak);
    }
}

impl Build {
    fn new(program: PathBuf, folder: &Path, name: &'static str, shoppers: usize) -> Result<Self, Trouble> {
        let project = folder.join(name);
        let mut demo = Command::new(&program);
        run_other(demo.arg("demo").arg("--dir").arg(&project).arg("--shoppers").arg(shoppers.to_string()))?;
        Ok(Self { name, program, project, figures: [Figures::default(), Figures::default()] })
    }

    fn round(&mut self, round: usize) -> Result<(), Trouble> {
        let run = |args: &[&str], codes: &[i32]| {
            let mut command = Command::new(&self.program);
            run_other_ending(command.arg("--project").arg(&self.project).args(args), codes)
        };
        let test = run(&["test", "--app", "faulty"], &[1])?;
        let unjudged = format!("unjudged-{round}");
        run(&["replay", "--app", "faulty", "--into", &unjudged], &[0])?;
        let compare = run(&["compare", "baseline", &unjudged], &[1])?;
        self.figures[0].add(&test);
        self.figures[1].add(&compare);
        Ok(())
    }
}
