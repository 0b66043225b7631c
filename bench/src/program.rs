//! What every program of `bench/` begins and ends with.

use std::path::Path;
use std::process::{ExitCode, Termination};

use clap::Parser;

use crate::Trouble;
use crate::subject::bookstore_mode;

/// Reads the arguments and does the work. Where it cannot go on, says why and ends with 3. A program that measures the
/// bookstore is started anew as the bookstore, and is that then.
pub fn run_program<Args: Parser, Done: Termination>(
    work: impl FnOnce(Args) -> Result<Done, Trouble>,
) -> ExitCode {
    if let Some(ended) = bookstore_mode() {
        return ended;
    }
    match work(Args::parse()) {
        Ok(done) => done.report(),
        Err(trouble) => {
            eprintln!("{}: {trouble}", name());
            ExitCode::from(3)
        }
    }
}

/// How a program ends that has an aim: with 1 where it is missed.
pub fn aim_met(met: bool) -> ExitCode {
    if met { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// The program's name, as its file is called.
fn name() -> String {
    let program = std::env::args_os().next().unwrap_or_default();
    Path::new(&program).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
