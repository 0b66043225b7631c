//! How fast a large access log is imported, beside GoAccess, which only counts, and beside awk, which only splits; and
//! whether memory stays as it is, however large the log.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use restage_bench::{
    Rounds, Table, Trouble, peak_memory_of, restage_program, run_program, stop_on_interrupt, unless_stopped,
    wait_for_quiet, write_access_log,
};

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
    run_program(measure)
}

fn measure(args: Args) -> Result<(), Trouble> {
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
    let mut quiet = 0;
    for round in 0..args.rounds {
        quiet += usize::from(wait_for_quiet());
        for (number, subject) in subjects.iter_mut().enumerate() {
            unless_stopped(&stop)?;
            let own = folder.path().join(format!("{round}-{number}"));
            std::fs::create_dir(&own)?;
            subject.run(number, &restage, &log, &packed, &own)?;
            std::fs::remove_dir_all(&own)?;
        }
    }
    println!("{lines} lines, {} MB\n", args.megabytes);
    let mut table = Table::new(1, &["", "s", "lines/s", "MB/s", "to GoAccess", "peak MB"]);
    for subject in &subjects {
        let seconds = subject.rounds.median();
        table.row(vec![
            subject.name.to_owned(),
            format!("{seconds:.1}"),
            format!("{:.0}", lines as f64 / seconds),
            format!("{:.0}", args.megabytes as f64 / seconds),
            format!("{:.2}", subjects[0].rounds.ratio_to(&subject.rounds)),
            format!("{}", subject.peak >> 20),
        ]);
    }
    println!("{table}\n{quiet} of {} rounds began on a quiet machine.\n", args.rounds);
    memory(&args.megabytes, &restage, folder.path())
}

/// The memory of an import of a part of the log, and of more of it.
fn memory(megabytes: &u64, restage: &Path, folder: &Path) -> Result<(), Trouble> {
    let mut table = Table::new(1, &["log", "peak MB"]);
    for part in [8, 4, 2, 1] {
        let own = folder.join(format!("part-{part}"));
        std::fs::create_dir(&own)?;
        let log = own.join("access.log");
        write_access_log(&log, (megabytes << 20) / part)?;
        let (_, peak) =
            run(Command::new(restage).args(["import", "--quiet", "access.log"]).current_dir(&own))?;
        table.row(vec![format!("{} MB", megabytes / part), (peak >> 20).to_string()]);
        std::fs::remove_dir_all(&own)?;
    }
    println!("{table}");
    Ok(())
}

struct Subject {
    name: &'static str,
    rounds: Rounds,
    peak: u64,
}

impl Subject {
    fn new(name: &'static str) -> Self {
        Self { name, rounds: Rounds::default(), peak: 0 }
    }

    fn run(
        &mut self,
        number: usize,
        restage: &Path,
        log: &Path,
        packed: &Path,
        own: &Path,
    ) -> Result<(), Trouble> {
        const SPLIT: &str = r#"{ n[$1] += $10; s[$9]++ } END { print length(n), length(s) }"#;
        let mut command = match number {
            0 => {
                let mut command = Command::new("goaccess");
                command.arg(log).args(["--log-format=COMBINED", "--no-progress", "-o", "out.json"]);
                command
            }
            1 => {
                let mut command = Command::new("awk");
                command.arg(SPLIT).arg(log);
                command
            }
            2 => {
                let mut command = Command::new("sh");
                command.arg("-c").arg(format!("zcat '{}' | awk '{SPLIT}'", packed.display()));
                command
            }
            _ => {
                let mut command = Command::new(restage);
                command.args(["import", "--quiet"]).arg(if number == 3 { log } else { packed });
                command
            }
        };
        let (took, peak) = run(command.current_dir(own))?;
        self.rounds.add(took.as_secs_f64());
        self.peak = self.peak.max(peak);
        Ok(())
    }
}

/// Runs a command to its end: how long it took, and the most memory it had.
fn run(command: &mut Command) -> Result<(Duration, u64), Trouble> {
    let begun = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        peak = peak.max(peak_memory_of(child.id()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(20));
    };
    let took = begun.elapsed();
    if status.success() { Ok((took, peak)) } else { Err(format!("{command:?} failed: {status}").into()) }
}
