//! The command line, as clap reads it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands;

/// Turns what users did on a web application into its regression tests.
///
/// restage records user sessions, replays them on the next version with the application's data put back as it
/// was, and tells which differences in the pages matter.
#[derive(Debug, Parser)]
#[command(name = "restage", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0  all well
  1  differences found
  2  the user's mistake (a wrong argument, a bad restage.toml)
  3  the environment's (the app did not start, the store is damaged, the disk is full)

Try it: restage demo";

/// What every command takes.
#[derive(Clone, Debug, Args)]
pub(crate) struct Global {
    /// The folder with restage.toml [default: this folder, or the first above it that has one]
    #[arg(long, global = true, value_name = "DIR", env = "RESTAGE_PROJECT", hide_env = true)]
    pub(crate) project: Option<PathBuf>,
    /// The store [default: .restage/restage.db in the project]
    #[arg(long, global = true, value_name = "FILE", env = "RESTAGE_STORE", hide_env = true)]
    pub(crate) store: Option<PathBuf>,
    /// Print JSON, for machines
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No progress and no notes on standard error
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

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
