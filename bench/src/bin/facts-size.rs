//! How much room the facts of very many steps take, how long storing takes, and how much memory it takes to join their coverage.
//!
//! An application of 100,000 lines is made up: each step runs most of a common part, the files of its page, and ways of its own in some
//! files; it has a session, statements with values of its own, and now and then an error. Aims, for 10,000 steps: less than 50 MB in the store, and less than 50 MB
//! of memory to join the coverage of the run. Ends with 1 where an aim is missed.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use fastrand::Rng;
use restage_bench::{Table, Trouble, aim_met, peak_memory, run_program};
use restage_facts::{ErrorFact, FileOutline, Function, LineSet, SessionFacts, SqlFact, StepFacts};
use restage_model::{NewSuite, RunKind, StatePolicy, StepAt};
use restage_store::{FactsOf, NewRun, Store};

const LARGEST: u64 = 50 << 20;
const MOST_MEMORY: u64 = 50 << 20;
const LINES_OF_A_FILE: u32 = 500;
const COMMON_FILES: u32 = 60;
const PAGES: u32 = 120;
const STEPS_OF_A_SESSION: u32 = 20;

/// How much room the facts of very many steps take
#[derive(Debug, Parser)]
struct Args {
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    steps: u32,
    /// Lines of the application
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    lines: u32,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args).map(aim_met))
}

fn measure(args: &Args) -> Result<bool, Trouble> {
    let mut table = Table::new(
        1,
        &[
            "files with ways of their own",
            "store MB",
            "bytes a step",
            "seconds to store",
            "seconds to join",
            "more MB to join",
            "lines",
        ],
    );
    let mut well = true;
    for own in [2, 10, 40] {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("facts.db");
        let begun = Instant::now();
        let run = store_facts(&path, args, own)?;
        let stored = begun.elapsed();
        let size = std::fs::metadata(&path)?.len();
        let before = peak_memory().unwrap_or(0);
        let begun = Instant::now();
        let coverage = Store::open(&path)?.coverage(run, FactsOf::Run)?;
        let joined = begun.elapsed();
        let more = peak_memory().unwrap_or(0).saturating_sub(before);
        // Every step with ways of its own in forty files is the worst case, not the aim.
        well &= own == 40 || (size < LARGEST && more < MOST_MEMORY);
        table.row(vec![
            own.to_string(),
            format!("{:.1}", size as f64 / f64::from(1 << 20)),
            (size / u64::from(args.steps)).to_string(),
            format!("{:.1}", stored.as_secs_f64()),
            format!("{:.2}", joined.as_secs_f64()),
            format!("{:.1}", more as f64 / f64::from(1 << 20)),
            coverage.lines().to_string(),
        ]);
    }
    println!("{table}");
    Ok(well)
}

fn store_facts(path: &Path, args: &Args, own: u32) -> Result<restage_model::RunId, Trouble> {
    let mut store = Store::open_or_create(path)?;
    let suite = store.save_suite(NewSuite::of("recorded", "recorded", []))?.id;
    let new = NewRun {
        name: "r".to_owned(),
        kind: RunKind::Replay,
        suite,
        app: "default".to_owned(),
        policy: StatePolicy::Keep,
        as_recorded: false,
    };
    let run = store.begin_run(&new)?;
    let files = args.lines / LINES_OF_A_FILE;
    let mut rng = Rng::with_seed(7);
    let outlines: Vec<FileOutline> = (0..files).map(outline).collect();
    store.add_outlines(run, &outlines)?;
    let mut batch = Vec::new();
    for number in 0..args.steps {
        let at = StepAt { session: number / STEPS_OF_A_SESSION, step: number % STEPS_OF_A_SESSION };
        batch.push((at, step(&mut rng, number, files, own)));
        if batch.len() == 64 || number + 1 == args.steps {
            store.add_step_facts(run, &batch)?;
            batch.clear();
        }
    }
    // What is still in the log of changes is part of the size.
    store.compact()?;
    Ok(run)
}

fn file_name(file: u32) -> String {
    format!("src/module{}/Part{file}.php", file % 23)
}

fn outline(file: u32) -> FileOutline {
    let functions = (0..LINES_OF_A_FILE / 25).map(|f| Function {
        name: format!("part{file}_function{f}"),
        first: f * 25 + 1,
        last: f * 25 + 24,
    });
    FileOutline {
        file: file_name(file),
        lines: (1..=LINES_OF_A_FILE).filter(|line| line % 4 != 0).collect(),
        functions: functions.collect(),
        ..FileOutline::default()
    }
}

/// The lines of a file that run on a page; `way` is what differs from step to step.
fn lines(file: u32, page: u32, way: u64) -> LineSet {
    let mut rng = Rng::with_seed(u64::from(file) << 40 | u64::from(page) << 32 | way);
    let mut set = LineSet::new();
    for block in 0..LINES_OF_A_FILE / 10 {
        if rng.u32(..3) > 0 {
            (block * 10 + 1..=block * 10 + 9).filter(|line| line % 4 != 0).for_each(|line| set.insert(line));
        }
    }
    set
}

fn step(rng: &mut Rng, number: u32, files: u32, own: u32) -> StepFacts {
    let page = rng.u32(..PAGES);
    let mut facts = StepFacts { runtime: "php 8.2.31".to_owned(), ..StepFacts::default() };
    for file in 0..COMMON_FILES.min(files) {
        facts.lines.insert(file_name(file), lines(file, 0, 0));
    }
    for place in 0..20 {
        let file = COMMON_FILES + (page * 7 + place) % (files - COMMON_FILES).max(1);
        facts.lines.insert(file_name(file), lines(file, page, 0));
    }
    for file in 0..own {
        facts.lines.insert(file_name(file), lines(file, page, rng.u64(1..)));
    }
    let value = |name: &str| (name.to_owned(), format!("\"{name} of user {}\"", number / STEPS_OF_A_SESSION));
    let mut before: std::collections::BTreeMap<String, String> =
        ["user", "cart.total", "cart.items", "language", "flash", "csrf"].map(value).into_iter().collect();
    facts.session = Some(SessionFacts { before: Some(before.clone()), ..SessionFacts::default() });
    before.insert("last".to_owned(), number.to_string());
    if let Some(session) = &mut facts.session {
        session.after = Some(before);
    }
    for place in 0..8 {
        facts.sql.push(SqlFact {
            text: format!(
                "SELECT id, name, price FROM table{} WHERE id = ? AND owner = ?",
                (page + place) % 30
            ),
            bound: vec![rng.u32(..100_000).into(), number.into()],
            rows: Some(rng.u64(..20)),
            file: Some(file_name(place)),
            line: Some(17),
            ..SqlFact::default()
        });
    }
    if page == 0 {
        let (file, line) = (Some(file_name(3)), Some(9));
        facts.errors.push(ErrorFact {
            r#type: "Warning".to_owned(),
            message: "Undefined variable".to_owned(),
            file,
            line,
        });
    }
    facts
}
