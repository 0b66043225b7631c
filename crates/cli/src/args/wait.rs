//! Whether to wait for another restage that uses the application's data.

/// What to do when another restage uses the application's data.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct WaitArgs {
    /// If another restage is using the application's data, exit with 3 instead of waiting for it
    #[arg(long)]
    pub(crate) no_wait: bool,
}
