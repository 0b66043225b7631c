//! How much of the bookstore's code a replay runs: a bookstore that was built to count, and LLVM's tools to read what it counted.

use std::path::{Path, PathBuf};
use std::process::Command;

use restage_model::{Groups, RunKind, StatePolicy, Suite};
use restage_replay::{Order, Replay, replay};
use serde_json::Value;

use crate::Trouble;
use crate::subject::Subject;

/// The sources of a shop, below the bookstore's folder.
const SOURCES: &str = "examples/bookstore/src/";
/// Those that no request runs: the shoppers, the command line, and what the demo says of the shop.
const NOT_THE_SHOP: [&str; 4] = ["shoppers/", "main.rs", "cli.rs", "tour.rs"];

/// `llvm-profdata` and `llvm-cov`, of the version that the compiler has.
#[derive(Clone, Debug)]
pub struct LlvmTools {
    /// The folder that both are in.
    pub folder: PathBuf,
    /// The bookstore, built with `-C instrument-coverage`.
    pub bookstore: PathBuf,
}

/// How many of the shop's lines and regions there are, and how many were run. A region is a stretch of code without a branch in it: what
/// comes nearest to a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statements {
    /// Lines that were run, and lines that there are.
    pub lines: (u64, u64),
    /// The same of regions.
    pub regions: (u64, u64),
}

impl LlvmTools {
    /// Replays a suite on the bookstore that counts, each session on the initial state; what of it was run.
    pub fn measure(&self, subject: &mut Subject, suite: &Suite, name: &str) -> Result<Statements, Trouble> {
        let counts = subject.scratch()?;
        let mut app = subject.app_of(&self.bookstore)?;
        let file = counts.path().join("%p-%m.profraw");
        app.env.insert("LLVM_PROFILE_FILE".to_owned(), file.display().to_string());
        let asked = Replay {
            name: format!("{name}-statements"),
            kind: RunKind::Replay,
            suite,
            app: &app,
            policy: StatePolicy::Fresh,
            reference: None,
            order: Order::InTurn,
            only: None,
            groups: Groups::default(),
            as_recorded: false,
        };
        let run = replay(&mut subject.project, &asked, &mut |_| {})?;
        subject.project.store.remove_run(run.id)?;
        let raw: Vec<PathBuf> = std::fs::read_dir(counts.path())?.flatten().map(|file| file.path()).collect();
        if raw.is_empty() {
            return Err(format!("{} counted nothing: was it built to?", self.bookstore.display()).into());
        }
        let merged = counts.path().join("all.profdata");
        self.run("llvm-profdata", Command::new("").args(["merge", "-sparse", "-o"]).arg(&merged).args(&raw))?;
        let profile = format!("-instr-profile={}", merged.display());
        let exported = self.run(
            "llvm-cov",
            Command::new("").args(["export", "-summary-only", &profile]).arg(&self.bookstore),
        )?;
        Statements::of(&exported)
    }

    /// Runs one of the tools with these arguments; what it printed.
    fn run(&self, tool: &str, arguments: &Command) -> Result<Vec<u8>, Trouble> {
        let program = self.folder.join(tool);
        let output = Command::new(&program)
            .args(arguments.get_args())
            .output()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{tool} ended with {}: {}", output.status, said.trim()).into());
        }
        Ok(output.stdout)
    }
}

impl Statements {
    /// Adds up what `llvm-cov export -summary-only` says of the shop's files.
    fn of(exported: &[u8]) -> Result<Self, Trouble> {
        let exported: Value = serde_json::from_slice(exported)?;
        let files = exported["data"][0]["files"].as_array().ok_or("llvm-cov names no files")?;
        let mut all = Self::default();
        for file in files.iter().filter(|file| file["filename"].as_str().is_some_and(is_of_the_shop)) {
            let count = |what: &str, which: &str| file["summary"][what][which].as_u64().unwrap_or(0);
            all.lines.0 += count("lines", "covered");
            all.lines.1 += count("lines", "count");
            all.regions.0 += count("regions", "covered");
            all.regions.1 += count("regions", "count");
        }
        if all.lines.1 == 0 {
            return Err("llvm-cov names none of the bookstore's files".into());
        }
        Ok(all)
    }
}

fn is_of_the_shop(file: &str) -> bool {
    let file = Path::new(file).to_string_lossy().replace('\\', "/");
    file.split_once(SOURCES)
        .is_some_and(|(_, file)| !NOT_THE_SHOP.iter().any(|other| file.starts_with(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: code that no request can run, or a library's, counted as the shop's.
    #[test]
    fn only_the_shops_own_files_count() {
        let file = |name: &str, covered: u64| {
            serde_json::json!({ "filename": name, "summary": {
                "lines": { "count": 10, "covered": covered }, "regions": { "count": 20, "covered": covered }
            }})
        };
        let files = [
            file("/a/examples/bookstore/src/pages/home.rs", 7),
            file("/a/examples/bookstore/src/store/books.rs", 5),
            file("/a/examples/bookstore/src/shoppers/crowd.rs", 1),
            file("/a/examples/bookstore/src/cli.rs", 1),
            file("/registry/src/axum/src/lib.rs", 1),
        ];
        let exported = serde_json::json!({ "data": [{ "files": files }] }).to_string();
        let expected = Statements { lines: (12, 20), regions: (12, 40) };
        assert_eq!(Statements::of(exported.as_bytes()).unwrap(), expected);
        assert!(Statements::of(br#"{"data": [{"files": []}]}"#).is_err());
    }
}
