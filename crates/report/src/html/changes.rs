//! What changed, each change once, the most frequent first.

use maud::{Markup, html};
use restage_model::{Change, StepAt};

use super::aftermath;
use super::pages::Pages;
use super::step::{anchor, pair, rendered, source};
use crate::plain::{counted, one_line, shortened};
use crate::{Report, phrases};

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
    html! {
        article .change id={ "change-" (number) } {
            header {
                span .number { (number) }
                h3 { (shortened(&one_line(&change.summary), 240)) }
                span .count { (count(change)) }
            }
            p .about { (about(report, change)) }
            (pair(&change.difference.expected, &change.difference.actual))
            @if change.steps.len() + change.sessions.len() > 1 { (all_places(report, change)) }
            @if let Some(held) = change.steps.first().and_then(|at| pages.of(*at)) {
                (source(held, false))
                (rendered(held))
            }
        }
    }
}

/// How many steps show a change, or else how many sessions left it behind.
pub(super) fn count(change: &Change) -> String {
    match change.steps.len() {
        0 => counted(change.sessions.len(), "session"),
        steps => counted(steps, "step"),
    }
}

/// Where a change shows, who saw it, its name and an example.
pub(super) fn about(report: &Report<'_>, change: &Change) -> Markup {
    html! {
        @if !change.keys.is_empty() { "on " (keys(&change.keys)) " · " }
        @if !change.sessions.is_empty() {
            @if !change.keys.is_empty() { "and " }
            "in what " (counted(change.sessions.len(), "session")) " left behind · "
        }
        "seen by " code { (one_line(&change.difference.seen_by)) }
        " · " code { (one_line(&change.id.0)) }
        @if let Some(first) = phrases::first(report, change) {
            " · first " a href={ "#" (example(report, change)) } { (one_line(&first)) }
        }
    }
}

/// Pages by their keys, the most frequent first.
pub(super) fn keys(keys: &[restage_model::Key]) -> Markup {
    html! {
        @for (i, key) in keys.iter().take(KEYS).enumerate() {
            @if i > 0 { ", " }
            code { (shortened(&one_line(key.as_str()), 120)) }
        }
        @if keys.len() > KEYS { " and " (keys.len() - KEYS) " more" }
    }
}

fn example(report: &Report<'_>, change: &Change) -> String {
    match change.steps.first().and_then(|at| report.find(*at)) {
        Some((session, step)) => anchor(session, step),
        None => change.sessions.first().map(|ordinal| aftermath::anchor(*ordinal)).unwrap_or_default(),
    }
}

/// Links to all places of a change, folded.
pub(super) fn all_places(report: &Report<'_>, change: &Change) -> Markup {
    html! {
        details .fold {
            summary { (phrases::extent(report, change)) }
            (places(report, &change.steps))
            @if !change.sessions.is_empty() {
                ul .places {
                    @for session in change.sessions.iter().take(LINKS).filter_map(|o| report.session(*o)) {
                        li { "after " a href={ "#" (aftermath::anchor(session.ordinal)) } { (one_line(&session.name)) } }
                    }
                }
            }
        }
    }
}

/// Links to steps, one item a session.
fn places(report: &Report<'_>, steps: &[StepAt]) -> Markup {
    let mut steps: Vec<_> = steps.iter().filter_map(|at| report.find(*at)).take(LINKS).collect();
    steps.sort_by_key(|(_, step)| step.at);
    html! {
        @if !steps.is_empty() {
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
}
