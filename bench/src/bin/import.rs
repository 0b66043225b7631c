//! How fast a large access log is imported, beside GoAccess, which only counts, and beside awk, which only splits; whether
//! memory stays as it is, however large the log; and what it takes to tell the sessions of what was imported.
//!
//! Ends with 1 where an exchange is lost or made up, or an aim is missed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use restage_bench::{
    LogLines, OtherRun, Rounds, Table, Trouble, aim_met, restage_program, run_other, run_program,
    stop_on_interrupt, unless_stopped, wait_for_quiet, write_access_log,
};

/// How much faster than GoAccess it is to be.
const TIMES_GOACCESS: f64 = 2.0;
/// How much more memory a log ten times as large may take.
const MORE_MEMORY: f64 = 1.25;
/// What telling the sessions of a million exchanges may take, in bytes.
const A_MILLION: f64 = 150e6;

/// How fast a large access log is imported, beside GoAccess and awk
#[derive(Debug, Parser)]
struct Args {
    /// The size of the log
    #[arg(long, value_name = "MB", default_value_t = 1000)]
    megabytes: u64,
    /// How often each is measured, in turns
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// The restage program [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    restage: Option<PathBuf>,
}

fn main() -> ExitCode {
    run_program(|args| measure(args).map(aim_met))
}

fn measure(args: Args) -> Result<bool, Trouble> {
    let stop = stop_on_interrupt()?;
    let restage = restage_program(args.restage)?;
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("access.log");
    let lines = write_access_log(&log, args.megabytes << 20)?;
    let packed = folder.path().join("packed.log.gz");
    let zipped =
        Command::new("gzip").arg("-1c").arg(&log).stdout(std::fs::File::create(&packed)?).status()?;
    if !zipped.success() {
        return Err("gzip failed".into());
    }
    let mut subjects = [
        Subject::new("GoAccess, counting"),
        Subject::new("awk, splitting"),
        Subject::new("zcat and awk, splitting"),
        Subject::new("restage import"),
        Subject::new("restage import, packed"),
    ];
    let (mut quiet, mut well) = (0, true);
    let last = folder.path().join("last");
    for _ in 0..args.rounds {
        quiet += usize::from(wait_for_quiet());
        for (number, subject) in subjects.iter_mut().enumerate() {
            unless_stopped(&stop)?;
            let own = folder.path().join("own");
            std::fs::create_dir(&own)?;
            let run = run_other(command(number, &restage, &log, &packed).current_dir(&own))?;
            if number >= 3 {
                check(&run, lines)?;
            }
            subject.add(&run);
            // The store of the last import of the log as it is shows what comes after an import.
            if number == 3 {
                let _ = std::fs::remove_dir_all(&last);
                std::fs::rename(&own, &last)?;
            } else {
                std::fs::remove_dir_all(&own)?;
            }
        }
    }
    println!("{} lines, {} of them garbage, {} MB\n", lines.all, lines.garbage, args.megabytes);
    let titles = ["", "s", "CPU s", "lines/s", "MB/s", "to GoAccess", "CPU to GoAccess", "peak MB"];
    let mut table = Table::new(1, &titles);
    for subject in &subjects {
        let seconds = subject.clock.median();
        let ratio = subjects[0].clock.ratio_to(&subject.clock);
        well &= !subject.name.starts_with("restage") || ratio >= TIMES_GOACCESS;
        table.row(vec![
            subject.name.to_owned(),
            format!("{seconds:.1}"),
            format!("{:.1}", subject.processor.median()),
            format!("{:.0}", lines.all as f64 / seconds),
            format!("{:.0}", args.megabytes as f64 / seconds),
            format!("{ratio:.2}"),
            format!("{:.2}", subjects[0].processor.ratio_to(&subject.processor)),
            format!("{}", subject.peak >> 20),
        ]);
    }
    println!("{table}\n{quiet} of {} rounds began on a quiet machine.\n", args.rounds);
    well &= memory(args.megabytes, &restage, folder.path(), subjects[3].peak)?;
    well &= sessions(&restage, &last, lines.all - lines.garbage)?;
    Ok(well)
}

fn command(number: usize, restage: &Path, log: &Path, packed: &Path) -> Command {
    const SPLIT: &str = r#"{ n[$1] += $10; s[$9]++ } END { print length(n), length(s) }"#;
    let mut command = Command::new(["goaccess", "awk", "sh"].get(number).map_or(restage, Path::new));
    match number {
        0 => command.arg(log).args(["--log-format=COMBINED", "--no-progress", "-o", "out.json"]),
        1 => command.arg(SPLIT).arg(log),
        2 => command.arg("-c").arg(format!("zcat '{}' | awk '{SPLIT}'", packed.display())),
        _ => command.args(["import", "--quiet", "--json"]).arg(if number == 3 { log } else { packed }),
    };
    command
}

/// An error where an import lost a line, or made one up.
fn check(run: &OtherRun, lines: LogLines) -> Result<(), Trouble> {
    let told: serde_json::Value = serde_json::from_slice(&run.printed)?;
    let (added, unread) = (&told["added"], &told["unread"]);
    if *added == lines.all - lines.garbage && *unread == lines.garbage {
        return Ok(());
    }
    Err(format!("of {lines:?}, {added} were added and {unread} not read").into())
}

/// The memory of an import of a tenth of the log, and of all of it; whether it stayed.
fn memory(megabytes: u64, restage: &Path, folder: &Path, whole: u64) -> Result<bool, Trouble> {
    let own = folder.join("part");
    std::fs::create_dir(&own)?;
    write_access_log(&own.join("access.log"), (megabytes << 20) / 10)?;
    let part = run_other(Command::new(restage).args(["import", "--quiet", "access.log"]).current_dir(&own))?;
    std::fs::remove_dir_all(&own)?;
    let mut table = Table::new(1, &["log", "peak MB"]);
    table.row(vec![format!("{} MB", megabytes / 10), (part.peak >> 20).to_string()]);
    table.row(vec![format!("{megabytes} MB"), (whole >> 20).to_string()]);
    println!("{table}");
    Ok(whole as f64 <= part.peak as f64 * MORE_MEMORY)
}

/// What telling the sessions of an imported store takes; whether that is within the aim.
fn sessions(restage: &Path, project: &Path, exchanges: u64) -> Result<bool, Trouble> {
    let mut table = Table::new(2, &["exchanges", "then", "s", "CPU s", "peak MB"]);
    let mut well = true;
    for arguments in [
        &["sessions"][..],
        &["sessions", "--all", "--json"],
        &["sessions", "keys"],
        &["reduce", "recorded", "--by", "hgs", "--into", "small"],
    ] {
        let run = run_other(Command::new(restage).args(arguments).current_dir(project))?;
        well &= arguments != ["sessions"] || run.peak as f64 <= A_MILLION * (exchanges as f64 / 1e6).max(1.0);
        table.row(vec![
            exchanges.to_string(),
            format!("restage {}", arguments.join(" ")),
            format!("{:.1}", run.took.as_secs_f64()),
            format!("{:.1}", run.processor.as_secs_f64()),
            (run.peak >> 20).to_string(),
        ]);
    }
    println!("{table}");
    Ok(well)
}

struct Subject {
    name: &'static str,
    clock: Rounds,
    processor: Rounds,
    peak: u64,
}

impl Subject {
    fn new(name: &'static str) -> Self {
        Self { name, clock: Rounds::default(), processor: Rounds::default(), peak: 0 }
    }

    fn add(&mut self, run: &OtherRun) {
        self.clock.add(run.took.as_secs_f64());
        self.processor.add(run.processor.as_secs_f64());
        self.peak = self.peak.max(run.peak);
    }
}
