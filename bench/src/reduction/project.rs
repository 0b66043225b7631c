//! A project of one's own: what its suites find, replayed and judged by `restage` as a user would, with all that was learnt of its noise.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Trouble, run_other};

/// A version that is no fault, where a project has one.
const UNCHANGED: &str = "unchanged";

/// A project that was recorded, and whose versions were tested.
#[derive(Debug)]
pub struct ProjectRuns {
    folder: PathBuf,
    restage: PathBuf,
}

/// Which sessions show a fault, to the strictest oracle and to the default.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// By bytes.
    pub strict: BTreeSet<String>,
    /// By words and important attributes.
    pub default: BTreeSet<String>,
}

impl ProjectRuns {
    /// A project in a folder, and the program to replay it with.
    pub fn new(folder: &Path, restage: PathBuf) -> Self {
        Self { folder: folder.to_owned(), restage }
    }

    /// Whether a run of that version is one of a fault.
    pub fn is_fault(app: &str, trusted: &str) -> bool {
        app != trusted && app != UNCHANGED
    }

    /// Replays a suite from the initial state, nothing restored.
    pub fn replay_from_initial(&self, suite: &str, app: Option<&str>, into: &str) -> Result<(), Trouble> {
        let mut arguments = vec!["replay", suite, "--state", "initial", "--into", into];
        arguments.extend(app.iter().flat_map(|app| ["--app", app]));
        self.run(&arguments).map(drop)
    }

    /// The sessions in which one run differs from another.
    pub fn shown(&self, expected: &str, actual: &str) -> Result<Shown, Trouble> {
        Ok(Shown {
            strict: self.differing(expected, actual, "D")?,
            default: self.differing(expected, actual, "C-WD | N+I")?,
        })
    }

    fn differing(&self, expected: &str, actual: &str, oracle: &str) -> Result<BTreeSet<String>, Trouble> {
        let compared = self.run(&["compare", expected, actual, "--oracle", oracle])?;
        let list = |name: &str| compared[name].as_array().cloned().unwrap_or_default();
        let fails = |step: &Value| matches!(step["mark"].as_str(), Some("fail" | "unanswered" | "missing"));
        let steps = list("steps").into_iter().filter(fails);
        let left = list("aftermaths").into_iter().filter(|after| after["outcome"] == "fail");
        let session = |found: Value| found["session"].as_str().map(str::to_owned);
        Ok(steps.chain(left).filter_map(session).collect())
    }

    /// Runs restage in the project; it exits 1 where something differs.
    fn run(&self, arguments: &[&str]) -> Result<Value, Trouble> {
        let mut command = Command::new("sh");
        command
            .args(["-c", "\"$@\" || [ $? = 1 ]", "sh"])
            .arg(&self.restage)
            .args(arguments)
            .args(["--json", "--quiet"]);
        let run = run_other(command.current_dir(&self.folder))
            .map_err(|e| format!("{}: {e}", arguments.join(" ")))?;
        Ok(serde_json::from_slice(&run.printed)?)
    }
}
