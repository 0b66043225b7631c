//! The report as a whole: its head, its verdict and counts.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use restage_model::{Run, RunState};

use super::changes::changes;
use super::chart::{Bar, bars};
use super::pages::Pages;
use super::script::{POLICY, SCRIPT, STYLE};
use super::sessions::sessions;
use super::settled::settled;
use crate::plain::{one_line, shortened};
use crate::{Report, ReportError, phrases};

/// The report as one self-contained HTML file.
pub fn html(report: &Report<'_>) -> Result<String, ReportError> {
    let pages = Pages::read(report)?;
    let title = format!("{} · {}", phrases::verdict(&report.counts), one_line(&report.comparison.actual));
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (title) }
                // Our own, and nothing recorded.
                style { (PreEscaped(STYLE)) }
            }
            body {
                (top(report))
                main {
                    (changes(report, &pages))
                    (settled(report))
                    (sessions(report, &pages))
                }
                footer {
                    p {
                        "Written by restage. Pages are shown as they were received, in frames that run no scripts and "
                        "fetch nothing, with the style sheets and images that were recorded."
                    }
                }
                (pages.held())
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(document.into_string())
}

/// Writes [`html()`] to a file, making its folder where there is none.
pub fn write_html(report: &Report<'_>, path: &Path) -> Result<(), ReportError> {
    let text = html(report)?;
    let failed = |source| ReportError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}

fn top(report: &Report<'_>) -> Markup {
    let comparison = &report.comparison;
    html! {
        header .top {
            p .tool { "restage report" }
            h1 .verdict .good[comparison.passes()] { (phrases::verdict(&report.counts)) }
            dl .runs {
                (run("expected", &report.expected))
                (run("actual", &report.actual))
                div { dt { "oracle" } dd { code { (one_line(&comparison.oracle)) } } }
                div { dt { "suite" } dd { (one_line(&report.actual.suite_name)) } }
            }
            @for run in [&report.expected, &report.actual] {
                @match &run.state {
                    RunState::Complete => {},
                    RunState::Unfinished => p .warning { "The run " (one_line(&run.name)) " did not come to its end." },
                    RunState::Broken(why) => p .warning {
                        "The run " (one_line(&run.name)) " stopped early: " (shortened(&one_line(why), 600))
                    },
                }
            }
            (counts(report))
            (charts(report))
        }
    }
}

fn run(role: &str, run: &Run) -> Markup {
    html! {
        div {
            dt { (role) }
            dd title={ "state: " (run.policy) } {
                strong { (one_line(&run.name)) }
                " " span .soft { "on " (one_line(&run.app)) ", " (run.started) " UTC" }
            }
        }
    }
}

fn counts(report: &Report<'_>) -> Markup {
    let counts = report.counts;
    let of = |failing: usize, all: usize| {
        if failing == 0 { all.to_string() } else { format!("{failing} of {all}") }
    };
    let failing = if counts.failing == 0 { "" } else { " failing" };
    // What is zero and would only be noise is left out.
    let others = [
        (counts.failing_aftermaths, "states or logs that differ", true, ""),
        (counts.accepted.distinct, "accepted", false, "#accepted"),
        (counts.ignored.distinct, "ignored", false, "#ignored"),
        (counts.masked.distinct, "masked parts", false, "#masked"),
        (counts.weakened, "judged by a weaker oracle", false, ""),
        (counts.stale, "stale", false, ""),
        (counts.unanswered, "without an answer", true, ""),
        (counts.missing, "missing", true, ""),
    ];
    html! {
        ul .counts {
            li .bad[counts.changes > 0] { b { (counts.changes) } (if counts.changes == 1 { "change" } else { "changes" }) }
            li .bad[counts.failing > 0] { b { (of(counts.failing, counts.steps)) } "steps" (failing) }
            li .bad[counts.failing_sessions > 0] { b { (of(counts.failing_sessions, counts.sessions)) } "sessions" @if counts.failing_sessions > 0 { " failing" } }
            @for (count, what, bad, link) in others {
                @if count > 0 {
                    li .bad[bad] {
                        b { (count) }
                        @if link.is_empty() { (what) } @else { a href=(link) { (what) } }
                    }
                }
            }
        }
    }
}

fn charts(report: &Report<'_>) -> Markup {
    let mut by_page: HashMap<String, Bar> = HashMap::new();
    let mut by_session = Vec::new();
    for session in &report.sessions {
        let mut bar = Bar { label: session.name.clone(), count: 0, of: session.steps.len() };
        for step in &session.steps {
            let page = step.page();
            let of_page = by_page.entry(page.clone()).or_insert_with(|| Bar { label: page, count: 0, of: 0 });
            for bar in [&mut bar, of_page] {
                bar.count += usize::from(step.fails());
            }
            of_page.of += 1;
        }
        by_session.push(bar);
    }
    html! {
        @if report.counts.failing > 0 {
            div .charts {
                (bars("Failing steps by page", by_page.into_values().collect()))
                (bars("Failing steps by session", by_session))
            }
        }
    }
}
