//! One file a command: its arguments and its `run`.

pub(crate) mod accept;
pub(crate) mod analyze;
pub(crate) mod baseline;
pub(crate) mod calibrate;
pub(crate) mod compare;
pub(crate) mod compare_files;
pub(crate) mod completions;
pub(crate) mod coverage;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod ignore;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod man;
pub(crate) mod map;
pub(crate) mod record;
pub(crate) mod reduce;
pub(crate) mod regenerate;
pub(crate) mod repair;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod runs;
pub(crate) mod runs_merge;
pub(crate) mod sanitize;
pub(crate) mod sessions;
pub(crate) mod sessions_needs;
pub(crate) mod snapshots;
pub(crate) mod suites;
pub(crate) mod test;
pub(crate) mod watch;

use crate::args::{Cli, Command};
use crate::failure::{Failure, Outcome};

/// Runs the command that was asked for.
pub(crate) fn run(cli: &Cli) -> Result<Outcome, Failure> {
    let global = &cli.global;
    match &cli.command {
        Command::Demo(args) => demo::run(global, args),
        Command::Init(args) => init::run(global, args),
        Command::Record(args) => record::run(global, args),
        Command::Watch(args) => watch::run(global, args),
        Command::Import(args) => import::run(global, args),
        Command::Sessions(args) => sessions::run(global, args),
        Command::Suites(args) => suites::run(global, args),
        Command::Reduce(args) => reduce::run(global, args),
        Command::Export(args) => export::run(global, args),
        Command::Map(args) => map::run(global, args),
        Command::Analyze(args) => analyze::run(global, args),
        Command::Generate(args) => generate::run(global, args),
        Command::Regenerate(args) => regenerate::run(global, args),
        Command::Repair(args) => repair::run(global, args),
        Command::Sanitize(args) => sanitize::run(global, args),
        Command::Baseline(args) => baseline::run(global, args),
        Command::Calibrate(args) => calibrate::run(global, args),
        Command::Test(args) => test::run(global, args),
        Command::Accept(args) => accept::run(global, args),
        Command::Ignore(args) => ignore::run(global, args),
        Command::Replay(args) => replay::run(global, args),
        Command::Compare(args) => compare::run(global, args),
        Command::CompareFiles(args) => compare_files::run(global, args),
        Command::Report(args) => report::run(global, args),
        Command::Runs(args) => runs::run(global, args),
        Command::Coverage(args) => coverage::run(global, args),
        Command::Snapshots(args) => snapshots::run(global, args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
        Command::Bookstore { args } => {
            let name = std::ffi::OsString::from("bookstore");
            // The bookstore's own exit code is the process's.
            let code = bookstore::main_with_args(std::iter::once(name).chain(args.iter().cloned()));
            if code == std::process::ExitCode::SUCCESS {
                Ok(Outcome::Well)
            } else {
                Err(Failure::user("the bookstore did not run"))
            }
        }
    }
}
