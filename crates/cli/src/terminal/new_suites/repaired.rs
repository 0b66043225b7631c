//! What a repair came to.

use restage_repair::{Finding, RepairOutcome, RepairReport, SessionRepair};
use restage_site::repair::Cause;

use crate::args::Global;
use crate::repairing::StoredRepair;
use crate::terminal::output::{self, count, cut};
use crate::terminal::progress::note;

/// So many findings of a kind, and so many steps that do not come out as intended, are printed.
const SHOWN: usize = 12;
/// How much of a line is printed.
const WIDE: usize = 150;

impl StoredRepair {
    /// The same for programs.
    pub(crate) fn json(&self) -> serde_json::Value {
        let count = |outcome| self.report.count(outcome);
        serde_json::json!({
            "suite": self.suite,
            "into": self.into,
            "stored": self.is_stored,
            "app": self.app,
            "map": self.map,
            "counts": {
                "sessions": self.report.sessions.len(),
                "unchanged": count(RepairOutcome::Unchanged),
                "repaired": count(RepairOutcome::Repaired),
                "split": count(RepairOutcome::Split),
                "unrepaired": count(RepairOutcome::Unrepaired),
                "remaining": self.report.remaining(),
            },
            "requests": self.report.requests,
            "findings": self.report.findings,
            "sessions": self.report.sessions,
        })
    }
}

/// Shows what a repair came to.
pub(crate) fn tell_repaired(global: &Global, shown: &StoredRepair) {
    if global.json {
        output::json(&shown.json());
        return;
    }
    print_repaired(shown);
    tell_what_next(global, shown);
}

/// Says what can be done with a repaired suite.
pub(crate) fn tell_what_next(global: &Global, shown: &StoredRepair) {
    if !shown.is_stored {
        note(global, "note: nothing was stored, as --dry-run asks for");
        return;
    }
    let session = shown.report.sessions.iter().find(|session| !session.repairs.is_empty());
    let look = session.map(|session| {
        format!(
            "`restage sessions show {} --suite {}` shows a repaired session; ",
            session.session, shown.into
        )
    });
    note(
        global,
        format!(
            "next: {}`restage replay {} --app {}` replays them all",
            look.unwrap_or_default(),
            shown.into,
            shown.app
        ),
    );
}

/// The same for people.
pub(crate) fn print_repaired(shown: &StoredRepair) {
    let report = &shown.report;
    for session in report.sessions.iter().filter(|session| session.outcome != RepairOutcome::Unchanged) {
        output::line(&headline(session));
        for repair in &session.repairs {
            output::line(&format!("  step {}: {}: {}", repair.step, repair.cause, cut(&repair.what, WIDE)));
        }
        for remaining in session.remaining.iter().take(SHOWN) {
            let what = format!("{}: {}", remaining.request, remaining.what);
            output::line(&format!("  step {}: not as intended: {}", remaining.step, cut(&what, WIDE)));
        }
        let more = session.remaining.len().saturating_sub(SHOWN);
        if more > 0 {
            output::line(&format!("  and {more} more that are not as intended"));
        }
    }
    print_findings(report);
    let requests = report.requests;
    output::line(&format!(
        "{}: {}, {} unchanged, {} repaired, {} split, {} unrepaired",
        shown.into,
        count(report.sessions.len(), "session"),
        report.count(RepairOutcome::Unchanged),
        report.count(RepairOutcome::Repaired),
        report.count(RepairOutcome::Split),
        report.count(RepairOutcome::Unrepaired),
    ));
    output::line(&format!(
        "requests: {} kept, {} changed, {} added, {} dropped; not as intended on {}: {}",
        requests.kept,
        requests.changed,
        requests.added,
        requests.dropped,
        shown.app,
        count(report.remaining(), "step"),
    ));
}

fn headline(session: &SessionRepair) -> String {
    let requests = session.requests;
    let mut parts = vec![format!("{} {}", session.session, session.outcome.name())];
    for (number, what) in
        [(requests.changed, "changed"), (requests.added, "added"), (requests.dropped, "dropped")]
    {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    }
    if !session.repairs.is_empty() {
        parts.push(format!("confidence {:.2}", session.confidence));
    }
    parts.join(", ")
}

fn print_findings(report: &RepairReport) {
    for (title, to_review) in
        [("to review: users had this, and it is no longer there", true), ("what else is different", false)]
    {
        let of_kind: Vec<&Finding> = report.findings.iter().filter(|f| f.to_review == to_review).collect();
        if of_kind.is_empty() {
            continue;
        }
        output::line(&format!("{title}:"));
        let mut printed = 0;
        for cause in Cause::ALL {
            for finding in of_kind.iter().filter(|finding| finding.cause == cause).take(SHOWN) {
                let sessions = count(finding.sessions.len(), "session");
                output::line(&format!("  {cause}: {} ({sessions})", cut(&finding.what, WIDE)));
                printed += 1;
            }
        }
        if of_kind.len() > printed {
            output::line(&format!("  and {} more, which --json lists", of_kind.len() - printed));
        }
    }
}
