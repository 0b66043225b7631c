//! How large a report of very many failing steps is, how much memory it takes to judge and write, and how long a browser needs to open it.
//!
//! A server of large pages is replayed as two versions: every page of the second differs. Aims, for 10,000 steps of 100 KB: `restage test --html` in less than
//! 300 MB, a report of less than 30 MB, the files beside it included, open in Chromium in less than 5 s. And `restage demo` with 2,000 shoppers in less than 150 MB.
//! Ends with 1 where an aim is missed.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use restage_bench::{Table, Trouble, aim_met, restage_program, run_other_ending, run_program};

const MOST_MEMORY: u64 = 300 << 20;
const LARGEST_REPORT: u64 = 30 << 20;
const LONGEST: Duration = Duration::from_secs(5);
const DEMO_MEMORY: u64 = 150 << 20;
/// Steps of a session.
const STEPS: usize = 20;

/// How large a report of very many failing steps is
#[derive(Debug, Parser)]
struct Args {
    /// Failing steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    steps: usize,
    /// The size of a page, in KB
    #[arg(long, value_name = "KB", default_value_t = 100)]
    page: usize,
    /// Shoppers of the demo; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    shoppers: usize,
    /// The program [default: the one built beside this one]
    #[arg(long, value_name = "PATH")]
    restage: Option<PathBuf>,
    /// The browser; none leaves the opening out
    #[arg(long, value_name = "PATH", default_value = "chromium")]
    chromium: String,
    /// Serve pages of this version on this port, and nothing else
    #[arg(long, value_name = "PORT", requires = "version", hide = true)]
    serve: Option<u16>,
    /// Which
    #[arg(long, value_name = "N", hide = true)]
    version: Option<u32>,
}

fn main() -> ExitCode {
    run_program(|args: Args| match args.serve {
        Some(port) => serve(port, args.version.unwrap_or(1), args.page).map(|()| ExitCode::SUCCESS),
        None => measure(&args).map(aim_met),
    })
}

fn measure(args: &Args) -> Result<bool, Trouble> {
    let restage = restage_program(args.restage.clone())?;
    let folder = tempfile::tempdir()?;
    let mut table = Table::new(1, &["", "seconds", "peak MB", "report MB", "files MB", "opens in s"]);
    let mut well = true;
    if args.steps > 0 {
        prepare(args, &restage, folder.path())?;
        let report = folder.path().join("report.html");
        let (took, memory) = run(&restage, folder.path(), &["test", "--html", "report.html"], &[0, 1])?;
        let (size, beside) = (size_of(&report), size_of(&folder.path().join("report.files")));
        let opened = open(&args.chromium, &report)?;
        well &= memory < MOST_MEMORY && size + beside < LARGEST_REPORT && opened.is_none_or(|o| o < LONGEST);
        table.row(vec![
            format!("{} failing steps of {} KB", args.steps, args.page),
            format!("{:.1}", took.as_secs_f64()),
            (memory >> 20).to_string(),
            format!("{:.1}", size as f64 / f64::from(1 << 20)),
            format!("{:.1}", beside as f64 / f64::from(1 << 20)),
            opened.map_or_else(String::new, |opened| format!("{:.1}", opened.as_secs_f64())),
        ]);
    }
    if args.shoppers > 0 {
        let shoppers = args.shoppers.to_string();
        let demo = ["demo", "--dir", "demo", "--shoppers", &shoppers];
        let (took, memory) = run(&restage, folder.path(), &demo, &[0])?;
        well &= memory < DEMO_MEMORY;
        let report = size_of(&folder.path().join("demo/report.html"));
        table.row(vec![
            format!("restage demo, {shoppers} shoppers"),
            format!("{:.1}", took.as_secs_f64()),
            (memory >> 20).to_string(),
            format!("{:.1}", report as f64 / f64::from(1 << 20)),
            String::new(),
            String::new(),
        ]);
    }
    println!("{table}");
    Ok(well)
}

/// A project with a baseline of the first version; the version under test is the second.
fn prepare(args: &Args, restage: &Path, folder: &Path) -> Result<(), Trouble> {
    let program = std::env::current_exe()?;
    let command = |version: u32| {
        format!("exec '{}' --serve {{port}} --version {version} --page {}", program.display(), args.page)
    };
    std::fs::write(
        folder.join("restage.toml"),
        format!("[app]\ncommand = \"{}\"\n\n[app.baseline]\ncommand = \"{}\"\n", command(2), command(1)),
    )?;
    let mut log = String::new();
    for number in 0..args.steps {
        let (session, step) = (number / STEPS, number % STEPS);
        log += &format!(
            "10.{}.{}.{} - - [10/Nov/2026:{:02}:{:02}:{:02} +0000] \"GET /page/{session}/{step} HTTP/1.1\" 200 {} \"-\" \"Mozilla/5.0 (X11; Linux x86_64)\"\n",
            session >> 16,
            session >> 8 & 255,
            session & 255,
            step / 3600,
            step / 60 % 60,
            step % 60,
            args.page << 10
        );
    }
    std::fs::write(folder.join("access.log"), log)?;
    run(restage, folder, &["import", "access.log"], &[0])?;
    run(restage, folder, &["baseline"], &[0])?;
    Ok(())
}

/// Runs restage in a project, and says how long it took and the most memory it had.
fn run(restage: &Path, folder: &Path, args: &[&str], codes: &[i32]) -> Result<(Duration, u64), Trouble> {
    eprintln!("restage {}", args.join(" "));
    let run = run_other_ending(Command::new(restage).current_dir(folder).arg("--quiet").args(args), codes)?;
    Ok((run.took, run.peak))
}

/// How long a browser takes to load and draw a file; none where there is no such browser.
fn open(chromium: &str, file: &Path) -> Result<Option<Duration>, Trouble> {
    let picture = file.with_extension("png");
    let begun = Instant::now();
    let status = Command::new(chromium)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", file.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    Ok(status.ok().filter(|status| status.success()).map(|_| begun.elapsed()))
}

/// The size of a file, or of all files in a folder.
fn size_of(path: &Path) -> u64 {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| size_of(&entry.path())).sum(),
        Err(_) => path.metadata().map_or(0, |file| file.len()),
    }
}

/// Serves pages, each of its own address.
fn serve(port: u16, version: u32, kilobytes: usize) -> Result<(), Trouble> {
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    for stream in listener.incoming() {
        let stream = stream?;
        std::thread::spawn(move || answer(stream, version, kilobytes));
    }
    Ok(())
}

fn answer(stream: TcpStream, version: u32, kilobytes: usize) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut out = stream.try_clone().ok()?;
    let mut lines = BufReader::new(stream).lines();
    loop {
        let first = lines.next()?.ok()?;
        let path = first.split(' ').nth(1)?.to_owned();
        while !lines.next()?.ok()?.is_empty() {}
        let page = page(&path, version, kilobytes);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\r\n",
            page.len()
        );
        out.write_all(head.as_bytes()).ok()?;
        out.write_all(page.as_bytes()).ok()?;
    }
}

/// A page of rows. What differs from version to version is another row on each of a hundred kinds of pages.
fn page(path: &str, version: u32, kilobytes: usize) -> String {
    let kind = path.bytes().fold(7u64, |sum, b| sum.wrapping_mul(31).wrapping_add(u64::from(b))) % 100;
    let mut page =
        format!("<!DOCTYPE html><html><head><title>{path}</title></head><body><h1>{path}</h1><table>\n");
    let mut chance = fastrand::Rng::with_seed(kind);
    let mut row = 0;
    while page.len() < kilobytes << 10 {
        let price = if row == kind { version } else { 0 };
        page += &format!(
            "<tr class=row><td>{}</td><td>item {:x}</td><td>offer {}</td></tr>\n",
            path,
            chance.u64(..),
            ["none", "spring", "autumn"][price as usize % 3]
        );
        row += 1;
    }
    page + "</table></body></html>\n"
}
