//! A comparison, as every command that makes one presents it.

use std::fs::File;
use std::io::{BufWriter, Write};

use restage_judge::{Comparison, Rules};
use restage_project::{Project, RunPair, Secrets};
use restage_report::{Report, json, junit, terminal, write_html};
use restage_store::Store;

use crate::args::{Global, ReportArgs, RunPairArgs};
use crate::failure::{Failure, Outcome};
use crate::terminal::output;
use crate::terminal::progress::note;

/// Prints a comparison, and writes it in the formats asked for.
pub(crate) fn present(
    global: &Global,
    project: &Project,
    store: &Store,
    pair: &RunPair,
    (comparison, rules): (Comparison, &Rules),
    formats: &ReportArgs,
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
        output::json(&json(&plain));
    } else if global.json {
        output::json(&json(&report));
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
    match refused {
        Some(refused) => Err(refused.into()),
        None => Ok(if passes { Outcome::Well } else { Outcome::Different }),
    }
}
