//! What the formats for people say in the same words.

use restage_model::{Change, Difference, Place};

use crate::plain::{counted, one_line};
use crate::{Counts, Extent, Report};

/// How a report sums up: `2 changes in 8 of 20 steps`.
pub(crate) fn verdict(counts: &Counts) -> String {
    let changes = match counts.findings {
        findings if findings == counts.changes => counted(counts.changes, "change"),
        findings => format!("{} ({})", counted(findings, "finding"), counted(counts.changes, "change")),
    };
    let steps = format!("{} of {}", counts.failing, counted(counts.steps, "step"));
    let left = format!(
        "what {} of {} left behind",
        counts.failing_aftermaths,
        counted(counts.aftermaths, "session")
    );
    match (counts.failing, counts.failing_aftermaths) {
        (0, 0) => {
            let missing = match counts.missing {
                0 => String::new(),
                n => format!(", {} missing", counted(n, "step")),
            };
            format!("No differences{}{missing}", but(counts))
        }
        (_, 0) => format!("{changes} in {steps}"),
        (0, _) => format!("{changes} in {left}"),
        _ => format!("{changes} in {steps} and in {left}"),
    }
}

/// One line on how faithful the run that is right was, where it was not altogether: what is judged by it is not what users did.
pub(crate) fn unfaithful(report: &Report<'_>) -> Option<String> {
    let fidelity = report.fidelity.as_ref().filter(|fidelity| !fidelity.is_whole())?;
    let astray = fidelity.astray().count();
    Some(format!(
        "{} answered {} of {} as recorded ({} %): {astray} of {} left the recorded path",
        one_line(&report.expected.name),
        fidelity.as_recorded,
        counted(fidelity.steps, "step"),
        fidelity.percent(),
        counted(fidelity.sessions.len(), "session"),
    ))
}

/// More groups are not named.
const GROUPS: usize = 6;

/// Which sessions were replayed together, where some were.
pub(crate) fn together(report: &Report<'_>) -> Option<String> {
    let group = |group: &Vec<String>| one_line(&group.join(" + "));
    let shown: Vec<String> = report.groups.iter().take(GROUPS).map(group).collect();
    let more = match report.groups.len().saturating_sub(GROUPS) {
        0 => String::new(),
        more => format!(" and {}", counted(more, "more group")),
    };
    (!shown.is_empty()).then(|| {
        format!(
            "replayed together, because they met: {}{more} (what a group left behind stands with its first session)",
            shown.join(", ")
        )
    })
}

/// What is left out when no differences are said to be there.
pub(crate) fn but(counts: &Counts) -> &'static str {
    match (counts.accepted.is_empty(), counts.ignored.is_empty()) {
        (true, true) => "",
        (false, true) => " but what is accepted",
        (true, false) => " but what is ignored",
        (false, false) => " but what is accepted or ignored",
    }
}

/// `31 steps and after 3 sessions`.
pub(crate) fn places(extent: Extent) -> String {
    let after = format!("after {}", counted(extent.aftermaths, "session"));
    match (extent.steps, extent.aftermaths) {
        (steps, 0) => format!("in {}", counted(steps, "step")),
        (0, _) => after,
        (steps, _) => format!("in {} and {after}", counted(steps, "step")),
    }
}

/// What a person would say changed, and how many rows it is that did.
pub(crate) fn told(change: &Change) -> String {
    match (&change.difference.place, change.at_once) {
        (_, 0 | 1) => change.summary(),
        (Place::Row { .. }, n) => {
            let more = counted(n - 1, "more row");
            let after = if change.sessions.len() > 1 { " after one session" } else { "" };
            format!("{}, and {more}{after}", change.summary())
        }
        (_, n) => format!("{}, and {} like it", change.summary(), n - 1),
    }
}

/// Where a change shows: `6 steps in 3 sessions, and in the log of 2`.
pub(crate) fn extent(report: &Report<'_>, change: &Change) -> String {
    let after = aftermath(&change.difference, change.sessions.len());
    match (change.steps.len(), change.sessions.len()) {
        (0, _) => after,
        (steps, sessions) => {
            let steps =
                format!("{} in {}", counted(steps, "step"), counted(report.sessions_of(change), "session"));
            if sessions == 0 { steps } else { format!("{steps}, and {after}") }
        }
    }
}

/// Where the example of a change is: `in s57 step 4`, `after s7`.
pub(crate) fn first(report: &Report<'_>, change: &Change) -> Option<String> {
    if let Some(at) = change.steps.first()
        && let Some(session) = report.session_of(*at)
    {
        let origin = report.origin(*at).map(|origin| format!(" ({origin})")).unwrap_or_default();
        return Some(format!("in {} step {}{origin}", session.name, at.step + 1));
    }
    let session = report.session(*change.sessions.first()?)?;
    Some(format!("{} {}", if is_log(&change.difference) { "in the log of" } else { "after" }, session.name))
}

/// `the state after 3 sessions`, `the log of 1 session`.
fn aftermath(difference: &Difference, sessions: usize) -> String {
    let sessions = counted(sessions, "session");
    if is_log(difference) { format!("the log of {sessions}") } else { format!("the state after {sessions}") }
}

/// Whether a difference in what a session left behind is one of the log, not of the state.
fn is_log(difference: &Difference) -> bool {
    difference.is_seen_by("Log") || difference.is_seen_by("Errors")
}
