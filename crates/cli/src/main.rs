//! The commands: one file a command, thin. What they do lives in the other crates.

mod args;
mod commands;
mod demo;
mod failure;
mod files;
mod map_views;
mod open_project;
mod regenerating;
mod repairing;
mod restart_trial;
mod settling;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match commands::run(&cli) {
        Ok(outcome) => outcome.into(),
        Err(failure) => failure.report(cli.global.json),
    }
}
