//! What changed, each change once, the most frequent first.

use maud::{Markup, html};
use restage_model::{Change, StepAt};

use super::pages::Pages;
use super::step::{anchor, pair, rendered, source};
use crate::Report;
use crate::plain::{counted, one_line, shortened};

/// More links than this to the steps of one change are no longer of use.
const LINKS: usize = 300;
/// More pages than this are counted instead of named.
const KEYS: usize = 6;

/// The section on changes.
pub(super) fn changes(report: &Report<'_>, pages: &Pages) -> Markup {
    html! {
        @if !report.comparison.changes.is_empty() {
            section {
                h2 { "Changes" }
                @for (i, c) in report.comparison.changes.iter().enumerate() { (change(report, pages, i + 1, c)) }
            }
        }
    }
}

fn change(report: &Report<'_>, pages: &Pages, number: usize, change: &Change) -> Markup {
    let sessions = counted(report.sessions_of(change), "session");
    html! {
        article .change id={ "change-" (number) } {
            header {
                span .number { (number) }
                h3 { (shortened(&one_line(&change.summary), 240)) }
                span .count { (counted(change.steps.len(), "step")) }
            }
            p .about {
                "on "
                @for (i, key) in change.keys.iter().take(KEYS).enumerate() {
                    @if i > 0 { ", " }
                    code { (shortened(&one_line(key.as_str()), 120)) }
                }
                @if change.keys.len() > KEYS { " and " (change.keys.len() - KEYS) " more" }
                " · seen by " code { (one_line(&change.difference.seen_by)) }
                " · " code { (one_line(&change.id.0)) }
                @if let Some((session, step)) = change.steps.first().and_then(|at| report.find(*at)) {
                    " · example: " a href={ "#" (anchor(session, step)) } {
                        (one_line(&session.name)) " step " (step.number())
                    }
                }
            }
            (pair(&change.difference))
            @if change.steps.len() > 1 {
                details .fold {
                    summary { (counted(change.steps.len(), "step")) " in " (sessions) }
                    (places(report, &change.steps))
                }
            }
            @if let Some(held) = change.steps.first().and_then(|at| pages.of(*at)) {
                (source(held, false))
                (rendered(held))
            }
        }
    }
}

/// Links to steps, one item a session.
fn places(report: &Report<'_>, steps: &[StepAt]) -> Markup {
    let mut steps: Vec<_> = steps.iter().filter_map(|at| report.find(*at)).take(LINKS).collect();
    steps.sort_by_key(|(_, step)| step.at);
    html! {
        ul .places {
            @for group in steps.chunk_by(|(a, _), (b, _)| a.ordinal == b.ordinal) {
                li {
                    (one_line(&group[0].0.name)) " step"
                    @for (session, step) in group { " " a href={ "#" (anchor(session, step)) } { (step.number()) } }
                }
            }
        }
    }
}
