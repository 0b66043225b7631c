//! Facts: what is asked of the app's probes, as `[facts]` says, and what they told of a run as a whole.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use restage_facts::{FactsReport, Share, StepFacts, Want};
use restage_model::{Run, StepAt};
use restage_replay::FactsAsked;
use restage_store::{FactsOf, Store, StoreError};
use serde::Serialize;

use crate::error::ProjectError;
use crate::project::Project;

impl Project {
    /// Facts of these kinds, of the folders that `[facts]` names.
    pub fn facts_asked(&self, want: Vec<Want>) -> FactsAsked {
        let folders = self.config.facts.folders.iter().map(|folder| self.root.join(folder)).collect();
        FactsAsked { want, folders }
    }

    /// The folders that names of files in the facts of a run are relative to.
    pub fn code_folders(&self, run: &Run) -> Vec<PathBuf> {
        if self.config.facts.folders.is_empty() {
            return self.app(Some(&run.app)).map(|app| app.dir).into_iter().collect();
        }
        self.config.facts.folders.iter().map(|folder| self.root.join(folder)).collect()
    }
}

/// What probes told of a run.
#[derive(Clone, Debug, Serialize)]
pub struct FactsSummary {
    /// Of how many steps there are facts, and what is missing.
    #[serde(flatten)]
    pub report: FactsReport,
    /// How many files ran.
    pub files: usize,
    /// How many of their lines ran, and how many can.
    pub lines: Share,
    /// The same of functions.
    pub functions: Share,
    /// The same of branches.
    pub branches: Share,
    /// How many statements were sent to databases.
    pub statements: u64,
    /// Errors, each once by its type and where it was met.
    pub errors: Vec<SeenError>,
}

/// An error that a run met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenError {
    /// `Warning`, `TypeError`.
    pub r#type: String,
    /// What it said when it was met first.
    pub message: String,
    /// Where.
    pub file: Option<String>,
    /// The line there.
    pub line: Option<u32>,
    /// In how many steps.
    pub steps: u64,
    /// The first of them: `s1/3`.
    pub first: String,
}

impl FactsSummary {
    /// Of a run; none where no facts were asked for.
    pub fn of(store: &Store, run: &Run) -> Result<Option<Self>, ProjectError> {
        let Some(report) = store.facts_report(run.id)? else { return Ok(None) };
        let coverage = store.coverage(run.id, FactsOf::Run)?;
        let outlines = store.outlines(run.id)?;
        let mut summary = Self {
            report,
            files: coverage.files.len(),
            lines: Share::default(),
            functions: Share::default(),
            branches: Share::default(),
            statements: 0,
            errors: Vec::new(),
        };
        for (name, ran) in &coverage.files {
            summary.lines.ran += ran.lines.len();
            summary.branches.ran += ran.branches.len();
            let Some(outline) = outlines.get(name) else { continue };
            summary.functions.ran += ran.functions_that_ran(outline).len();
            summary.lines.of += outline.lines.len();
            summary.functions.of += outline.functions.len();
            summary.branches.of += outline.branches.len();
        }
        let names: HashMap<u32, String> =
            store.run_sessions(run.id)?.into_iter().map(|s| (s.ordinal, s.session)).collect();
        let mut errors: BTreeMap<(String, Option<String>, Option<u32>), SeenError> = BTreeMap::new();
        store.each_step_detail::<StoreError>(run.id, |detail| {
            summary.statements += detail.facts.sql.len() as u64;
            let place = || step_name(&names, detail.at);
            for (key, message) in errors_of(&detail.facts) {
                errors.entry(key.clone()).and_modify(|error| error.steps += 1).or_insert_with(|| SeenError {
                    r#type: key.0,
                    message,
                    file: key.1,
                    line: key.2,
                    steps: 1,
                    first: place(),
                });
            }
            Ok(())
        })?;
        summary.errors = errors.into_values().collect();
        Ok(Some(summary))
    }
}

fn step_name(names: &HashMap<u32, String>, at: StepAt) -> String {
    format!("{}/{}", names.get(&at.session).map_or("", String::as_str), at.step + 1)
}

type ErrorKey = (String, Option<String>, Option<u32>);

/// The errors of a step, each once by type and location, with what was said first.
fn errors_of(facts: &StepFacts) -> BTreeMap<ErrorKey, String> {
    let mut errors = BTreeMap::new();
    for error in &facts.errors {
        let key = (error.r#type.clone(), error.file.clone(), error.line);
        errors.entry(key).or_insert_with(|| error.message.clone());
    }
    for statement in &facts.sql {
        let Some(why) = &statement.error else { continue };
        let key = ("SQL".to_owned(), statement.file.clone(), statement.line);
        errors.entry(key).or_insert_with(|| why.clone());
    }
    errors
}
