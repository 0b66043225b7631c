//! `restage man`: the manual pages.

use std::path::PathBuf;

use clap::CommandFactory;

use crate::args::Cli;
use crate::failure::{Failure, Outcome};

/// Print the manual page, or write all manual pages to a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  restage man | man -l -\n  restage man --into ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Write one page for each command to this folder
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let command = Cli::command();
    match &args.into {
        None => clap_mangen::Man::new(command).render(&mut std::io::stdout())?,
        Some(folder) => {
            let failed = |e| Failure::environment(format!("cannot write to {}: {e}", folder.display()));
            std::fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(command, folder).map_err(failed)?;
        }
    }
    Ok(Outcome::Well)
}
