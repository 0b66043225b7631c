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
    /// Write reports even if secrets are left that no stand-in replaces
    #[arg(long)]
    pub(crate) with_secrets: bool,
}
