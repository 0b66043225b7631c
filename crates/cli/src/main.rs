//! The commands: one file a command, thin. What they do lives in the other crates.

mod accepted_file;
mod chosen;
mod cli;
mod clock;
mod commands;
mod config;
mod failure;
mod hosts;
mod ignore_config;
mod judging;
mod live_values;
mod manner;
mod media_type;
mod needs;
mod oracle_config;
mod output;
mod pairs;
mod profile;
mod progress;
mod project;
mod redact_config;
mod redaction;
mod refused;
mod scan;
mod selection;
mod settings_file;
mod settling;
mod shard;
mod toml_text;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(&cli) {
        Ok(outcome) => outcome.into(),
        Err(failure) => failure.report(cli.global.json),
    }
}
