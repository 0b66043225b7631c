//! `restage watch`: recording that keeps one session for each behaviour, and shows what it keeps.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::HumanBytes;
use restage_capture::ReductionTally;
use restage_suite::reduce::Requirement;

use crate::cli::Global;
use crate::commands::record::{ProxyArgs, Reduced, record};
use crate::failure::{Failure, Outcome};
use crate::output;

/// How long the line that is shown may be behind.
const REFRESHED: Duration = Duration::from_secs(2);

/// Record, and keep only the sessions that bring something new, while it is shown how many do
///
/// This is `restage record --keep reduced` for traffic that goes on and on: when a session is over and others do all that it
/// does, it is dropped, so that the store grows with what people do, not with how many they are. What was there before stays.
/// Shown are the sessions seen, those kept, how many behaviours tell them apart, and the bytes stored; with --json, as an object
/// a line whenever they change.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage watch --upstream http://127.0.0.1:8080 --listen 127.0.0.1:9090")]
pub(crate) struct Args {
    #[command(flatten)]
    proxy: ProxyArgs,
    /// What sessions have to bring: key, key-pairs, params or values
    #[arg(long, value_name = "KIND", default_value_t = Requirement::Key)]
    require: Requirement,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let line = Line::new(global);
    let reduced = Reduced { require: args.require, longest_pause: REFRESHED, line: Some(line) };
    record(global, &args.proxy, Some(reduced))
}

/// The line that is shown while it is recorded.
pub(crate) struct Line {
    json: bool,
    terminal: bool,
    shown: ReductionTally,
}

impl Line {
    fn new(global: &Global) -> Self {
        let terminal = !global.quiet && !global.json && std::io::stderr().is_terminal();
        Self { json: global.json, terminal, shown: ReductionTally::default() }
    }

    /// Shows what has changed.
    pub(crate) fn show(&mut self, tally: ReductionTally) {
        if tally == self.shown {
            return;
        }
        self.shown = tally;
        if self.json {
            output::line(&sessions_json(&tally).to_string());
        } else if self.terminal {
            eprint!("\r  {}   ", in_words(&tally));
        }
    }
}

impl Drop for Line {
    /// What follows begins on a line of its own.
    fn drop(&mut self) {
        if self.terminal && self.shown != ReductionTally::default() {
            eprintln!();
        }
    }
}

/// What became of the sessions, on a line.
fn in_words(tally: &ReductionTally) -> String {
    format!(
        "sessions seen {}  kept {}  behaviours {}  stored {}",
        tally.seen(),
        tally.kept(),
        tally.behaviours,
        HumanBytes(tally.bytes)
    )
}

/// The same for machines.
pub(crate) fn sessions_json(tally: &ReductionTally) -> serde_json::Value {
    serde_json::json!({
        "seen": tally.seen(),
        "over": tally.over,
        "kept": tally.kept(),
        "behaviours": tally.behaviours,
        "dropped": tally.dropped,
        "exchanges_dropped": tally.exchanges,
        "bytes": tally.bytes,
    })
}
