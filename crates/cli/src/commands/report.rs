//! `restage report`: a comparison as static files; and how every command presents one.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use restage_judge::{Comparison, Rules};
use restage_project::{Project, RunPair, Secrets};
use restage_report::{Report, json, junit, terminal, write_html};
use restage_store::Store;

use crate::args::Global;
use crate::args::RunPairArgs;
use crate::failure::{Failure, Outcome};
use crate::judging;
use crate::open_project;
use crate::settling::Settlements;
use crate::terminal::output;
use crate::terminal::progress::note;

/// Write the report of a comparison as an HTML file
///
/// Without arguments, compares the newest replay with its baseline.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage report --html report.html")]
pub(crate) struct Args {
    /// The run to compare with [default: the newest baseline]
    #[arg(requires = "actual")]
    expected: Option<String>,
    /// The run to judge [default: the newest replay]
    actual: Option<String>,
    /// The oracle for all pages [default: [oracle] in restage.toml, else C-WD | N+I]
    #[arg(long, value_name = "EXPR", env = "RESTAGE_ORACLE", hide_env = true)]
    oracle: Option<String>,
    #[command(flatten)]
    formats: Formats,
}

/// What to write beside the summary.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Formats {
    /// Write an HTML report to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write JUnit XML to this file, for CI systems
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write reports even if secrets are left that no stand-in replaces
    #[arg(long)]
    pub(crate) with_secrets: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let rules = judging::rules(&project, args.oracle.as_deref())?;
    let rules = Settlements::of(global, &project)?.join(rules);
    let store = project.store()?;
    let pair = match (&args.expected, &args.actual) {
        (Some(expected), Some(actual)) => {
            RunPair { expected: project.run(&store, expected)?, actual: project.run(&store, actual)? }
        }
        _ => RunPairArgs::default().find(&project, &store)?,
    };
    let comparison = judging::judge(global, &store, &pair.expected, &pair.actual, &rules)?;
    let mut formats = args.formats.clone();
    if formats.html.is_none() && formats.junit.is_none() {
        formats.html = Some(project.own_folder().join("report.html"));
    }
    // Asked for a report, not for a verdict: writing it is success.
    present(global, &project, &store, &pair, (comparison, &rules), &formats)?;
    Ok(Outcome::Well)
}

/// Prints a comparison, and writes it in the formats asked for.
pub(crate) fn present(
    global: &Global,
    project: &Project,
    store: &Store,
    pair: &RunPair,
    (comparison, rules): (Comparison, &Rules),
    formats: &Formats,
) -> Result<Outcome, Failure> {
    let passes = comparison.passes();
    let is_file = formats.html.is_some() || formats.junit.is_some();
    let refused = if is_file && !formats.with_secrets {
        Secrets::of_runs(project, store, &[&pair.expected, &pair.actual])?.refuse("the report").err()
    } else {
        None
    };
    // The verdict is told in any case.
    let formats = if refused.is_some() { &Formats::default() } else { formats };
    let verdicts = comparison.verdicts(store, rules);
    let report = Report::gather(store, &pair.expected, &pair.actual, comparison, &verdicts)?;
    if let Some(path) = &formats.html {
        write_html(&report, path)?;
    }
    if let Some(path) = &formats.junit {
        let failed =
            |e: &dyn std::fmt::Display| Failure::environment(format!("cannot write {}: {e}", path.display()));
        let mut file = BufWriter::new(File::create(path).map_err(|e| failed(&e))?);
        junit(&report, &mut file)?;
        file.flush().map_err(|e| failed(&e))?;
    }
    if global.json {
        output::json(&json(&report));
    } else {
        let mut out = Vec::new();
        terminal(&report, &mut out, output::colour(global))?;
        output::line(String::from_utf8_lossy(&out).trim_end());
    }
    for (what, path) in [("HTML report", &formats.html), ("JUnit report", &formats.junit)] {
        if let Some(path) = path {
            note(global, format!("{what}: {}", path.display()));
        }
    }
    if let Some(change) = report.comparison.changes.first() {
        let (id, flags) = (&change.id.0, RunPairArgs::flags(pair, project, store));
        note(
            global,
            format!(
                "next: `restage accept {id}{flags}` if a change is intended, `restage ignore {id}{flags}` if it never matters"
            ),
        );
    }
    match refused {
        Some(refused) => Err(refused.into()),
        None => Ok(if passes { Outcome::Well } else { Outcome::Different }),
    }
}
