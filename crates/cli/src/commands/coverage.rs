//! `restage coverage`: what ran of the application in a run, or in some of its sessions.

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use restage_facts::{Coverage, Share};
use restage_model::Run;
use restage_project::Project;
use restage_report::{
    CoveragePage, CoveredFile, CoveredFiles, SourceText, cobertura, lcov, write_coverage_page,
};
use restage_store::{FactsOf, Store};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::output::{self, count};

/// How many files of a difference are printed.
const SHOWN: usize = 40;

/// Show what ran of the application in a run that was made with --facts, file by file
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage coverage
  restage coverage baseline-1 --html coverage.html
  restage coverage baseline-1 --lcov coverage.info
  restage coverage baseline-1 --suite smaller
  restage coverage with-state without-state")]
pub(crate) struct Args {
    /// The run [default: the newest with facts]
    run: Option<String>,
    /// Another run: show what only one of the two runs
    other: Option<String>,
    /// Only these sessions: s2,s7
    #[arg(long, value_name = "SESSION", value_delimiter = ',')]
    session: Vec<String>,
    /// Only the sessions of this suite; and what of the run they do not cover
    #[arg(long, value_name = "SUITE", conflicts_with = "session")]
    suite: Option<String>,
    /// Write a page of the files, with a page of its lines for each, in a folder beside it
    #[arg(long, value_name = "FILE", conflicts_with = "other")]
    html: Option<PathBuf>,
    /// Write an lcov file
    #[arg(long, value_name = "FILE", conflicts_with = "other")]
    lcov: Option<PathBuf>,
    /// Write Cobertura's XML
    #[arg(long, value_name = "FILE", conflicts_with = "other")]
    cobertura: Option<PathBuf>,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let mut store = project.store_to_read()?;
    let run = find_run(&project, &store, args.run.as_deref())?;
    let whole = coverage_of(&store, &run, &[], false)?;
    if let Some(other) = &args.other {
        let other = find_run(&project, &store, Some(other))?;
        let theirs = coverage_of(&store, &other, &[], false)?;
        return compare(global, (&run.name, &whole), (&other.name, &theirs));
    }
    let names: Vec<String> = match &args.suite {
        Some(suite) => project.suite(&mut store, suite)?.sessions.into_iter().map(|s| s.name).collect(),
        None => args.session.clone(),
    };
    let restricted = args.suite.is_some() || !args.session.is_empty();
    let coverage = if restricted { coverage_of(&store, &run, &names, true)? } else { whole.clone() };
    let covered = CoveredFiles::of(&coverage, &store.outlines(run.id)?);
    let folders = project.code_folders(&run);
    let folder = folders.first().map_or(project.root.as_path(), PathBuf::as_path);
    if let Some(path) = &args.lcov {
        // As genhtml and CI systems look files up: from the project's folder.
        let shown = folder.strip_prefix(&project.root).unwrap_or(folder);
        let prefix =
            if shown.as_os_str().is_empty() { String::new() } else { format!("{}/", shown.display()) };
        write(path, |out| lcov(&covered, &prefix, out))?;
    }
    if let Some(path) = &args.cobertura {
        write(path, |out| cobertura(&covered, &folder.display().to_string(), out))?;
    }
    let lost = restricted.then(|| whole.without(&coverage));
    if let Some(path) = &args.html {
        let title = match &args.suite {
            Some(suite) => format!("{}, sessions of {suite}", run.name),
            None if restricted => format!("{}, {}", run.name, names.join(", ")),
            None => run.name.clone(),
        };
        let source = |file: &CoveredFile| source_text(&folders, file);
        let page = CoveragePage { title: &title, covered: &covered, lost: lost.as_ref(), source: &source };
        write_coverage_page(&page, path)?;
    }
    show(global, &run, &covered, lost.as_ref());
    Ok(Outcome::Well)
}

/// The text of a file of the application, and whether it is the one that ran.
fn source_text(folders: &[PathBuf], file: &CoveredFile) -> SourceText {
    let Some(path) = folders.iter().map(|folder| folder.join(&file.name)).find(|path| path.is_file()) else {
        return SourceText::Missing(format!("{} is in no folder of the application", file.name));
    };
    match std::fs::read(&path) {
        Err(error) => SourceText::Missing(format!("{}: {error}", path.display())),
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            match &file.outline.digest {
                Some(digest) if *digest != sha256(&bytes) => SourceText::Changed(text),
                _ => SourceText::AsItRan(text),
            }
        }
    }
}

/// As probes write it.
fn sha256(bytes: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The run of this name, or the newest; one that has facts.
fn find_run(project: &Project, store: &Store, name: Option<&str>) -> Result<Run, Failure> {
    let hint = "\n  hint: `restage baseline --facts` stores what the server does for each step";
    if let Some(name) = name {
        let run = project.run(store, name)?;
        return match store.facts_report(run.id)? {
            Some(_) => Ok(run),
            None => Err(Failure::user(format!("`{name}` was made without --facts{hint}"))),
        };
    }
    for run in store.runs()?.into_iter().rev() {
        if store.facts_report(run.id)?.is_some() {
            return Ok(run);
        }
    }
    Err(Failure::user(format!("no run has facts yet{hint}")))
}

fn coverage_of(store: &Store, run: &Run, names: &[String], restricted: bool) -> Result<Coverage, Failure> {
    if !restricted {
        return Ok(store.coverage(run.id, FactsOf::Run)?);
    }
    let sessions = store.run_sessions(run.id)?;
    let there: HashSet<&str> = sessions.iter().map(|s| s.session.as_str()).collect();
    if let Some(missing) = names.iter().find(|name| !there.contains(name.as_str())) {
        return Err(Failure::user(format!(
            "`{}` did not replay session {missing}\n  hint: `restage runs show {}` lists its sessions",
            run.name, run.name
        )));
    }
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    let places: Vec<u32> =
        sessions.iter().filter(|s| wanted.contains(s.session.as_str())).map(|s| s.ordinal).collect();
    Ok(store.coverage(run.id, FactsOf::Sessions(&places))?)
}

fn write(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), std::io::Error>,
) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::environment(format!("cannot write {}: {error}", path.display()));
    let mut out = BufWriter::new(std::fs::File::create(path).map_err(failed)?);
    fill(&mut out).and_then(|()| out.flush()).map_err(failed)
}

fn show(global: &Global, run: &Run, covered: &CoveredFiles, lost: Option<&Coverage>) {
    if global.json {
        let files: Vec<serde_json::Value> = covered
            .files
            .iter()
            .map(|file| {
                serde_json::json!({
                    "file": file.name,
                    "lines": file.lines(),
                    "functions": file.functions(),
                    "branches": file.branches(),
                    "ran": file.ran.lines,
                })
            })
            .collect();
        output::json(&serde_json::json!({
            "run": run.name,
            "lines": covered.lines(),
            "functions": covered.functions(),
            "branches": covered.branches(),
            "files": files,
            "lost": lost.map(by_file),
        }));
        return;
    }
    let row = |name: &str, lines: Share, functions: Share, branches: Share| {
        vec![name.to_owned(), share(lines), share(functions), share(branches)]
    };
    let mut rows: Vec<Vec<String>> = covered
        .files
        .iter()
        .map(|file| row(&file.name, file.lines(), file.functions(), file.branches()))
        .collect();
    rows.push(row("all", covered.lines(), covered.functions(), covered.branches()));
    output::table(&["file", "lines ", "functions ", "branches "], &rows);
    if let Some(lost) = lost {
        output::line(&format!("not covered, of what `{}` runs: {}", run.name, told(lost)));
        print_files(lost);
    }
}

fn share(share: Share) -> String {
    match share.percent() {
        Some(percent) => format!("{}/{} {percent:.0} %", share.ran, share.of),
        None => String::new(),
    }
}

fn compare(
    global: &Global,
    (first, mine): (&str, &Coverage),
    (second, theirs): (&str, &Coverage),
) -> Result<Outcome, Failure> {
    let (only_first, only_second) = (mine.without(theirs), theirs.without(mine));
    if global.json {
        output::json(&serde_json::json!({
            "runs": [first, second],
            "lines": [mine.lines(), theirs.lines()],
            "branches": [mine.branches(), theirs.branches()],
            "only": [by_file(&only_first), by_file(&only_second)],
        }));
        return Ok(Outcome::Well);
    }
    for (name, all, only) in [(first, mine, &only_first), (second, theirs, &only_second)] {
        output::line(&format!("{name}: {}; it alone: {}", told(all), told(only)));
        print_files(only);
    }
    Ok(Outcome::Well)
}

fn by_file(coverage: &Coverage) -> serde_json::Value {
    let files = coverage
        .files
        .iter()
        .map(|(name, ran)| (name.clone(), serde_json::json!({"lines": ran.lines, "branches": ran.branches})));
    serde_json::Value::Object(files.collect())
}

fn told(coverage: &Coverage) -> String {
    let lines = format!("{} in {}", count(coverage.lines(), "line"), count(coverage.files.len(), "file"));
    match coverage.branches() {
        0 => lines,
        branches => format!("{lines}, {branches} branches"),
    }
}

fn print_files(coverage: &Coverage) {
    for (name, ran) in coverage.files.iter().take(SHOWN) {
        let run = |(first, last): (u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}–{last}"),
        };
        let lines: Vec<String> = ran.lines.runs().into_iter().map(run).collect();
        output::line(&format!("  {name}: {}", output::cut(&lines.join(", "), 400)));
    }
    if coverage.files.len() > SHOWN {
        output::line(&format!(
            "  and {} (--json lists them)",
            count(coverage.files.len() - SHOWN, "more file")
        ));
    }
}
