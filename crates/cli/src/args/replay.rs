//! Arguments of the commands that replay: the clock, restarts, and the order of sessions.

use std::path::PathBuf;

use restage_model::StatePolicy;
use restage_replay::{AppSpec, Clock, Order, Restart};

use crate::failure::Failure;
use crate::terminal::event_log::EventLog;

/// How the app runs.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct AppArgs {
    /// The app's clock: real, recorded (the time each step was recorded at), fixed:2026-11-15T19:10:00Z (at the start of each
    /// session) or shift:+3d [default: `clock` in [app], else real]
    #[arg(long, value_name = "CLOCK")]
    clock: Option<Clock>,
    /// When to restart the app: never, or each-session, for an application that caches its data in memory
    /// [default: `restart` in [app], else never]
    #[arg(long, value_name = "WHEN")]
    restart: Option<Restart>,
}

impl AppArgs {
    /// The app as this run has it.
    pub(crate) fn apply(self, app: AppSpec) -> AppSpec {
        AppSpec {
            clock: self.clock.unwrap_or(app.clock),
            restart: self.restart.unwrap_or(app.restart),
            ..app
        }
    }
}

/// Where a run's events go.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct EventArgs {
    /// Write what happens during the run to this file as it happens, one JSON object a line; - is standard error
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

impl EventArgs {
    /// The file, opened.
    pub(crate) fn open(&self) -> Result<EventLog, Failure> {
        EventLog::open(self.events.as_deref())
    }
}

/// How many sessions are replayed at a time.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct JobsArgs {
    /// How many sessions to replay in parallel, each on its own copy of the application and its state; an application on
    /// a database server is told its copy's database by {database} in [app]
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
    /// Replay all sessions at once on one app, with their requests overlapping as recorded: finds faults that only show
    /// when users meet
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
