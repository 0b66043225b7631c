//! `restage report`: a comparison as static files; and how every command presents one.

use std::path::PathBuf;

use restage_model::{Comparison, Run, RunKind, RunState};
use restage_report::{Report, json, junit, terminal, write_html};
use restage_store::Store;

use crate::aftermath::AftermathRules;
use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::judging;
use crate::output;
use crate::progress::note;
use crate::project::Project;

/// Write the report of a comparison as one HTML file
///
/// Without runs: the newest replay, against the baseline it was made from.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage report --html report.html")]
pub(crate) struct Args {
    /// The run that is right [default: the newest baseline]
    #[arg(requires = "actual")]
    expected: Option<String>,
    /// The run that is judged [default: the newest replay]
    actual: Option<String>,
    /// By what, for all pages [default: [oracle] of restage.toml, or else C-WD | N+I]
    #[arg(long, value_name = "EXPR", env = "RESTAGE_ORACLE", hide_env = true)]
    oracle: Option<String>,
    #[command(flatten)]
    formats: Formats,
}

/// What to write beside the summary.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Formats {
    /// Write the report as one self-contained HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write JUnit XML, for CI systems
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    let oracle = judging::oracle(args.oracle.as_deref(), &project.config)?;
    let store = project.store()?;
    let (expected, actual) = match (&args.expected, &args.actual) {
        (Some(expected), Some(actual)) => (project.run(&store, expected)?, project.run(&store, actual)?),
        _ => newest(&project, &store)?,
    };
    let aftermath = AftermathRules::of(&project)?;
    let comparison = judging::judge(global, &store, &expected, &actual, &oracle, &aftermath)?;
    let mut formats = args.formats.clone();
    if formats.html.is_none() && formats.junit.is_none() {
        formats.html = Some(project.own_folder().join("report.html"));
    }
    // Asked for a report, not for a verdict: writing it is success.
    present(global, &store, &expected, &actual, comparison, &formats)?;
    Ok(Outcome::Well)
}

/// Prints a comparison, and writes it in the formats asked for.
pub(crate) fn present(
    global: &Global,
    store: &Store,
    expected: &Run,
    actual: &Run,
    comparison: Comparison,
    formats: &Formats,
) -> Result<Outcome, Failure> {
    let passes = comparison.passes();
    let report = Report::gather(store, expected, actual, comparison)?;
    if let Some(path) = &formats.html {
        write_html(&report, path)?;
    }
    if let Some(path) = &formats.junit {
        std::fs::write(path, junit(&report)?)
            .map_err(|e| Failure::environment(format!("cannot write {}: {e}", path.display())))?;
    }
    if global.json {
        output::json(&json(&report));
    } else {
        let mut out = Vec::new();
        terminal(&report, &mut out, output::colour(global))?;
        output::line(String::from_utf8_lossy(&out).trim_end());
    }
    for (what, path) in [("report", &formats.html), ("JUnit", &formats.junit)] {
        if let Some(path) = path {
            note(global, format!("{what}: {}", path.display()));
        }
    }
    Ok(if passes { Outcome::Well } else { Outcome::Different })
}

fn newest(project: &Project, store: &Store) -> Result<(Run, Run), Failure> {
    let baseline = project.newest_baseline(store)?;
    let replay = |suite| {
        store.runs().map(|runs| {
            runs.into_iter()
                .rev()
                .find(|r| r.kind == RunKind::Replay && r.suite == suite && r.state == RunState::Complete)
        })
    };
    match baseline {
        Some(baseline) => match replay(baseline.suite)? {
            Some(actual) => Ok((baseline, actual)),
            None => Err(Failure::user("nothing was replayed since the baseline\n  hint: `restage test`")),
        },
        None => Err(Failure::user("there is no baseline to compare with\n  hint: `restage baseline`")),
    }
}
