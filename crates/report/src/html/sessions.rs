//! Every session as a strip of its steps, which unfolds to the steps themselves.

use maud::{Markup, html};

use super::aftermath;
use super::pages::Pages;
use super::step::{anchor, step};
use crate::plain::{counted, one_line, shortened};
use crate::{Mark, Report, ReportSession, ReportStep};

/// With more steps than this, those of sessions where all is well are not listed.
const LISTED: usize = 5_000;

/// The section on sessions.
pub(super) fn sessions(report: &Report<'_>, pages: &Pages) -> Markup {
    let list_all = report.steps().count() <= LISTED;
    let marks: Vec<Mark> =
        Mark::ALL.into_iter().filter(|mark| report.steps().any(|(_, step)| step.mark() == *mark)).collect();
    html! {
        section {
            h2 { "Sessions" }
            div .bar {
                div .legend {
                    @for mark in &marks {
                        span { i class={ "square " (mark.name()) } {} (mark.meaning()) }
                    }
                    @if report.counts.aftermaths > 0 {
                        span { i .square .round .pass {} "state and log after the session" }
                    }
                }
                @if marks.iter().any(|mark| mark.needs_a_look()) || report.counts.failing_aftermaths > 0 {
                    label { input #only type="checkbox"; " only what needs a look" }
                }
            }
            div .sessions {
                @for s in &report.sessions { (session(report, pages, s, list_all)) }
            }
        }
    }
}

fn session(report: &Report<'_>, pages: &Pages, session: &ReportSession, list_all: bool) -> Markup {
    let ill = session.aftermath_fails() || session.steps.iter().any(|step| step.mark().needs_a_look());
    html! {
        details class={ "session " (if ill { "ill" } else { "well" }) } {
            summary {
                span .mono { (shortened(&one_line(&session.name), 40)) }
                span .strip {
                    @for step in &session.steps { (square(session, step)) }
                    (aftermath::square(session))
                }
                span .small .soft { (tally(session)) }
            }
            div .steps {
                @if ill || list_all {
                    @for s in &session.steps { (step(report, pages, session, s)) }
                    (aftermath::line(session))
                } @else {
                    p .soft .body { "All is well here; with this many steps only sessions with something to see are listed." }
                }
            }
        }
    }
}

fn square(session: &ReportSession, step: &ReportStep) -> Markup {
    let mark = step.mark();
    let class = format!("square {}", mark.name());
    let (method, uri) = step.request();
    let request = shortened(&one_line(&format!("{method} {uri}")), 80);
    let title = format!("step {}: {request} {}", step.number(), mark.meaning());
    html! {
        @if mark.needs_a_look() {
            a class=(class) href={ "#" (anchor(session, step)) } title=(title) aria-label=(title) {}
        } @else {
            i class=(class) title=(title) {}
        }
    }
}

fn tally(session: &ReportSession) -> String {
    let steps = counted(session.steps.len(), "step");
    let steps = match session.steps.iter().filter(|step| step.fails()).count() {
        0 => steps,
        1 => format!("1 of {steps} fails"),
        failing => format!("{failing} of {steps} fail"),
    };
    if session.aftermath_fails() { format!("{steps}, state or log differs") } else { steps }
}
