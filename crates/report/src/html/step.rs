//! One step: a line, and what it unfolds to.

use maud::{Markup, html};
use restage_model::{Difference, Masked, Step, StepAt, Substitution};

use super::pages::{Pages, STEPS, Side, StepPages};
use super::server_side::server_side;
use crate::plain::{counted, duration, harmless, one_line, shortened};
use crate::side_by_side::{Row, SideBySide};
use crate::words::{Piece, pieces};
use crate::{Mark, Report, ReportStep};

/// How much of a value is quoted.
const ROOM: usize = 4_000;
/// More fields of a form than this are counted.
const FIELDS: usize = 30;
/// A step with more differences than this has no page left to compare.
const DIFFERENCES: usize = 50;

/// Where a step is in the report.
pub(super) fn anchor(at: StepAt) -> String {
    format!("step-{}-{}", at.session + 1, at.step + 1)
}

/// A step's line; one that has something to tell unfolds. Pages are held by the report itself alone.
pub(super) fn step(report: &Report<'_>, pages: Option<&Pages>, step: &ReportStep) -> Markup {
    let mark = step.mark();
    let well = if mark.needs_a_look() { "ill" } else { "well" };
    let substituted = step.actual.as_ref().is_some_and(|s| !s.substitutions.is_empty());
    let id = anchor(step.at);
    if mark == Mark::Pass && !substituted && step.verdict.as_ref().is_none_or(|v| v.masked.is_empty()) {
        return html! { div class={ "step " (well) } id=(id) { (line(step)) } };
    }
    html! {
        details class={ "step " (well) } id=(id) {
            summary { (line(step)) }
            div .body {
                (facts(report, step))
                (server_side(&step.server))
                @if let Some(actual) = step.actual.as_ref().filter(|s| !s.substitutions.is_empty()) {
                    (live_values(&actual.substitutions))
                }
                @if let Some(verdict) = &step.verdict {
                    (found(&verdict.differences))
                    (settled("accepted", &verdict.accepted))
                    (settled("ignored", &verdict.ignored))
                    (masked(&verdict.masked))
                }
                @match pages.and_then(|pages| pages.of(step.at)) {
                    Some(held) => { (source(held, true)) (rendered(held)) },
                    None if step.fails() => p .soft .small {
                        "The pages of this step are not in this report: it holds those of up to "
                        (STEPS) " failing steps, one of each change among them as far as there is room."
                    },
                    None => {},
                }
            }
        }
    }
}

/// Differences, each with its two parts.
pub(super) fn found(differences: &[Difference]) -> Markup {
    html! {
        @for difference in differences.iter().take(DIFFERENCES) {
            div .difference { p { (shown(&difference.to_string())) } (pair(difference.expected(), difference.actual())) }
        }
        @if differences.len() > DIFFERENCES {
            p .soft { "and " (differences.len() - DIFFERENCES) " more differences" }
        }
    }
}

/// Differences that fail nothing, folded.
pub(super) fn settled(how: &str, differences: &[Difference]) -> Markup {
    html! {
        @if !differences.is_empty() {
            details .fold {
                summary { (counted(differences.len(), "difference")) " " (how) }
                (found(differences))
            }
        }
    }
}

/// Masked parts, folded.
pub(super) fn masked(parts: &[Masked]) -> Markup {
    html! {
        @if !parts.is_empty() {
            details .fold {
                summary { (counted(parts.len(), "masked part")) ", varying on the trusted version too" }
                table .live .parts {
                    thead { tr { th { "part" } th { "expected" } th { "actual" } } }
                    tbody {
                        @for part in parts.iter().take(DIFFERENCES) {
                            tr {
                                td { (shown(&part.place)) }
                                td { code { (shown(&part.expected)) } }
                                td { code { (shown(&part.actual)) } }
                            }
                        }
                    }
                }
                @if parts.len() > DIFFERENCES { p .soft { "and " (parts.len() - DIFFERENCES) " more" } }
            }
        }
    }
}

/// The expected and the actual part of a difference, with the words that differ marked.
pub(super) fn pair(expected: &str, actual: &str) -> Markup {
    let quoted = |text: &str| shortened(&harmless(text), ROOM);
    let (expected, actual) = pieces(&quoted(expected), &quoted(actual));
    html! {
        div .pair {
            div { h4 { "expected" } pre .was { (marked(&expected)) } }
            div { h4 { "actual" } pre .is { (marked(&actual)) } }
        }
    }
}

/// The two bodies as text, side by side.
pub(super) fn source(held: &StepPages, open: bool) -> Markup {
    let Some(SideBySide { rows, left_out }) = &held.source else { return html! {} };
    let cell = |class: &str, side: &Option<Vec<Piece>>| {
        html! {
            @match side {
                Some(pieces) => td class=(class) { (marked(pieces)) },
                None => td .hole {},
            }
        }
    };
    html! {
        details .fold open[open] {
            summary { "Source, side by side" }
            @if rows.is_empty() {
                p .soft { "The two bodies are the same, but for white space at the ends of lines." }
            } @else {
                table .source {
                    thead { tr { th { "expected" } th { "actual" } } }
                    tbody {
                        @for row in rows {
                            @match row {
                                Row::Same(line) => tr { td { (line) } td { (line) } },
                                Row::Changed { expected, actual } => tr { (cell("was", expected)) (cell("is", actual)) },
                                Row::Skipped(lines) => tr .skip { td colspan="2" { (counted(*lines, "line")) " alike" } },
                            }
                        }
                        @if *left_out > 0 {
                            tr .skip { td colspan="2" { "and " (left_out) " more lines that differ" } }
                        }
                    }
                }
            }
        }
    }
}

/// The two pages rendered, in frames that may do nothing.
pub(super) fn rendered(held: &StepPages) -> Markup {
    let side = |title: &str, side: &Side| {
        html! {
            div {
                h4 { (title) }
                @match side {
                    Side::Frame(id) => div .shot {
                        iframe sandbox="" loading="lazy" title={ (title) " page" } data-page=(id) {}
                    },
                    Side::Words(words) => p .nothing { (words) },
                }
            }
        }
    };
    if let (Side::Words(expected), Side::Words(actual)) = (&held.expected, &held.actual) {
        // Text was shown as source already; of anything else these words are all there is to show.
        return html! {
            @if held.source.is_none() { p .soft .small { "expected: " (expected) " actual: " (actual) } }
        };
    }
    html! {
        details .fold .rendered {
            summary { "Rendered pages" }
            noscript { p .soft { "Rendered pages need JavaScript; all else in this report does not." } }
            div .frames { (side("expected", &held.expected)) (side("actual", &held.actual)) }
        }
    }
}

fn line(step: &ReportStep) -> Markup {
    let (method, uri) = step.request();
    let mark = step.mark();
    html! {
        span class={ "square " (mark.name()) } title=(mark.meaning()) {}
        span .number { (step.number()) }
        code { (method) " " (shortened(&one_line(uri), 200)) }
        span .small { (statuses(step)) @if let Some(origin) = step.origin() { " · " (shown(&origin.to_string())) } }
        span .time .small { @if let Some(actual) = &step.actual { (duration(actual.took)) } }
    }
}

fn statuses(step: &ReportStep) -> String {
    let status = |step: Option<&Step>| match step {
        None => "—".to_owned(),
        Some(step) => step.answer.received().map_or("no answer".to_owned(), |r| r.status.to_string()),
    };
    let (expected, actual) = (status(step.expected.as_ref()), status(step.actual.as_ref()));
    if expected == actual { actual } else { format!("{expected} → {actual}") }
}

fn facts(report: &Report<'_>, step: &ReportStep) -> Markup {
    let (method, uri) = step.request();
    html! {
        dl .facts {
            dt { "request" } dd { code { (method) " " (shown(uri)) } }
            @if step.page() != format!("{method} {uri}") {
                dt { "page" } dd { code { (shown(&step.page())) } }
            }
            @if let Some(origin) = step.origin() { dt { "origin" } dd { (shown(&origin.to_string())) } }
            @if !step.sent.is_empty() { dt { "sent" } dd { (sent(&step.sent)) } }
            dt { "status" } dd { (statuses(step)) }
            @if let Some(verdict) = &step.verdict {
                dt { "judged by" }
                dd {
                    code { (one_line(&verdict.oracle)) }
                    @if verdict.weakened { ", weaker than asked for because the step is noisy" }
                }
            } @else {
                @let lacks = if step.actual.is_some() { &report.expected } else { &report.actual };
                dt { "missing" } dd { "the run " (one_line(&lacks.name)) " lacks this step" }
            }
            @if let Some(why) = step.stale() { dt { "stale" } dd { (shown(why)) } }
            @if let Some(why) = step.unanswered() { dt { "no answer" } dd { (shown(why)) } }
        }
    }
}

/// The fields of a form, as many as somebody reads.
fn sent(fields: &[(String, String)]) -> Markup {
    let short = |text: &str| shortened(&one_line(text), 80);
    html! {
        @for (at, (name, value)) in fields.iter().take(FIELDS).enumerate() {
            @if at > 0 { ", " }
            code { (short(name)) } " "
            @if value.is_empty() { span .nothing { "nothing" } } @else { code { (short(value)) } }
        }
        @if fields.len() > FIELDS { " and " (fields.len() - FIELDS) " more" }
    }
}

fn live_values(substitutions: &[Substitution]) -> Markup {
    html! {
        details .fold open[substitutions.len() <= 4] {
            summary { (counted(substitutions.len(), "live value")) " sent instead of the recorded" }
            table .live {
                thead { tr { th { "where" } th { "recorded" } th { "live" } th { "taken from" } } }
                tbody {
                    @for s in substitutions {
                        tr {
                            td { (shown(&s.target)) }
                            td { code { (shown(&s.recorded)) } }
                            td { code { (shown(&s.live)) } }
                            td title=[(!s.why.is_empty()).then(|| shown(&s.why))] { (shown(&s.source)) }
                        }
                    }
                }
            }
        }
    }
}

fn marked(pieces: &[Piece]) -> Markup {
    html! {
        @if pieces.iter().all(|piece| piece.text.is_empty()) { span .nothing { "nothing" } }
        @for piece in pieces {
            @if piece.changed { mark { (piece.text) } } @else { (piece.text) }
        }
    }
}

pub(super) fn shown(text: &str) -> String {
    shortened(&one_line(text), 400)
}
