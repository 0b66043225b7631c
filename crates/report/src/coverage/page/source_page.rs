//! The lines of a file, with which of them ran.

use std::collections::BTreeMap;

use maud::{Markup, html};
use restage_facts::{FileCoverage, LineSet};

use super::super::CoveredFile;
use super::{SourceText, document};
use crate::plain::{harmless, one_line, shortened};

/// Longer lines are cut: they are data, or code that no person wrote.
const LONGEST: usize = 1_000;

pub(super) fn source_page(
    file: &CoveredFile,
    lost: Option<&FileCoverage>,
    text: &SourceText,
    index: &str,
) -> Markup {
    let name = one_line(&file.name);
    let lines = file.lines();
    document(
        &name,
        &html! {
            header .top {
                p .tool { a href={ "../" (index) } { "All files" } }
                h1 .mono { (name) }
                p .soft {
                    (lines.ran) " of " (lines.of) " lines ran"
                    @if file.branches().of > 0 { ", " (file.branches().ran) " of " (file.branches().of) " branches" }
                    @if file.functions().of > 0 { ", " (file.functions().ran) " of " (file.functions().of) " functions" }
                }
                p .legend {
                    span .ran { "ran" }
                    span .not { "did not run" }
                    @if lost.is_some() { span .lost { "ran in other sessions alone" } }
                }
            }
            main {
                @match text {
                    SourceText::AsItRan(text) => (listing(file, lost, text)),
                    SourceText::Changed(text) => {
                        p .warning { "The file has changed since it ran: lines may not be those that are marked." }
                        (listing(file, lost, text))
                    }
                    SourceText::Missing(why) => {
                        p .warning { "Its text cannot be shown: " (one_line(why)) }
                        p { "ran: " (runs(&file.ran.lines)) }
                        p { "did not run: " (runs(&file.all_lines().without(&file.ran.lines))) }
                    }
                }
            }
        },
    )
}

fn listing(file: &CoveredFile, lost: Option<&FileCoverage>, text: &str) -> Markup {
    let can_run = file.all_lines();
    let branches = branches_by_line(file);
    html! {
        table .source {
            tbody {
                @for (number, line) in (1_u32..).zip(text.lines()) {
                    @let class = match () {
                        () if file.ran.lines.contains(number) => Some("ran"),
                        () if lost.is_some_and(|lost| lost.lines.contains(number)) => Some("lost"),
                        () if can_run.contains(number) => Some("not"),
                        () => None,
                    };
                    tr {
                        td class=[class] id={ "L" (number) } { (number) }
                        td { pre { (shortened(&harmless(line), LONGEST)) } }
                        td {
                            @if let Some((taken, of)) = branches.get(&number) {
                                span .partly[taken < of] { (taken) " of " (of) " branches" }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The branches that leave each line: how many were taken, of how many. A line with one alone decides nothing.
fn branches_by_line(file: &CoveredFile) -> BTreeMap<u32, (usize, usize)> {
    let mut lines: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for branch in &file.outline.branches {
        let (taken, of) = lines.entry(branch.from).or_default();
        *taken += usize::from(file.ran.branches.contains(branch.id));
        *of += 1;
    }
    lines.retain(|_, (_, of)| *of > 1);
    lines
}

fn runs(lines: &LineSet) -> String {
    let run = |(first, last): (u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    let runs: Vec<String> = lines.runs().into_iter().map(run).collect();
    if runs.is_empty() { "none".to_owned() } else { runs.join(", ") }
}
