//! What a recording came to.

use std::collections::BTreeMap;

use restage_capture::{ReductionTally, Tally};
use restage_project::RecordedErrors;

use crate::args::Global;
use crate::terminal::output;
use crate::terminal::progress::note;
use crate::terminal::recorded_errors;
use crate::terminal::redacted;
use crate::terminal::status_line::kept_json;

/// Prints the counts, and what was replaced in what was stored.
pub(crate) fn print(
    global: &Global,
    tally: &Tally,
    kept: Option<ReductionTally>,
    secrets: &BTreeMap<String, u64>,
    errors: Option<&RecordedErrors>,
) {
    if global.json {
        let reasons: Vec<_> =
            tally.reasons.iter().map(|(why, n)| serde_json::json!({ "why": why, "exchanges": n })).collect();
        let value = serde_json::json!({
            "seen": tally.seen,
            "stored": tally.stored,
            "not_stored": tally.not_stored,
            "reasons": reasons,
            "cut_bodies": tally.cut_bodies,
            "upstream_errors": tally.upstream_errors,
            "upgrades": tally.upgrades,
            "redacted": secrets,
            "sessions": kept.as_ref().map(kept_json),
            "errors": errors,
        });
        return output::line(&value.to_string());
    }
    output::line(&format!("exchanges seen {}, stored {}", tally.seen, tally.stored));
    if tally.not_stored > 0 {
        output::line(&format!("NOT stored: {}", tally.not_stored));
        for (why, n) in &tally.reasons {
            output::line(&format!("  {n}: {why}"));
        }
    }
    for (n, what) in [
        (tally.cut_bodies, "bodies cut at --body-limit"),
        (tally.upstream_errors, "requests that the application did not answer"),
        (tally.upgrades, "upgraded connections (WebSocket), passed through unrecorded"),
    ] {
        if n > 0 {
            output::line(&format!("  {what}: {n}"));
        }
    }
    if let Some(kept) = kept {
        output::line(&format!(
            "sessions seen {}, kept {}, dropped {} ({}) that showed nothing new\nbehaviours {}, {} stored",
            kept.seen(),
            kept.kept(),
            kept.dropped,
            output::count(kept.exchanges as usize, "exchange"),
            kept.behaviours,
            indicatif::HumanBytes(kept.bytes)
        ));
    }
    if let Some(told) = redacted::in_words(secrets) {
        output::line(&told);
    }
    if let Some(errors) = errors {
        output::line(&recorded_errors::in_words(errors));
    }
    if tally.stored > 0 {
        note(
            global,
            "next: `restage sessions` lists what was recorded, `restage baseline` makes tests of it",
        );
    }
}
