//! The list of files.

use maud::{Markup, html};
use restage_facts::Share;

use super::{CoveragePage, document, page_name};
use crate::plain::one_line;

pub(super) fn index(page: &CoveragePage<'_>, folder: &str) -> Markup {
    let covered = page.covered;
    let title = format!("What ran: {}", one_line(page.title));
    let branches = covered.branches().of > 0;
    document(
        &title,
        &html! {
            header .top {
                p .tool { "restage coverage" }
                h1 { (title) }
                ul .counts {
                    (counted(covered.lines(), "lines"))
                    (counted(covered.functions(), "functions"))
                    (counted(covered.branches(), "branches"))
                }
            }
            main {
                table .files {
                    thead {
                        tr {
                            th { "file" }
                            th colspan="2" { "lines" }
                            th { "functions" }
                            @if branches { th { "branches" } }
                            @if page.lost.is_some() { th { "lines that ran only elsewhere in the run" } }
                        }
                    }
                    tbody {
                        @for (number, file) in covered.files.iter().enumerate() {
                            tr {
                                td { a href={ (folder) "/" (page_name(number)) } { (one_line(&file.name)) } }
                                td { (bar(file.lines())) }
                                td .number { (share(file.lines())) }
                                td .number { (share(file.functions())) }
                                @if branches { td .number { (share(file.branches())) } }
                                @if let Some(lost) = page.lost {
                                    td .number { @if let Some(lost) = lost.files.get(&file.name) { (lost.lines.len()) } }
                                }
                            }
                        }
                    }
                }
                @if covered.files.is_empty() { p { "Nothing ran." } }
                p .soft { "Shares are of the files that ran in any step: a file that nothing ever loads is not known." }
            }
        },
    )
}

fn counted(share: Share, what: &str) -> Markup {
    html! {
        @if let Some(percent) = share.percent() {
            li { b { (format!("{percent:.0} %")) } "of " (share.of) " " (what) }
        }
    }
}

fn share(share: Share) -> String {
    match share.percent() {
        Some(percent) => format!("{} of {} · {percent:.0} %", share.ran, share.of),
        None => String::new(),
    }
}

/// How much of it ran, drawn.
fn bar(share: Share) -> Markup {
    let percent = share.percent().unwrap_or_default();
    html! {
        svg .share viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
            rect .rest width="100" height="8" {}
            rect .ran width=(format!("{percent:.1}")) height="8" {}
        }
    }
}
