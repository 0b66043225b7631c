//! How a replay goes about its sessions, as the commands that replay take it.

use restage_replay::{AppSpec, Restart};

/// When the app is started anew.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct RestartArgs {
    /// When the app is started anew: each-session, for an application that keeps in memory what its files
    /// contradict, or never [default: `restart` of its [app], or else never]
    #[arg(long, value_name = "WHEN")]
    restart: Option<Restart>,
}

impl RestartArgs {
    /// The app as this run has it.
    pub(crate) fn apply(self, app: AppSpec) -> AppSpec {
        AppSpec { restart: self.restart.unwrap_or(app.restart), ..app }
    }
}
