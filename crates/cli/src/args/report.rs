//! Which files a comparison is written to.

use std::path::PathBuf;

/// What to write beside the summary.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ReportArgs {
    /// Write an HTML report to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write JUnit XML to this file, for CI systems
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write reports as they are, with the tokens that the application gave and any other secrets
    #[arg(long)]
    pub(crate) with_secrets: bool,
}
