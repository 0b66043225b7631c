//! What a session left behind: a square at the end of its strip, a line after its steps.

use maud::{Markup, html};

use super::step::{found, masked, settled};
use super::targets::Targets;
use crate::{Mark, ReportSession, SessionOverview};

/// Where a session's aftermath is in the report.
pub(super) fn anchor(ordinal: u32) -> String {
    format!("after-{}", ordinal + 1)
}

/// Its square.
pub(super) fn square(session: &SessionOverview, targets: &Targets) -> Markup {
    let Some(mark) = session.aftermath else { return html! {} };
    let (class, title) = (format!("square round {}", mark.name()), title(mark));
    html! {
        @if mark.needs_a_look() {
            a class=(class) href=(targets.of_aftermath(session.ordinal)) title=(title) aria-label=(title) {}
        } @else {
            i class=(class) title=(title) {}
        }
    }
}

/// Its line; one that has something to tell unfolds.
pub(super) fn line(session: &ReportSession, mark: Mark) -> Markup {
    let Some(aftermath) = &session.aftermath else { return html! {} };
    let (id, class) = (anchor(session.ordinal), if mark.needs_a_look() { "step ill" } else { "step well" });
    let head = html! {
        span class={ "square round " (mark.name()) } title=(title(mark)) {}
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

fn title(mark: Mark) -> String {
    format!("state and log: {}", mark.meaning())
}
