//! What the server did for a step, where probes wrote it: files and lines, errors, statements.

use maud::{Markup, html};
use restage_facts::{Coverage, LineSet, StepFacts};

use super::step::shown;
use crate::plain::counted;
use crate::session::ServerSide;

/// So many files, statements and errors of a step are listed.
const LISTED: usize = 40;

/// What the server did for a step; nothing where that is not known.
pub(super) fn server_side(server: &ServerSide) -> Markup {
    let Some(actual) = &server.actual else { return html! {} };
    let now = Coverage::from(actual);
    let before = server.expected.as_ref().map(Coverage::from);
    let new = before.as_ref().map(|before| now.without(before));
    let gone = before.as_ref().map(|before| before.without(&now));
    html! {
        details .fold {
            summary { "What the server did: " (told(actual, &now)) }
            @if !now.files.is_empty() {
                table .live {
                    thead { tr { th { "file" } th { "lines that ran" } @if before.is_some() { th { "only here" } th { "only in the expected run" } } } }
                    tbody {
                        @for (file, ran) in now.files.iter().take(LISTED) {
                            tr {
                                td { code { (shown(file)) } }
                                td { (runs(&ran.lines)) }
                                @if let (Some(new), Some(gone)) = (&new, &gone) {
                                    td { @if let Some(file) = new.files.get(file) { mark { (runs(&file.lines)) } } }
                                    td { @if let Some(file) = gone.files.get(file) { (runs(&file.lines)) } }
                                }
                            }
                        }
                    }
                }
                @if now.files.len() > LISTED { p .soft { "and " (now.files.len() - LISTED) " more files" } }
            }
            @if let Some(gone) = &gone {
                @let files: Vec<&String> = gone.files.keys().filter(|file| !now.files.contains_key(*file)).take(LISTED).collect();
                @if !files.is_empty() {
                    p { "ran in the expected run alone: " @for file in files { code { (shown(file)) } " " } }
                }
            }
            @for error in actual.errors.iter().take(LISTED) {
                p { b { (shown(&error.r#type)) } (place(error.file.as_deref(), error.line)) ": " (shown(&error.message)) }
            }
            @if !actual.sql.is_empty() {
                table .live {
                    thead { tr { th { "statement" } th { "rows" } th { "sent at" } } }
                    tbody {
                        @for statement in actual.sql.iter().take(LISTED) {
                            tr {
                                td { code { (shown(&statement.text)) } @if let Some(why) = &statement.error { " refused: " (shown(why)) } }
                                td { @if let Some(rows) = statement.rows { (rows) } }
                                td { (place(statement.file.as_deref(), statement.line)) }
                            }
                        }
                    }
                }
                @if actual.sql.len() > LISTED { p .soft { "and " (actual.sql.len() - LISTED) " more statements" } }
            }
        }
    }
}

fn told(facts: &StepFacts, ran: &Coverage) -> String {
    let mut told = vec![format!("{} in {}", counted(ran.lines(), "line"), counted(ran.files.len(), "file"))];
    if !facts.sql.is_empty() {
        told.push(counted(facts.sql.len(), "statement"));
    }
    if !facts.errors.is_empty() {
        told.push(counted(facts.errors.len(), "error"));
    }
    told.join(", ")
}

fn runs(lines: &LineSet) -> String {
    let run = |(first, last): (u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    lines.runs().into_iter().map(run).collect::<Vec<_>>().join(", ")
}

fn place(file: Option<&str>, line: Option<u32>) -> String {
    match (file, line) {
        (Some(file), Some(line)) => format!(" {}:{line}", shown(file)),
        (Some(file), None) => format!(" {}", shown(file)),
        _ => String::new(),
    }
}
