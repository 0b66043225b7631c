//! `restage compare`: two runs → verdicts.

use restage_project::RunPair;

use crate::args::{Global, ReportArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::settling::Settlements;
use crate::terminal::judging;
use crate::terminal::report::present;

/// Compare two runs of the same suite; exits 1 on differences
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage compare baseline-1 replay-1 --oracle 'C-WD | N+I'")]
pub(crate) struct Args {
    /// The run to compare with, usually a baseline
    expected: String,
    /// The run to judge
    actual: String,
    /// The oracle for all pages: comparators joined by | (either) and & (both), or `2 of (A, B, C)` [default: [oracle] in
    /// restage.toml, else C-WD | N+I]
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
    let pair = RunPair {
        expected: project.run(&store, &args.expected)?,
        actual: project.run(&store, &args.actual)?,
    };
    let comparison = judging::judge(global, &store, &pair.expected, &pair.actual, &rules)?;
    present(global, &project, &store, &pair, (comparison, &rules), &args.formats, None)
}
