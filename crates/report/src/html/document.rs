//! The report as a whole: its head, its verdict and counts.

use std::fs;
use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use restage_model::{Fidelity, Run, RunState};

use super::changes::changes;
use super::chart::{Bar, bars};
use super::limits::Limits;
use super::pages::Pages;
use super::script::{POLICY, SCRIPT, STYLE};
use super::sessions::Sessions;
use super::settled::settled;
use super::step_files::{StepFiles, WriteFile};
use crate::plain::{one_line, shortened};
use crate::{Report, ReportError, phrases};

/// So many sessions that left the recorded path are listed.
const SHOWN_ASTRAY: usize = 20;

/// The report as one self-contained HTML file. Steps that it has no room for are left out of it: see [`write_html`].
pub fn html(report: &Report<'_>) -> Result<String, ReportError> {
    document(report, ("report.html", "report.files"), Limits::default(), &mut |_, _| Ok(()))
}

/// Writes [`html()`] to a file, making its folder where there is none. The steps of a large report that it has no room for go to files in a folder beside
/// it: `NAME.files`.
pub fn write_html(report: &Report<'_>, path: &Path) -> Result<(), ReportError> {
    write_html_within(report, path, Limits::default())
}

pub(super) fn write_html_within(report: &Report<'_>, path: &Path, limits: Limits) -> Result<(), ReportError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ReportError::Write { path, source }
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed(path))?;
    }
    let folder = path.with_extension("files");
    remove_step_files(&folder);
    let name =
        |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let text = document(report, (&name(path), &name(&folder)), limits, &mut |name, text| {
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let file = folder.join(name);
        fs::write(&file, text).map_err(failed(&file))
    })?;
    fs::write(path, text).map_err(failed(path))
}

/// Removes the files of an earlier report. What else is in the folder is not ours.
fn remove_step_files(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("steps-") && name.ends_with(".html") {
            let _ = fs::remove_file(entry.path());
        }
    }
    // It stays where something else is in it.
    let _ = fs::remove_dir(folder);
}

fn document(
    report: &Report<'_>,
    (name, folder): (&str, &str),
    limits: Limits,
    write: &mut WriteFile<'_>,
) -> Result<String, ReportError> {
    let pages = Pages::read(report, limits)?;
    let files = StepFiles::new(write, name, limits);
    let (sessions, targets) = Sessions::new(report, &pages, limits, files, folder).write()?;
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
                    (changes(report, &pages, &targets, limits))
                    (settled(report, &targets))
                    (sessions)
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
            @if let Some(line) = phrases::together(report) {
                p .groups { (line) }
            }
            (fidelity(report))
            (counts(report))
            (charts(report))
        }
    }
}

/// That what is judged by is not what users did, where it is not: which sessions, why, and what to do.
fn fidelity(report: &Report<'_>) -> Markup {
    let astray: Vec<_> = report.fidelity.iter().flat_map(Fidelity::astray).collect();
    html! {
        @if let Some(line) = phrases::unfaithful(report) {
            details .warning .fidelity open[astray.len() <= SHOWN_ASTRAY] {
                summary { (line) }
                ul {
                    @for session in astray.iter().take(SHOWN_ASTRAY) {
                        li {
                            strong { (one_line(&session.name)) }
                            " " (session.as_recorded) " of " (session.steps) " steps as recorded"
                            @if let Some(left) = &session.left_at {
                                ", left at " (shortened(&one_line(&left.place()), 200))
                            }
                            @if let Some(cause) = &session.cause {
                                p { "Likely cause: " (shortened(&one_line(&cause.explanation), 400)) "." }
                                p { "Remedy: " (shortened(&one_line(&cause.remedy), 600)) "." }
                            }
                        }
                    }
                    @if astray.len() > SHOWN_ASTRAY {
                        li { "and " (astray.len() - SHOWN_ASTRAY) " more sessions" }
                    }
                }
            }
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
            li .bad[counts.findings > 0] { b { (counts.findings) } (if counts.findings == 1 { "finding" } else { "findings" }) }
            @if counts.changes != counts.findings { li { b { (counts.changes) } "changes" } }
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
    let by_page = report.pages.iter().map(|(page, (failing, all))| Bar {
        label: page.clone(),
        count: *failing,
        of: *all,
    });
    let by_session = report.sessions.iter().map(|session| Bar {
        label: session.name.clone(),
        count: session.failing,
        of: session.marks.len(),
    });
    html! {
        @if report.counts.failing > 0 {
            div .charts {
                (bars("Failing steps by page", by_page.collect()))
                (bars("Failing steps by session", by_session.collect()))
            }
        }
    }
}
