//! The commands there are, as clap reads them.

use clap::{Parser, Subcommand};

use super::global::Global;
use crate::commands;

/// Turns what users did on a web application into its regression tests.
///
/// restage records user sessions, replays them on the next version with the application's data restored, and reports
/// which differences matter.
#[derive(Debug, Parser)]
#[command(name = "restage", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0  success
  1  differences found
  2  usage error (a wrong argument, a mistake in restage.toml)
  3  environment error (the app did not start, the store is damaged, the disk is full)

Try it: restage demo";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(commands::demo::Args),
    Init(commands::init::Args),
    Record(commands::record::Args),
    Watch(commands::watch::Args),
    Import(commands::import::Args),
    Sessions(commands::sessions::Args),
    Suites(commands::suites::Args),
    Reduce(commands::reduce::Args),
    Export(commands::export::Args),
    Map(commands::map::Args),
    Analyze(commands::analyze::Args),
    Generate(commands::generate::Args),
    Regenerate(commands::regenerate::Args),
    Repair(commands::repair::Args),
    Sanitize(commands::sanitize::Args),
    Baseline(commands::baseline::Args),
    Calibrate(commands::calibrate::Args),
    Test(commands::test::Args),
    Accept(commands::accept::Args),
    Ignore(commands::ignore::Args),
    Replay(commands::replay::Args),
    Compare(commands::compare::Args),
    CompareFiles(commands::compare_files::Args),
    Report(commands::report::Args),
    Runs(commands::runs::Args),
    Coverage(commands::coverage::Args),
    Snapshots(commands::snapshots::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
    /// The demo's bookstore, as a process of its own
    #[command(hide = true, disable_help_flag = true)]
    Bookstore {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
}
