//! What was found, the worst first, each finding with its changes.

use maud::{Markup, PreEscaped, html};
use restage_model::{Change, Finding, StepAt};

use super::limits::Limits;
use super::pages::Pages;
use super::step::{pair, rendered, source};
use super::targets::Targets;
use crate::plain::{counted, one_line, shortened};
use crate::{Report, phrases};

/// So many changes are a line each, where there is no room for more of them.
const LINES: usize = 1_000;
/// More links than this to the steps of one change are no longer of use.
const LINKS: usize = 300;
/// So many further changes of a finding are listed.
const PARTS: usize = 40;
/// So many of them are shown without a click.
const OPEN: usize = 3;
/// More pages than this are counted instead of named.
const KEYS: usize = 6;

/// The section on findings, each with its changes.
pub(super) fn changes(report: &Report<'_>, pages: &Pages, targets: &Targets, limits: Limits) -> Markup {
    let all = &report.comparison.findings;
    let mut told = String::new();
    let mut whole = 0;
    while whole < all.len() && told.len() < limits.changes {
        told.push_str(&finding(report, pages, targets, whole + 1, &all[whole]).into_string());
        whole += 1;
    }
    let lines = whole..all.len().min(whole + LINES);
    let left = all.len() - lines.end;
    html! {
        @if !all.is_empty() {
            section {
                h2 { "Findings" }
                (PreEscaped(told))
                @for i in lines { (in_a_line(report, targets, i + 1, &all[i])) }
                @if left > 0 { p .soft { "and " (left) " more: " code { "--json" } " lists them all" } }
            }
        }
    }
}

/// A finding of which the report has no room for more.
fn in_a_line(report: &Report<'_>, targets: &Targets, number: usize, finding: &Finding) -> Markup {
    let Some(change) = &report.as_change(finding) else { return html! {} };
    html! {
        article .change id={ "finding-" (number) } {
            (head(number, finding, change, 160))
            p .about { (about(report, targets, change)) }
        }
    }
}

fn finding(
    report: &Report<'_>,
    pages: &Pages,
    targets: &Targets,
    number: usize,
    finding: &Finding,
) -> Markup {
    let Some(whole) = &report.as_change(finding) else { return html! {} };
    let changes: Vec<&Change> = report.changes_of(finding).collect();
    let Some((first, others)) = changes.split_first() else { return html! {} };
    // Of data alone there is no page to show: that of a change with it is.
    let held = changes.iter().find_map(|change| pages.of(*change.steps.first()?));
    html! {
        article .change id={ "finding-" (number) } {
            (head(number, finding, whole, 240))
            p .about { (about(report, targets, whole)) }
            (pair(first.difference.expected(), first.difference.actual()))
            @if !others.is_empty() {
                details .fold open[others.len() <= OPEN] {
                    summary { (counted(others.len(), "more change")) " with it" }
                    @for change in others.iter().take(PARTS) { (part(report, targets, change)) }
                    @if others.len() > PARTS {
                        p .soft { "and " (others.len() - PARTS) " more: " code { "--json" } " lists them all" }
                    }
                }
            }
            @if whole.steps.len() + whole.sessions.len() > 1 { (all_places(report, targets, whole)) }
            @if let Some(held) = held {
                (source(held, false))
                (rendered(held))
            }
        }
    }
}

fn head(number: usize, finding: &Finding, change: &Change, room: usize) -> Markup {
    html! {
        header {
            span .number { (number) }
            span .kind { (finding.kind) }
            h3 { (shortened(&one_line(&phrases::told(change)), room)) }
            span .count { (count(change)) }
        }
    }
}

/// A further change of a finding.
fn part(report: &Report<'_>, targets: &Targets, change: &Change) -> Markup {
    html! {
        div .part {
            p { (shortened(&one_line(&phrases::told(change)), 240)) " " span .count { (count(change)) } }
            p .about { (about(report, targets, change)) }
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
pub(super) fn about(report: &Report<'_>, targets: &Targets, change: &Change) -> Markup {
    html! {
        @if !change.keys.is_empty() { "on " (keys(&change.keys)) " · " }
        @if !change.sessions.is_empty() {
            @if !change.keys.is_empty() { "and " }
            "in what " (counted(change.sessions.len(), "session")) " left behind · "
        }
        "seen by " code { (one_line(&change.difference.seen_by_all())) }
        " · " code { (one_line(report.short_id(&change.id))) }
        @if let Some(first) = phrases::first(report, change) {
            " · first " a href=(example(report, targets, change)) { (one_line(&first)) }
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

fn example(report: &Report<'_>, targets: &Targets, change: &Change) -> String {
    match change.steps.first().filter(|at| report.session_of(**at).is_some()) {
        Some(at) => targets.of(*at),
        None => change.sessions.first().map(|ordinal| targets.of_aftermath(*ordinal)).unwrap_or_default(),
    }
}

/// Links to all places of a change, folded.
pub(super) fn all_places(report: &Report<'_>, targets: &Targets, change: &Change) -> Markup {
    html! {
        details .fold {
            summary { (phrases::extent(report, change)) }
            (places(report, targets, &change.steps))
            @if !change.sessions.is_empty() {
                ul .places {
                    @for session in change.sessions.iter().take(LINKS).filter_map(|o| report.session(*o)) {
                        li { "after " a href=(targets.of_aftermath(session.ordinal)) { (one_line(&session.name)) } }
                    }
                }
            }
        }
    }
}

/// Links to steps, one item a session.
fn places(report: &Report<'_>, targets: &Targets, steps: &[StepAt]) -> Markup {
    let mut steps: Vec<_> =
        steps.iter().filter_map(|at| Some((report.session_of(*at)?, *at))).take(LINKS).collect();
    steps.sort_by_key(|(_, at)| *at);
    html! {
        @if !steps.is_empty() {
            ul .places {
                @for group in steps.chunk_by(|(a, _), (b, _)| a.ordinal == b.ordinal) {
                    li {
                        (one_line(&group[0].0.name)) " step"
                        @for (_, at) in group { " " a href=(targets.of(*at)) { (at.step + 1) } }
                    }
                }
            }
        }
    }
}
