//! How fast PHP is analyzed and SQL classified, and which share of the calls of a database is resolved to its tables.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use restage_analysis::sql::{Dialect, classify};
use restage_analysis::{Options, analyze, read_folder};
use restage_bench::{Table, Trouble, run_program};

/// How fast PHP is analyzed, and how much is resolved
#[derive(Debug, Parser)]
struct Args {
    /// Folders of applications
    #[arg(required = true)]
    applications: Vec<PathBuf>,
    /// How many threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

/// Statements as logs have them; they are classified over and over.
const STATEMENTS: &[&str] = &[
    "SELECT option_value FROM wp_options WHERE option_name = 'siteurl' LIMIT 1",
    "SELECT p.ID, p.post_title FROM wp_posts p JOIN wp_postmeta m ON p.ID = m.post_id WHERE m.meta_key = 'x' AND p.ID IN (1, 2, 3) ORDER BY p.post_date DESC LIMIT 10",
    "INSERT INTO wp_comments (comment_post_ID, comment_author, comment_content) VALUES (7, 'ann', 'It''s here')",
    "UPDATE wp_posts SET comment_count = 3 WHERE ID = 7",
    "DELETE FROM wp_options WHERE option_name = '_transient_x'",
];
/// As often each is classified.
const TIMES: usize = 20_000;

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args))
}

fn measure(args: &Args) -> Result<(), Trouble> {
    let head = [
        "application",
        "files",
        "lines",
        "s",
        "tables",
        "calls",
        "resolved",
        "of them guessed",
        "dynamic",
        "share %",
        "doubtful",
    ];
    let mut table = Table::new(1, &head);
    for path in &args.applications {
        let folder = read_folder(path).map_err(|error| error.to_string())?;
        let begin = Instant::now();
        let analysis = analyze(&folder.sources, Options { threads: args.threads, ..Options::default() });
        let seconds = begin.elapsed().as_secs_f64();
        let calls = analysis.calls;
        table.row(vec![
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            analysis.files.to_string(),
            analysis.lines.to_string(),
            format!("{seconds:.1}"),
            analysis.tables.len().to_string(),
            calls.all.to_string(),
            calls.resolved.to_string(),
            calls.guessed.to_string(),
            calls.dynamic.to_string(),
            calls.share().map_or_else(|| "-".to_owned(), |share| format!("{share:.1}")),
            calls.doubtful.to_string(),
        ]);
    }
    println!("{table}");
    let begin = Instant::now();
    let mut found = 0;
    for _ in 0..TIMES {
        found += STATEMENTS.iter().map(|sql| classify(sql, Dialect::MySql).len()).sum::<usize>();
    }
    println!("{:.0} statements a second", found as f64 / begin.elapsed().as_secs_f64());
    Ok(())
}
