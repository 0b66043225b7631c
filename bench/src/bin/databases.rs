//! What it costs to save and restore a large database of which a session changed ten rows, beside the ways people put
//! a database back today; and how much a suite's snapshots take.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Parser;
use restage_bench::{
    DatabaseSubject, MariaDbSubject, PostgresSubject, Rounds, Table, Trouble, run_program, stop_on_interrupt,
    unless_stopped, wait_for_quiet,
};
use restage_state::{SnapshotStore, State, StateSpec};

/// What it costs to save and restore a large database
#[derive(Debug, Parser)]
struct Args {
    /// How many megabytes of rows
    #[arg(long, value_name = "MB", default_value_t = 1000)]
    size: u64,
    /// How often the ways of today are measured, each in turn with restage
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// How many sessions the suite has
    #[arg(long, value_name = "N", default_value_t = 200)]
    sessions: u64,
    /// Only this engine: postgres or mariadb
    #[arg(long, value_name = "ENGINE")]
    only: Option<String>,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args))
}

fn measure(args: &Args) -> Result<(), Trouble> {
    let stop = stop_on_interrupt()?;
    let wanted = |name: &str| args.only.as_deref().is_none_or(|only| only == name);
    if wanted("postgres") {
        study(args, &mut PostgresSubject::start()?, &stop)?;
    }
    if wanted("mariadb") {
        study(args, &mut MariaDbSubject::start()?, &stop)?;
    }
    Ok(())
}

/// Seconds.
#[derive(Default)]
struct Figures {
    save: Rounds,
    restore: Rounds,
    both: Rounds,
}

impl Figures {
    fn add(&mut self, save: f64, restore: f64) {
        self.save.add(save);
        self.restore.add(restore);
        self.both.add(save + restore);
    }

    fn row(&self, name: &str, restage: Option<(&Figures, f64)>) -> Vec<String> {
        let ms = |rounds: &Rounds| format!("{:.1}", rounds.median() * 1000.0);
        let (ratio, aim) = match restage {
            Some((restage, aim)) => {
                (format!("**{:.0}**", self.both.ratio_to(&restage.both)), format!("{aim:.0}"))
            }
            None => ("1".to_owned(), String::new()),
        };
        vec![name.to_owned(), ms(&self.save), ms(&self.restore), ratio, aim]
    }
}

fn study(args: &Args, subject: &mut dyn DatabaseSubject, stop: &AtomicBool) -> Result<(), Trouble> {
    eprintln!("filling {} MB", args.size);
    subject.fill(args.size)?;
    let size = subject.size()?;
    let folder = tempfile::tempdir()?;
    let snapshot_file = folder.path().join("snapshots.db");
    let spec = StateSpec { databases: vec![subject.spec()?], ..StateSpec::default() };
    let begun = Instant::now();
    let mut state = State::open(&spec, SnapshotStore::open(&snapshot_file)?)?;
    state.save("first")?;
    let first = begun.elapsed().as_secs_f64();
    let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    println!(
        "## {}: a database of {}\n\nThe first save reads all of it: {first:.1} s; the snapshot store then takes {}.\n",
        subject.name(),
        megabytes(size),
        megabytes(snapshot_file_size(&snapshot_file)?)
    );
    let mut number = 0;
    let mut restage = Figures::default();
    let mut rows = Vec::new();
    for (at, way) in subject.ways().iter().enumerate() {
        let (mut figures, mut beside) = (Figures::default(), Figures::default());
        for _ in 0..args.rounds {
            unless_stopped(stop)?;
            wait_for_quiet();
            let (save, restore) = with_restage(&mut state, subject, &mut number)?;
            beside.add(save, restore);
            restage.add(save, restore);
            // Its notes are none of the other's business.
            drop(state);
            let begun = Instant::now();
            subject.save(at)?;
            let saved = begun.elapsed().as_secs_f64();
            subject.session(number)?;
            let begun = Instant::now();
            subject.restore(at)?;
            figures.add(saved, begun.elapsed().as_secs_f64());
            state = State::open(&spec, SnapshotStore::open(&snapshot_file)?)?;
            state.replace("known")?;
        }
        rows.push(figures.row(way.name, Some((&beside, way.aim))));
    }
    for _ in 0..20 {
        unless_stopped(stop)?;
        let (save, restore) = with_restage(&mut state, subject, &mut number)?;
        restage.add(save, restore);
    }
    let mut table = Table::new(1, &["ten rows changed", "save, ms", "restore, ms", "times restage", "aim"]);
    table.row(restage.row("restage", None));
    rows.into_iter().for_each(|row| table.row(row));
    println!("{table}");
    suite(args, &mut state, subject, &snapshot_file, &mut number, stop)
}

/// A session, a save after it, and a restore of what was before it.
fn with_restage(
    state: &mut State,
    subject: &mut dyn DatabaseSubject,
    number: &mut u64,
) -> Result<(f64, f64), Trouble> {
    *number += 1;
    state.replace("before")?;
    subject.session(*number)?;
    let begun = Instant::now();
    state.replace("after")?;
    let saved = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    state.restore("before")?;
    Ok((saved, begun.elapsed().as_secs_f64()))
}

/// What a suite's snapshots take beyond one full copy.
fn suite(
    args: &Args,
    state: &mut State,
    subject: &mut dyn DatabaseSubject,
    snapshot_file: &std::path::Path,
    number: &mut u64,
    stop: &AtomicBool,
) -> Result<(), Trouble> {
    state.snapshot_store_mut().collect_garbage()?;
    state.replace("known")?;
    let full = snapshot_file_size(snapshot_file)?;
    let begun = Instant::now();
    for session in 0..args.sessions {
        unless_stopped(stop)?;
        *number += 1;
        state.save(&format!("suite/{session}"))?;
        subject.session(*number)?;
    }
    let more = snapshot_file_size(snapshot_file)?.saturating_sub(full);
    println!(
        "{} sessions of ten rows each, a snapshot before each: {:.1} s; they take {:.1} KB, {:.2} % of one full copy (aim: 2 %).\n",
        args.sessions,
        begun.elapsed().as_secs_f64(),
        more as f64 / 1e3,
        100.0 * more as f64 / full as f64
    );
    Ok(())
}

/// The snapshot store's file with what is still in its journal.
fn snapshot_file_size(file: &std::path::Path) -> Result<u64, Trouble> {
    let checkpoint = rusqlite::Connection::open(file)?;
    checkpoint.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(std::fs::metadata(file)?.len())
}
