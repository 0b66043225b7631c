//! `restage export`
use crate::cli::Global;
use crate::failure::{Failure, Outcome};

/// x
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_global: &Global, _args: &Args) -> Result<Outcome, Failure> {
    Ok(Outcome::Well)
}
