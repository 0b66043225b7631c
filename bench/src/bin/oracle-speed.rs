//! How fast pages are compared: all 22 comparators beside the tokenizer alone, and beside paper 2's slowest
//! comparator with the paper's own tools; and whether memory stays as it is, however many pairs there are.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::{Parser, ValueEnum};
use restage_bench::{
    Compared, Differing, LargePage, Noise, PAIRS, PagePair, PagePairs, Rounds, Subject, Table, Trouble,
    peak_memory, processor_time, read_pairs, run_program, stop_on_interrupt, unless_stopped, unordered_links,
    wait_for_quiet, write_pairs,
};
use restage_html::Tokens;
use restage_model::Headers;
use restage_oracle::{Comparator, Document, Oracle, new_errors};

/// Pairs that are made, measured and forgotten together.
const BATCH: usize = 500;
/// The oracle that the differences are put into words by.
const ORACLE: &str = "C-WD | N+I";

/// How fast pages are compared, beside the tokenizer alone and beside Perl
#[derive(Debug, Parser)]
struct Args {
    /// How often each is measured, in turns
    #[arg(long, value_name = "N", default_value_t = 7)]
    rounds: usize,
    /// How often Perl is; each takes minutes
    #[arg(long, value_name = "N", default_value_t = 3)]
    perl_rounds: usize,
    /// How many pairs of pages
    #[arg(long, value_name = "N", default_value_t = PAIRS)]
    pairs: usize,
    /// Compare the first pairs of this file, say how much memory that took, and do nothing else
    #[arg(long, value_name = "FILE")]
    memory_of: Option<PathBuf>,
    /// Compare a large page with an edited copy, say what that took, and do nothing else
    #[arg(long, value_name = "KIND")]
    large: Option<LargePage>,
    /// Do this much with each pair, once, and measure nothing: for a profiler
    #[arg(long, value_name = "WHAT")]
    only: Option<Part>,
}

fn main() -> ExitCode {
    run_program(|args: Args| match (&args.memory_of, args.large) {
        (Some(file), _) => compare_file(file, args.pairs).map(|_| println!("{}", peak_memory().unwrap_or(0))),
        (_, Some(large)) => compare_large(large),
        _ => measure(&args),
    })
}

fn measure(args: &Args) -> Result<(), Trouble> {
    let stop = stop_on_interrupt()?;
    let pages = PagePairs::of(&Subject::record(Noise::Off, stop.clone())?)?;
    let mut parts: Vec<(Part, Rounds)> = Part::ALL.iter().map(|&part| (part, Rounds::default())).collect();
    if let Some(only) = args.only {
        parts.retain(|(part, _)| *part == only);
    }
    let work = Work::new()?;
    let mut quiet = 0;
    let mut bytes = 0;
    for _ in 0..if args.only.is_some() { 1 } else { args.rounds } {
        quiet += usize::from(args.only.is_none() && wait_for_quiet());
        let mut took = vec![Duration::ZERO; parts.len()];
        bytes = 0;
        for from in (0..args.pairs).step_by(BATCH) {
            unless_stopped(&stop)?;
            let batch = |differing| -> Vec<PagePair> {
                (from..args.pairs.min(from + BATCH)).map(|number| pages.pair(number, differing)).collect()
            };
            let (all, few) = (batch(Differing::All), batch(Differing::Few));
            bytes += all.iter().map(|pair| pair.expected.len() + pair.actual.len()).sum::<usize>();
            for ((part, _), took) in parts.iter().zip(&mut took) {
                let pairs = if *part == Part::Few { &few } else { &all };
                let begun = processor_time();
                pairs.iter().for_each(|pair| work.on(*part, pair));
                *took += processor_time() - begun;
            }
        }
        for ((_, rounds), took) in parts.iter_mut().zip(took) {
            rounds.add(took.as_secs_f64());
        }
    }
    println!("{} pairs, {} bytes a page on average\n", args.pairs, bytes / args.pairs / 2);
    println!(
        "{}\n{quiet} of {} rounds began on a quiet machine.\n",
        table(&parts, args.pairs, bytes),
        args.rounds
    );
    if args.only.is_some() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("pairs");
    write_pairs(&file, (0..args.pairs).map(|number| pages.pair(number, Differing::All)))?;
    println!("{}", memory(&file, args.pairs)?);
    println!("{}", beside_perl(args, &file, &stop)?);
    println!("{}", large_pages(&stop)?);
    Ok(())
}

/// What is done with a pair of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Both pages tokenized, and nothing else.
    Tokens,
    /// Both read into documents.
    Read,
    /// … and compared by all 22.
    All22,
    /// … and the differences put into words by the default oracle.
    Words,
    /// … and searched for errors, as the judge does.
    Judged,
    /// The search for errors alone.
    Errors,
    /// The same as `judged`, of pairs that are mostly the same bytes.
    Few,
}

impl Part {
    const ALL: [Self; 7] =
        [Self::Tokens, Self::Read, Self::All22, Self::Words, Self::Errors, Self::Judged, Self::Few];

    fn name(self) -> &'static str {
        match self {
            Self::Tokens => "the tokenizer alone",
            Self::Read => "read into documents",
            Self::All22 => "read, all 22 verdicts",
            Self::Words => "read, all 22 verdicts, differences in words",
            Self::Errors => "searched for errors",
            Self::Judged => "all of these",
            Self::Few => "all of these, one pair in 15 differing",
        }
    }
}

/// What comparing needs.
struct Work {
    headers: Headers,
    oracle: Oracle,
}

impl Work {
    fn new() -> Result<Self, Trouble> {
        let headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect();
        Ok(Self { headers, oracle: ORACLE.parse()? })
    }

    fn on(&self, part: Part, pair: &PagePair) {
        let (expected, actual) = (&pair.expected, &pair.actual);
        if part == Part::Tokens {
            black_box((Tokens::of(expected), Tokens::of(actual)));
            return;
        }
        if part == Part::Errors {
            black_box(new_errors(expected, actual));
            return;
        }
        // The judge and `compare-files` do not look into pages that are the same bytes.
        if part == Part::Few && expected == actual {
            return;
        }
        let (was, is) = (Document::of(&self.headers, expected), Document::of(&self.headers, actual));
        if part != Part::Read {
            black_box(seen(&was, &is));
        }
        if matches!(part, Part::Words | Part::Judged | Part::Few) {
            black_box(self.oracle.judge(&was, &is));
        }
        if matches!(part, Part::Judged | Part::Few) {
            black_box(new_errors(expected, actual));
        }
        black_box((was, is));
    }
}

/// Which of the 22 see a difference.
fn seen(was: &Document<'_>, is: &Document<'_>) -> [bool; 22] {
    let mut seen = [false; 22];
    for (seen, comparator) in seen.iter_mut().zip(Comparator::ALL) {
        *seen = comparator.differs(was, is);
    }
    seen
}

fn table(parts: &[(Part, Rounds)], pairs: usize, bytes: usize) -> Table {
    let mut table = Table::new(1, &["", "µs a pair", "lowest", "highest", "MB/s", "to the tokenizer"]);
    for (part, seconds) in parts {
        let (least, most) = seconds.range();
        let mut cells = vec![part.name().to_owned()];
        cells.extend([seconds.median(), least, most].map(|s| format!("{:.1}", s * 1e6 / pairs as f64)));
        cells.push(format!("{:.0}", bytes as f64 / 1e6 / seconds.median()));
        cells.push(format!("{:.2}", seconds.ratio_to(&parts[0].1)));
        table.row(cells);
    }
    table
}

/// Compares the first pairs of a file by all 22; how many of them N+U sees a difference in.
fn compare_file(file: &Path, pairs: usize) -> Result<usize, Trouble> {
    let work = Work::new()?;
    let links = Comparator::ALL.iter().position(|c| c.id() == "N+U").ok_or("N+U is one of the 22")?;
    let mut differing = 0;
    for pair in read_pairs(file)?.take(pairs) {
        let pair = pair?;
        let (was, is) =
            (Document::of(&work.headers, &pair.expected), Document::of(&work.headers, &pair.actual));
        differing += usize::from(seen(&was, &is)[links]);
    }
    Ok(differing)
}

/// How much memory it takes to compare few pairs, and all.
fn memory(file: &Path, pairs: usize) -> Result<Table, Trouble> {
    let mut table = Table::new(1, &["pairs compared by all 22, one after another", "peak memory, MB"]);
    for pairs in [pairs.min(1_000), pairs] {
        let program = std::env::current_exe()?;
        let output = Command::new(program)
            .arg("--memory-of")
            .arg(file)
            .args(["--pairs", &pairs.to_string()])
            .output()?;
        let peak: f64 = String::from_utf8_lossy(&output.stdout).trim().parse()?;
        table.row(vec![pairs.to_string(), format!("{:.1}", peak / 1e6)]);
    }
    Ok(table)
}

fn beside_perl(args: &Args, file: &Path, stop: &std::sync::atomic::AtomicBool) -> Result<Table, Trouble> {
    let [mut ours, mut in_memory, mut by_diff] = [(); 3].map(|()| Rounds::default());
    let mut differing = [0; 3];
    for _ in 0..args.perl_rounds {
        unless_stopped(stop)?;
        wait_for_quiet();
        let begun = processor_time();
        differing[0] = compare_file(file, args.pairs)?;
        ours.add((processor_time() - begun).as_secs_f64());
        for (rounds, compared, at) in
            [(&mut in_memory, Compared::InMemory, 1), (&mut by_diff, Compared::ByDiff, 2)]
        {
            unless_stopped(stop)?;
            let run = unordered_links(file, args.pairs, compared)?;
            rounds.add(run.seconds);
            differing[at] = run.differing;
        }
    }
    let mut table = Table::new(1, &["", "seconds", "pairs/s", "times as long", "N+U differs"]);
    for (name, rounds, differing) in [
        ("restage, all 22", &ours, differing[0]),
        ("Perl, N+U alone, compared in memory", &in_memory, differing[1]),
        ("Perl, N+U alone, compared by diff -q", &by_diff, differing[2]),
    ] {
        let seconds = rounds.median();
        table.row(vec![
            name.to_owned(),
            format!("{seconds:.1}"),
            format!("{:.0}", args.pairs as f64 / seconds),
            format!("{:.1}", rounds.ratio_to(&ours)),
            differing.to_string(),
        ]);
    }
    Ok(table)
}

/// What it takes to compare large pages with edited copies, each in a program of its own.
fn large_pages(stop: &std::sync::atomic::AtomicBool) -> Result<Table, Trouble> {
    let head =
        ["a page and its edited copy", "read, s", "22 verdicts, s", "in words, s", "told", "errors, s", "MB"];
    let mut table = Table::new(1, &head);
    for large in LargePage::value_variants() {
        unless_stopped(stop)?;
        let name = large.to_possible_value().ok_or("every kind has a name")?;
        let output = Command::new(std::env::current_exe()?).args(["--large", name.get_name()]).output()?;
        let said = String::from_utf8(output.stdout)?;
        let cells: Vec<String> = said.split_whitespace().map(str::to_owned).collect();
        table.row([vec![large.name().to_owned()], cells].concat());
    }
    Ok(table)
}

/// Compares a large page with its edited copy, and prints what that took.
fn compare_large(large: LargePage) -> Result<(), Trouble> {
    let work = Work::new()?;
    let pair = large.pair();
    let start = processor_time();
    let (was, is) = (Document::of(&work.headers, &pair.expected), Document::of(&work.headers, &pair.actual));
    let read = processor_time();
    black_box(seen(&was, &is));
    let verdicts = processor_time();
    let differences = work.oracle.judge(&was, &is);
    let words = processor_time();
    black_box(new_errors(&pair.expected, &pair.actual));
    let errors = processor_time();
    let seconds = |time: Duration| format!("{:.2}", time.as_secs_f64());
    println!(
        "{} {} {} {} {} {:.0}",
        seconds(read - start),
        seconds(verdicts - read),
        seconds(words - verdicts),
        differences.len(),
        seconds(errors - words),
        peak_memory().unwrap_or(0) as f64 / 1e6
    );
    Ok(())
}
