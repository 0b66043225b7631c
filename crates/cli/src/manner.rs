//! How a replay goes about its sessions, as the commands that replay take it.

use restage_model::StatePolicy;
use restage_replay::{AppSpec, Order, Restart};

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

/// How many sessions are replayed at a time.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct JobsArgs {
    /// How many sessions to replay at a time, each on a copy of the application with its own port and its own copy of
    /// the state
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
}

impl JobsArgs {
    /// The order of the sessions.
    pub(crate) fn order(self) -> Order {
        if self.jobs > 1 { Order::Jobs(self.jobs) } else { Order::InTurn }
    }
}

/// In which order sessions are replayed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct OrderArgs {
    #[command(flatten)]
    jobs: JobsArgs,
    /// Replay all sessions at once on one app, their requests interleaved and in flight together as they were recorded:
    /// finds faults that show only when users meet
    #[arg(long, conflicts_with_all = ["jobs", "restart"])]
    overlap: bool,
}

impl OrderArgs {
    /// The order of the sessions.
    pub(crate) fn order(self) -> Order {
        if self.overlap { Order::Overlap } else { self.jobs.order() }
    }

    /// The policy where none is asked for: the state can be put back before each session, unless they overlap.
    pub(crate) fn policy(self, otherwise: StatePolicy) -> StatePolicy {
        if self.overlap { StatePolicy::Initial } else { otherwise }
    }
}
