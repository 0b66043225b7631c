//! What regenerated suites cover and find (paper 4's tables 2, 3 and 4, and figure 4): sequences at random, by DU, by VADU, and by VADU that
//! goes on from what it found.
//!
//! Subjects are projects whose users were recorded: `scripts/subjects/regeneration` makes them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use restage_bench::{
    Made, RegeneratedSubject, RegenerationProject, RegenerationStudy, StartingSuite, Technique, Trouble,
    count_code, draw_starting, regeneration_figures, restage_program, run_program,
};
use restage_model::RunKind;
use restage_store::{FactsOf, Store};

/// What regenerated suites cover and find
#[derive(Debug, Parser)]
struct Args {
    /// A subject whose users were recorded; its folder is called as it is
    #[arg(long, value_name = "DIR")]
    subject: Option<PathBuf>,
    /// What coverage of the subject counts: branches or lines
    #[arg(long, value_name = "KIND", default_value = "branches")]
    counts: String,
    /// The subject's source code, in its folder
    #[arg(long, value_name = "DIR", default_value = "app")]
    code: PathBuf,
    /// How many starting suites
    #[arg(long, value_name = "N", default_value_t = 10)]
    suites: usize,
    /// On how many of them VADU is run without one of its parts, too
    #[arg(long, value_name = "N", default_value_t = 3)]
    parts: usize,
    /// Each technique sends so many requests of new sessions at the most
    #[arg(long, value_name = "N")]
    max_requests: Option<usize>,
    /// VADU with several definitions of one kind before a use, too
    #[arg(long)]
    chains: bool,
    /// VADU in one round only
    #[arg(long)]
    one_round: bool,
    /// Where what was measured is kept, a file for each subject
    #[arg(long, value_name = "DIR", default_value = "bench/regeneration")]
    results: PathBuf,
    /// Make tables and box plots of these subjects' results, in this order
    #[arg(long, value_name = "NAME", num_args = 1.., conflicts_with = "subject")]
    report: Vec<String>,
    /// Where the tables go, beside standard output
    #[arg(long, value_name = "FILE", default_value = "bench/regeneration.md")]
    into: PathBuf,
    /// Where the box plots go
    #[arg(long, value_name = "FILE", default_value = "bench/regeneration.svg")]
    svg: PathBuf,
    /// The restage program [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    restage: Option<PathBuf>,
}

fn main() -> ExitCode {
    run_program(|args: Args| study(&args))
}

fn study(args: &Args) -> Result<(), Trouble> {
    if let Some(folder) = &args.subject {
        return measure(args, folder);
    }
    let mut study = RegenerationStudy { subjects: Vec::new() };
    for name in &args.report {
        let path = result_file(&args.results, name);
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        study.subjects.push(serde_json::from_str(&text)?);
    }
    println!("{study}");
    write(&args.into, &study.to_string())?;
    write(&args.svg, &regeneration_figures(&study.subjects))
}

/// Makes starting suites, and runs each technique on each of them. What was measured is written after each suite: whoever stops it keeps
/// that.
fn measure(args: &Args, folder: &Path) -> Result<(), Trouble> {
    std::fs::create_dir_all(&args.results)?;
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let project = RegenerationProject::new(
        folder,
        restage_program(args.restage.clone())?,
        &args.counts,
        args.max_requests,
    );
    project.baseline()?;
    let store = || Store::open(&folder.join(".restage/restage.db"));
    let (drawn, mut subject) = {
        let mut store = store()?;
        let runs = store.runs()?;
        let baseline =
            runs.iter().rev().find(|run| run.kind == RunKind::Baseline).ok_or("there is no baseline")?;
        let all = store.suite(baseline.suite)?;
        let coverage = store.coverage(baseline.id, FactsOf::Run)?;
        let branches = args.counts == "branches";
        let subject = RegeneratedSubject {
            name: name.clone(),
            counts: args.counts.clone(),
            max_requests: args.max_requests,
            users: Made { sequences: all.sessions.len(), requests: all.steps() },
            users_cover: if branches { coverage.branches() } else { coverage.lines() },
            code: count_code(&folder.join(&args.code), &store.outlines(baseline.id)?),
            suites: Vec::new(),
        };
        (draw_starting(&mut store, baseline, &all, branches, args.suites)?, subject)
    };
    for (number, drawn) in drawn.iter().enumerate() {
        let start = project.reduced(drawn)?;
        let size = {
            let store = store()?;
            let suite = store.suite_named(&start)?.ok_or("the suite is gone")?;
            let suite = store.suite(suite)?;
            Made { sequences: suite.sessions.len(), requests: suite.steps() }
        };
        let mut suite = StartingSuite::of(size);
        project.run(&start, drawn.seed, Technique::Random, &mut suite)?;
        project.run(&start, drawn.seed, Technique::Du, &mut suite)?;
        // Its first round is VADU.
        let vadu = if args.one_round { Technique::Vadu } else { Technique::Feedback };
        project.run(&start, drawn.seed, vadu, &mut suite)?;
        if args.chains {
            project.run(&start, drawn.seed, Technique::Chained, &mut suite)?;
        }
        for technique in Technique::ABLATIONS.into_iter().filter(|_| number < args.parts) {
            project.run(&start, drawn.seed, technique, &mut suite)?;
        }
        let gains: Vec<String> = suite
            .outcomes
            .keys()
            .map(|t| format!("{} {:.1} %", t.name(), suite.coverage_gain(*t).unwrap_or(0.0)))
            .collect();
        eprintln!("{name}, suite {} of {}: {}", number + 1, args.suites, gains.join(", "));
        subject.suites.push(suite);
        write(&result_file(&args.results, &name), &serde_json::to_string_pretty(&subject)?)?;
    }
    Ok(())
}

fn result_file(results: &Path, name: &str) -> PathBuf {
    results.join(format!("{name}.json"))
}

fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()).into())
}
