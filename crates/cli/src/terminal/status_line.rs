//! The line that is rewritten while traffic is recorded.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use indicatif::HumanBytes;
use restage_capture::{Counts, ReductionTally};

use crate::args::Global;
use crate::terminal::output;

/// Rewrites one line of counts while recording, on a terminal.
pub(crate) async fn show_counts(global: Global, counts: Arc<Counts>) {
    if global.quiet || global.json || !std::io::stderr().is_terminal() {
        return;
    }
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let tally = counts.tally();
        eprint!("\r  seen {}  stored {}  not stored {}   ", tally.seen, tally.stored, tally.not_stored);
    }
}

/// The line on which sessions were kept, where only new behaviour is.
pub(crate) struct KeptLine {
    json: bool,
    terminal: bool,
    shown: ReductionTally,
}

impl KeptLine {
    pub(crate) fn new(global: &Global) -> Self {
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
            output::line(&kept_json(&tally).to_string());
        } else if self.terminal {
            eprint!("\r  {}   ", in_words(&tally));
        }
    }
}

impl Drop for KeptLine {
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
pub(crate) fn kept_json(tally: &ReductionTally) -> serde_json::Value {
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
