//! What the server did, for people: of a step, and of a run.

use std::collections::BTreeMap;

use restage_facts::{Coverage, FileCoverage, FileOutline, LineSet, Share, SqlFact, StepFacts};
use restage_project::FactsSummary;

use crate::terminal::output::{self, count, cut};

/// How many errors of a run, and how many notes of probes, are printed.
const SHOWN: usize = 20;

/// Prints what is known of a run as a whole.
pub(crate) fn print_summary(summary: &FactsSummary) {
    let report = &summary.report;
    let share = |share: Share, one: &str| match share {
        Share { ran: 0, of: 0 } => None,
        Share { ran, of: 0 } => Some(count(ran, one)),
        Share { ran, of } => Some(format!("{ran} of {}", count(of, one))),
    };
    let branches = match summary.branches {
        Share { ran: 0, of: 0 } => None,
        Share { ran, of: 0 } => Some(format!("branches: {ran}")),
        Share { ran, of } => Some(format!("{ran} of {of} branches")),
    };
    let parts: Vec<String> = [share(summary.lines, "line"), share(summary.functions, "function"), branches]
        .into_iter()
        .flatten()
        .collect();
    let mut told = vec![format!("{} of {} steps", report.with_facts, report.steps)];
    if !parts.is_empty() {
        told.push(format!("{} in {}", parts.join(", "), count(summary.files, "file")));
    }
    told.push(count(summary.statements as usize, "statement"));
    told.push(count(summary.errors.len(), "error"));
    output::line(&format!("facts: {}", told.join("; ")));
    for error in summary.errors.iter().take(SHOWN) {
        let place = place(error.file.as_deref(), error.line);
        let steps = count(error.steps as usize, "step");
        let message = cut(&error.message, 160);
        output::line(&format!("  {}{place}: {message} ({steps}, first {})", error.r#type, error.first));
    }
    if summary.errors.len() > SHOWN {
        output::line(&format!("  and {} more (--json lists them)", summary.errors.len() - SHOWN));
    }
    for (note, steps) in report.notes.iter().take(SHOWN) {
        output::line(&format!("  {} ({})", cut(note, 200), count(*steps as usize, "step")));
    }
    for problem in &report.problems {
        output::line(&format!("  {}", problem.to_string().replace("\n  hint:", "\n    hint:")));
    }
}

/// Prints the facts of a step.
pub(crate) fn print_step(facts: &StepFacts, outlines: &BTreeMap<String, FileOutline>) {
    let runtime = if facts.runtime.is_empty() { String::new() } else { format!(" ({})", facts.runtime) };
    output::line(&format!("\nwhat the server did{runtime}:"));
    for (name, ran) in &Coverage::from(facts).files {
        print_file(name, ran, outlines.get(name));
    }
    print_session(facts);
    for statement in &facts.sql {
        print_statement(statement);
    }
    for error in &facts.errors {
        let place = place(error.file.as_deref(), error.line);
        output::line(&format!("  {}{place}: {}", error.r#type, cut(&error.message, 200)));
    }
    for note in &facts.notes {
        output::line(&format!("  note: {}", cut(note, 200)));
    }
}

fn print_file(name: &str, ran: &FileCoverage, outline: Option<&FileOutline>) {
    let lines = match outline.filter(|outline| !outline.lines.is_empty()) {
        Some(outline) => format!("{} of {}", ran.lines.len(), count(outline.lines.len(), "line")),
        None => count(ran.lines.len(), "line"),
    };
    output::line(&format!("  {name}: {lines}: {}", runs(&ran.lines)));
    let Some(outline) = outline else { return };
    let functions = ran.functions_that_ran(outline);
    let names: Vec<&str> = outline
        .functions
        .iter()
        .filter(|function| functions.contains(function.first))
        .map(|function| function.name.as_str())
        .collect();
    if !names.is_empty() {
        output::line(&format!("      functions: {}", cut(&names.join(", "), 400)));
    }
    if !ran.branches.is_empty() {
        let of = outline.branches.len().max(ran.branches.len());
        output::line(&format!("      branches: {} of {of}", ran.branches.len()));
    }
}

/// `3–9, 12`.
fn runs(set: &LineSet) -> String {
    let run = |(first, last): (u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    set.runs().into_iter().map(run).collect::<Vec<_>>().join(", ")
}

fn print_session(facts: &StepFacts) {
    let Some(session) = &facts.session else { return };
    let nothing = BTreeMap::new();
    let (before, after) = (session.before.as_ref(), session.after.as_ref());
    match (before, after) {
        (None, Some(_)) => output::line("  the session begins"),
        (Some(_), None) => output::line("  the session ends"),
        _ => {}
    }
    let (before, after) = (before.unwrap_or(&nothing), after.unwrap_or(&nothing));
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let shown = |value: Option<&String>| value.map_or_else(|| "not set".to_owned(), |v| cut(v, 80));
        let (was, is) = (before.get(name), after.get(name));
        let told = if was == is { shown(is) } else { format!("{} → {}", shown(was), shown(is)) };
        output::line(&format!("  session {}: {told}", cut(name, 80)));
    }
    for (what, names) in [("reads", &session.reads), ("writes", &session.writes)] {
        if !names.is_empty() {
            output::line(&format!("  session {what}: {}", cut(&names.join(", "), 200)));
        }
    }
}

fn print_statement(statement: &SqlFact) {
    let mut told =
        format!("  SQL{}: {}", place(statement.file.as_deref(), statement.line), cut(&statement.text, 300));
    if !statement.bound.is_empty() {
        let values: Vec<String> = statement.bound.iter().map(ToString::to_string).collect();
        told.push_str(&format!("  [{}]", cut(&values.join(", "), 200)));
    }
    if let Some(rows) = statement.rows {
        told.push_str(&format!("  {}", count(rows as usize, "row")));
    }
    if let Some(error) = &statement.error {
        told.push_str(&format!("  refused: {}", cut(error, 160)));
    }
    output::line(&told);
}

/// ` at cart.php:12`.
fn place(file: Option<&str>, line: Option<u32>) -> String {
    match (file, line) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        (Some(file), None) => format!(" at {file}"),
        _ => String::new(),
    }
}
