//! The commands: one file a command, thin. What they do lives in the other crates.

mod aftermath;
mod cli;
mod commands;
mod config;
mod failure;
mod judging;
mod media_type;
mod oracle_config;
mod output;
mod pairs;
mod progress;
mod project;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(&cli) {
        Ok(outcome) => outcome.into(),
        Err(failure) => failure.report(cli.global.json),
    }
}
