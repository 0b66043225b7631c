//! A comparison, as every command that makes one presents it.

use std::fs::File;
use std::io::{BufWriter, Write};

use restage_judge::{Comparison, Rules};
use restage_project::{Project, RunPair, Secrets};
use restage_report::{JsonReport, Report, json, junit, terminal, write_html};
use restage_store::Store;
use serde::Serialize;

use crate::args::{Global, ReportArgs, RunPairArgs};
use crate::failure::{Failure, Outcome};
use crate::repairing::StoredRepair;
use crate::terminal::new_suites::repaired::{print_repaired, tell_what_next};
use crate::terminal::output;
use crate::terminal::progress::note;

/// The report for programs, with the repair that was asked for with it.
#[derive(Serialize)]
struct WithRepair<'r> {
    #[serde(flatten)]
    report: JsonReport<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<serde_json::Value>,
}

/// What helps where the live pages no longer offer what was used.
fn hint_to_repair(project: &Project, store: &Store, pair: &RunPair) -> Result<String, Failure> {
    let suite = store.suite(pair.actual.suite)?.name;
    let app = if pair.actual.app == project.app(None)?.name {
        String::new()
    } else {
        format!(" --app {}", pair.actual.app)
    };
    Ok(format!(
        "hint: stale steps used what this version no longer offers; `restage repair {suite} --into repaired{app}` makes their sessions valid on it, `restage test{app} --repair` does both"
    ))
}

/// Prints a comparison, and writes it in the formats asked for.
pub(crate) fn present(
    global: &Global,
    project: &Project,
    store: &Store,
    pair: &RunPair,
    (comparison, rules): (Comparison, &Rules),
    formats: &ReportArgs,
    repaired: Option<&StoredRepair>,
) -> Result<Outcome, Failure> {
    let passes = comparison.passes();
    let is_file = formats.html.is_some() || formats.junit.is_some();
    let (refused, cover) = if is_file && !formats.with_secrets {
        let (secrets, cover) = Secrets::of_runs(project, store, &[&pair.expected, &pair.actual])?;
        (secrets.refuse("the report").err(), Some(cover))
    } else {
        (None, None)
    };
    // The verdict is told in any case.
    let formats = if refused.is_some() { &ReportArgs::default() } else { formats };
    let verdicts = comparison.verdicts(store, rules);
    let runs = (&pair.expected, &pair.actual);
    let plain = (global.json && cover.is_some()).then(|| comparison.clone());
    let report = Report::gather_covered(store, runs, comparison, &verdicts, cover.as_ref())?;
    if let Some(path) = &formats.html {
        write_html(&report, path)?;
    }
    if let Some(path) = &formats.junit {
        let failed =
            |e: &dyn std::fmt::Display| Failure::environment(format!("cannot write {}: {e}", path.display()));
        let mut file = BufWriter::new(File::create(path).map_err(|e| failed(&e))?);
        junit(&report, &mut file)?;
        file.flush().map_err(|e| failed(&e))?;
    }
    if let Some(comparison) = plain {
        // Programs compare: ids of differences hold for what was received, and not for what stands for it.
        let plain = Report::gather(store, &pair.expected, &pair.actual, comparison, &verdicts)?;
        output::json(&WithRepair { report: json(&plain), repair: repaired.map(StoredRepair::json) });
    } else if global.json {
        output::json(&WithRepair { report: json(&report), repair: repaired.map(StoredRepair::json) });
    } else {
        let mut out = Vec::new();
        terminal(&report, &mut out, output::colour(global))?;
        output::line(String::from_utf8_lossy(&out).trim_end());
    }
    for (what, path) in [("HTML report", &formats.html), ("JUnit report", &formats.junit)] {
        if let Some(path) = path {
            note(global, format!("{what}: {}", path.display()));
        }
    }
    if let Some(change) = report.comparison.changes.first() {
        let (id, flags) = (report.short_id(&change.id), RunPairArgs::flags(pair, project, store));
        note(
            global,
            format!(
                "next: `restage accept {id}{flags}` if a change is intended, `restage ignore {id}{flags}` if it never matters"
            ),
        );
    }
    match repaired {
        Some(repaired) if !global.json => {
            output::line(&format!("\nrepaired for {}, apart from what the test says:", repaired.app));
            print_repaired(repaired);
            tell_what_next(global, repaired);
        }
        None if report.counts.stale > 0 => note(global, hint_to_repair(project, store, pair)?),
        _ => {}
    }
    // What had to be repaired is no plain pass: what users had may be gone by mistake.
    let passes = passes && repaired.is_none_or(|repaired| repaired.report.is_unchanged());
    match refused {
        Some(refused) => Err(refused.into()),
        None => Ok(if passes { Outcome::Well } else { Outcome::Different }),
    }
}
