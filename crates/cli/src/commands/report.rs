//! `restage report`: a comparison as static files.

use restage_project::RunPair;

use crate::args::{Global, ReportArgs, RunPairArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::settling::Settlements;
use crate::terminal::judging;
use crate::terminal::report::present;

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
    formats: ReportArgs,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let rules = project.judging_rules(args.oracle.as_deref())?;
    let rules = Settlements::of(global, &project)?.join(rules);
    let store = project.store_to_read()?;
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
    present(global, &project, &store, &pair, (comparison, &rules), &formats, None)?;
    Ok(Outcome::Well)
}
