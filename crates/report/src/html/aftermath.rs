//! What a session left behind: a square at the end of its strip, a line after its steps.

use maud::{Markup, html};
use restage_model::Aftermath;

use super::step::{found, masked, settled};
use crate::{Mark, ReportSession};

/// Where a session's aftermath is in the report.
pub(super) fn anchor(ordinal: u32) -> String {
    format!("after-{}", ordinal + 1)
}

/// Its square.
pub(super) fn square(session: &ReportSession) -> Markup {
    let Some(aftermath) = &session.aftermath else { return html! {} };
    let (mark, title) = (mark(session, aftermath), title(session, aftermath));
    let class = format!("square round {}", mark.name());
    html! {
        @if mark.needs_a_look() {
            a class=(class) href={ "#" (anchor(session.ordinal)) } title=(title) aria-label=(title) {}
        } @else {
            i class=(class) title=(title) {}
        }
    }
}

/// Its line; one that has something to tell unfolds.
pub(super) fn line(session: &ReportSession) -> Markup {
    let Some(aftermath) = &session.aftermath else { return html! {} };
    let mark = mark(session, aftermath);
    let (id, class) = (anchor(session.ordinal), if mark.needs_a_look() { "step ill" } else { "step well" });
    let head = html! {
        span class={ "square round " (mark.name()) } title=(title(session, aftermath)) {}
        span .number {}
        span { "state and log" }
        span .small {}
        span .time .small {}
    };
    if mark == Mark::Pass && aftermath.masked.is_empty() {
        return html! { div class=(class) id=(id) { (head) } };
    }
    html! {
        details class=(class) id=(id) {
            summary { (head) }
            div .body {
                (found(&aftermath.differences))
                (settled("accepted", &aftermath.accepted))
                (settled("ignored", &aftermath.ignored))
                (masked(&aftermath.masked))
            }
        }
    }
}

fn mark(session: &ReportSession, aftermath: &Aftermath) -> Mark {
    if session.aftermath_fails() {
        Mark::Fail
    } else if !aftermath.accepted.is_empty() {
        Mark::Accepted
    } else if !aftermath.ignored.is_empty() {
        Mark::Ignored
    } else {
        Mark::Pass
    }
}

fn title(session: &ReportSession, aftermath: &Aftermath) -> String {
    format!("state and log: {}", mark(session, aftermath).meaning())
}
