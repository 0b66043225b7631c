//! `restage analyze`: where PHP source defines and uses session variables and tables.

use std::path::PathBuf;

use restage_analysis::{Analysis, Options, Unresolved, UnresolvedKind, analyze, read_folder};
use serde::Serialize;

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::terminal::output::{count, cut, json, line, table};

/// As many of what could not be resolved are shown to people; machines get all.
const SHOWN: usize = 20;
/// As much of a statement is shown.
const WIDEST: usize = 60;

/// Find where PHP source defines and uses session variables and database tables
///
/// Nothing of the application is run, and no project is needed. Prints how many session variables, session functions and tables
/// there are and how often each kind is defined and used, the tables, and which calls of a database could not be resolved to
/// their tables. --json has every place.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage analyze /usr/share/cacti/site
  restage analyze src --json | jq -r '.tables[].name'")]
pub(crate) struct Args {
    /// The folder of the application, or one file
    path: PathBuf,
}

/// What machines get.
#[derive(Serialize)]
struct Found<'a> {
    /// Of the calls whose table is in the source, those that were resolved, in percent.
    share: Option<f64>,
    /// Files that could not be read, and why.
    unreadable: &'a [(String, String)],
    #[serde(flatten)]
    analysis: &'a Analysis,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let folder = read_folder(&args.path).map_err(|error| Failure::user(error.to_string()))?;
    let analysis = analyze(&folder.sources, Options::default());
    let share = analysis.calls.share();
    if global.json {
        json(&Found { share, unreadable: &folder.unreadable, analysis: &analysis });
        return Ok(Outcome::Well);
    }
    line(&format!("{}, {}", count(analysis.files, "file"), count(analysis.lines, "line")));
    print_totals(&analysis);
    print_tables(&analysis);
    print_calls(&analysis, share);
    for (path, why) in &folder.unreadable {
        line(&format!("{path}: {why}"));
    }
    for problem in &analysis.problems {
        line(&format!("{}:{}: {}", problem.location.file, problem.location.line, problem.message));
    }
    Ok(Outcome::Well)
}

/// Paper 4's table 2.
fn print_totals(analysis: &Analysis) {
    let row = |what: &str, number: usize, definitions: usize, uses: usize| {
        vec![what.to_owned(), number.to_string(), definitions.to_string(), uses.to_string()]
    };
    let variables = &analysis.variables;
    let functions = &analysis.functions;
    let tables = &analysis.tables;
    let rows = [
        row(
            "session variables",
            variables.len(),
            variables.iter().map(|v| v.definitions.len()).sum(),
            variables.iter().map(|v| v.uses.len()).sum(),
        ),
        row(
            "session functions",
            functions.len(),
            functions.iter().map(|f| f.definitions.len()).sum(),
            functions.iter().map(|f| f.uses.len()).sum(),
        ),
        row(
            "tables",
            tables.len(),
            tables.iter().map(|t| t.definitions.len()).sum(),
            tables.iter().map(|t| t.uses.len()).sum(),
        ),
    ];
    line("");
    table(&["state", "number ", "definitions ", "uses "], &rows);
}

fn print_tables(analysis: &Analysis) {
    if analysis.tables.is_empty() {
        return;
    }
    let rows: Vec<Vec<String>> = analysis
        .tables
        .iter()
        .map(|t| vec![cut(&t.name, WIDEST), t.definitions.len().to_string(), t.uses.len().to_string()])
        .collect();
    line("");
    table(&["table", "definitions ", "uses "], &rows);
}

fn print_calls(analysis: &Analysis, share: Option<f64>) {
    let calls = analysis.calls;
    let Some(share) = share else { return };
    line("");
    line(&format!(
        "{} of {} resolved to their tables ({share:.1} %)",
        calls.resolved,
        count(calls.all - calls.dynamic, "database call")
    ));
    if calls.dynamic > 0 {
        line(&format!(
            "{} on what comes from outside: a request, a file, a row",
            count(calls.dynamic, "more call")
        ));
    }
    for unresolved in analysis.unresolved.iter().take(SHOWN) {
        line(&format!("  {}", told(unresolved)));
    }
    if analysis.unresolved.len() > SHOWN {
        line(&format!("  and {} more; --json has all", analysis.unresolved.len() - SHOWN));
    }
}

fn told(unresolved: &Unresolved) -> String {
    let what = match unresolved.kind {
        UnresolvedKind::Statement => "not resolved",
        UnresolvedKind::Dynamic => "from outside",
        UnresolvedKind::Doubtful => "perhaps no database",
        UnresolvedKind::Variable => "session variable",
    };
    let place = &unresolved.location;
    format!("{}:{}  {what}: {}  {}", place.file, place.line, unresolved.calls, cut(&unresolved.known, WIDEST))
}
