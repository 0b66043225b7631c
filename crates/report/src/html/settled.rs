//! What differs and fails nothing, each in a section that is closed: accepted changes, ignored changes, masked parts.

use maud::{Markup, html};
use restage_model::SettledChange;

use super::changes::{about, all_places, count, keys};
use super::step::pair;
use super::targets::Targets;
use crate::plain::{counted, one_line, shortened};
use crate::{Extent, MaskedPart, Report, phrases};

/// More entries than this of a kind are counted.
const ENTRIES: usize = 500;

/// The closed sections.
pub(super) fn settled(report: &Report<'_>, targets: &Targets) -> Markup {
    let (comparison, counts) = (&report.comparison, report.counts);
    let changes =
        |extent: Extent| format!("{} {}", counted(extent.distinct, "change"), phrases::places(extent));
    html! {
        @if !comparison.accepted.is_empty() || !comparison.unused.accepted.is_empty() {
            (section("accepted", "Accepted", &changes(counts.accepted), html! {
                p .soft { "Intended, as " code { "restage.accepted.toml" } " says: no step fails on these." }
                @for c in comparison.accepted.iter().take(ENTRIES) { (change(report, targets, c, "reason")) }
                (more(comparison.accepted.len()))
                @if !comparison.unused.accepted.is_empty() {
                    p .soft {
                        "Accepted, and not seen in this run:"
                        @for id in &comparison.unused.accepted { " " code { (one_line(&id.0)) } }
                    }
                }
            }))
        }
        @if !comparison.ignored.is_empty() || !comparison.unused.rules.is_empty() {
            (section("ignored", "Ignored", &changes(counts.ignored), html! {
                p .soft { "Of no matter on these pages, as " code { "[[ignore]]" } " of " code { "restage.toml" } " says." }
                @for c in comparison.ignored.iter().take(ENTRIES) { (change(report, targets, c, "rule")) }
                (more(comparison.ignored.len()))
                @for rule in &comparison.unused.rules {
                    p .soft { "Met nothing in this run: " code { (shortened(&one_line(rule), 240)) } }
                }
            }))
        }
        @if !report.masked.is_empty() {
            @let what = format!("{} {}", counted(counts.masked.distinct, "part"), phrases::places(counts.masked));
            (section("masked", "Masked", &what, masked(report, targets)))
        }
    }
}

fn section(id: &str, title: &str, what: &str, inside: Markup) -> Markup {
    html! {
        details .closed id=(id) {
            summary { h2 { (title) } span .soft { (what) } }
            (inside)
        }
    }
}

fn more(entries: usize) -> Markup {
    html! { @if entries > ENTRIES { p .soft { "and " (entries - ENTRIES) " more" } } }
}

fn change(report: &Report<'_>, targets: &Targets, settled: &SettledChange, how: &str) -> Markup {
    let change = &settled.change;
    html! {
        details .settled {
            summary {
                code { (one_line(report.short_id(&change.id))) }
                span .what { (shortened(&one_line(&phrases::told(change)), 240)) }
                span .soft { (count(change)) }
            }
            @if !settled.why.is_empty() {
                p { span .soft { (how) ": " } (shortened(&one_line(&settled.why), 600)) }
            }
            p .about { (about(report, targets, change)) }
            (pair(change.difference.expected(), change.difference.actual()))
            @if change.steps.len() + change.sessions.len() > 1 { (all_places(report, targets, change)) }
        }
    }
}

fn masked(report: &Report<'_>, targets: &Targets) -> Markup {
    html! {
        p { (report.masked_shares.said()) " masked." }
        @for page in &report.masked_shares.pages {
            p .warning { "Warning: " code { (one_line(page.key.as_str())) } " is mostly masked: " (page.said()) "." }
        }
        p .soft { "These parts vary on the trusted version too, so that they are not looked at. An example of each:" }
        table .live .parts {
            thead { tr { th { "part" } th { "on" } th .number { "steps" } th { "expected" } th { "actual" } } }
            tbody { @for part in report.masked.iter().take(ENTRIES) { (row(report, targets, part)) } }
        }
        (more(report.masked.len()))
    }
}

fn row(report: &Report<'_>, targets: &Targets, part: &MaskedPart) -> Markup {
    let value = |text: &str| {
        html! {
            @if text.is_empty() { span .nothing { "nothing" } } @else { code { (shortened(&one_line(text), 120)) } }
        }
    };
    html! {
        tr {
            td { (shortened(&one_line(&part.example.place), 200)) }
            td {
                (keys(&part.keys))
                @if part.aftermaths > 0 {
                    @if !part.keys.is_empty() { ", " }
                    "what " (counted(part.aftermaths, "session")) " left behind"
                }
            }
            td .number {
                @match part.first.filter(|at| report.session_of(*at).is_some()) {
                    Some(at) => a href=(targets.of(at)) { (part.steps) },
                    None => span .soft { "—" },
                }
            }
            td { (value(&part.example.expected)) }
            td { (value(&part.example.actual)) }
        }
    }
}
