//! `restage regenerate` on the starting suites of a subject, as a user would run it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use restage_analysis::{Options, analyze, read_folder};
use restage_facts::FileOutline;
use serde_json::Value;

use super::outcome::{CodeCounts, Found, Made, Outcome, StartingSuite};
use super::{DrawnSuite, Technique};
use crate::{Trouble, run_other};

/// More source code than this is not analyzed, as `restage regenerate` does not.
const LARGEST_SOURCE: usize = 1 << 20;

/// A subject's project.
#[derive(Debug)]
pub struct RegenerationProject {
    folder: PathBuf,
    restage: PathBuf,
    /// `branches` or `lines`.
    counts: String,
    max_requests: Option<usize>,
}

impl RegenerationProject {
    /// A project in a folder, the program, what coverage counts, and how many requests a technique may send.
    pub fn new(folder: &Path, restage: PathBuf, counts: &str, max_requests: Option<usize>) -> Self {
        Self { folder: folder.to_owned(), restage, counts: counts.to_owned(), max_requests }
    }

    /// Makes the baseline of all users, with facts.
    pub fn baseline(&self) -> Result<(), Trouble> {
        let facts = match self.counts.as_str() {
            "branches" => "--facts=lines,branches,session,sql,errors",
            _ => "--facts",
        };
        self.restage(&["baseline".into(), facts.into()]).map(drop)
    }

    /// Reduces a suite that was drawn to sessions that keep what it covers; its new name.
    pub fn reduced(&self, drawn: &DrawnSuite) -> Result<String, Trouble> {
        let name = format!("start-{}", drawn.seed);
        let words = ["reduce", &drawn.name, "--by", "greedy", "--require", &self.counts, "--into", &name];
        self.restage(&words.map(str::to_owned))?;
        Ok(name)
    }

    /// Runs a technique on a starting suite, and adds what came of it; of VADU in rounds, also what came of the first.
    pub fn run(
        &self,
        name: &str,
        seed: u64,
        technique: Technique,
        suite: &mut StartingSuite,
    ) -> Result<(), Trouble> {
        let begun = Instant::now();
        let mut words: Vec<String> = ["regenerate", name, "--only-tell", "--into"].map(str::to_owned).into();
        words.push(format!("{name}-tried"));
        words.extend(technique.arguments(seed));
        if let Some(most) = self.max_requests {
            words.extend(["--max-requests".to_owned(), most.to_string()]);
        }
        let told = self.restage(&words)?;
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let coverage = &told["coverage"][&self.counts];
        suite.covered = number(&coverage["before"]);
        suite.of = suite.of.max(number(&coverage["of"]));
        suite.faults = number(&told["errors_before"]);
        let rounds = list(&told["rounds"]);
        let took = |rounds: &[Value]| {
            rounds.iter().map(|round| number(&round["took_ms"])).sum::<usize>() as f64 / 1000.0
        };
        let elapsed = begun.elapsed().as_secs_f64();
        let mut outcome = Outcome { covered: suite.covered, ..Outcome::default() };
        for (at, round) in rounds.iter().enumerate() {
            outcome.covered += number(&round[&self.counts]);
            outcome.seconds = elapsed - took(&rounds[at + 1..]);
            outcome.asked += number(&round["asked"]);
            outcome.met += number(&round["met"]);
            for sequence in list(&round["kept"]).iter().chain(list(&round["left_out"])) {
                let requests = number(&sequence["requests"]);
                outcome.new_faults += list(&sequence["errors"]).len();
                let part = match sequence["state"]["kind"].as_str() {
                    Some("table") => Some(&mut outcome.of_tables),
                    Some(_) => Some(&mut outcome.of_sessions),
                    None => None,
                };
                for made in part.into_iter().chain([&mut outcome.all]) {
                    *made = Made { sequences: made.sequences + 1, requests: made.requests + requests };
                }
            }
            if at == 0 && technique == Technique::Feedback {
                suite.outcomes.insert(Technique::Vadu, outcome);
            }
        }
        suite.outcomes.insert(technique, outcome);
        Ok(())
    }

    fn restage(&self, arguments: &[String]) -> Result<Value, Trouble> {
        let mut command = Command::new(&self.restage);
        command.args(arguments).args(["--json", "--quiet"]).current_dir(&self.folder);
        let run = run_other(&mut command).map_err(|e| format!("{}: {e}", arguments.join(" ")))?;
        Ok(serde_json::from_slice(&run.printed)?)
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What the source code of an application has, in files that ran; none where it is not PHP, or too much.
pub fn count_code(folder: &Path, ran: &BTreeMap<String, FileOutline>) -> Option<CodeCounts> {
    let mut sources = read_folder(folder).ok()?.sources;
    sources.retain(|source| ran.contains_key(&source.path));
    let size: usize = sources.iter().map(|source| source.content.len()).sum();
    if sources.is_empty() || size > LARGEST_SOURCE {
        return None;
    }
    let analysis = analyze(&sources, Options::default());
    let mut counts = CodeCounts::default();
    for variable in &analysis.variables {
        add(&mut counts.variables, variable.definitions.len(), variable.uses.len());
    }
    for function in &analysis.functions {
        add(&mut counts.functions, function.definitions.len(), function.uses.len());
    }
    for table in &analysis.tables {
        add(&mut counts.tables, table.definitions.len(), table.uses.len());
    }
    Some(counts)
}

fn add(found: &mut Found, definitions: usize, uses: usize) {
    found.number += 1;
    found.definitions += definitions;
    found.uses += uses;
}
