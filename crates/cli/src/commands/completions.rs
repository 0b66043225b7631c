//! `restage completions`: for the shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::{Failure, Outcome};

/// Print shell completions
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: restage completions bash > ~/.local/share/bash-completion/completions/restage"
)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    clap_complete::generate(args.shell, &mut Cli::command(), "restage", &mut std::io::stdout());
    Ok(Outcome::Well)
}
