//! Every folder of `tests/cases` is a test of its own: PHP files, and what is to be found in them.
//!
//! `expected.toml` says `why`, and lists what is found as `what def|use line` (with `file:line` where there are several
//! files): `variables`, `functions`, `tables`; and the lines of what is `unresolved`, and of `problems`. `dynamic` may
//! list those that are unresolved since their table comes from outside of the program. All of it is listed:
//! what is not expected may not be found. A new case is new files, and nothing here.
//!
//! `cargo test -p restage-analysis --test cases prefix` runs some of them.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use restage_analysis::sql::Dialect;
use restage_analysis::{Analysis, Location, Options, UnresolvedKind, analyze, read_folder};
use serde::Deserialize;

/// `expected.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    why: String,
    #[serde(default)]
    dialect: String,
    #[serde(default)]
    variables: Vec<String>,
    #[serde(default)]
    functions: Vec<String>,
    #[serde(default)]
    tables: Vec<String>,
    #[serde(default)]
    unresolved: Vec<String>,
    /// Those of them whose table comes from outside of the program, where that is looked at.
    dynamic: Option<Vec<String>>,
    #[serde(default)]
    problems: Vec<String>,
}

/// There are as many cases at least.
const AT_LEAST: usize = 100;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let found = folders.len();
    let mut trials: Vec<Trial> = folders
        .into_iter()
        .map(|folder| {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            Trial::test(name, move || match judge(&folder) {
                wrong if wrong.is_empty() => Ok(()),
                wrong => Err(Failed::from(wrong.join("\n"))),
            })
        })
        .collect();
    trials.push(Trial::test("all cases are found", move || {
        if found < AT_LEAST { Err(format!("only {found} of {AT_LEAST}").into()) } else { Ok(()) }
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn judge(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("expected.toml")).unwrap();
    let expected: Expected = toml::from_str(&text).unwrap_or_else(|e| panic!("expected.toml: {e}"));
    let sources = read_folder(folder).unwrap().sources;
    let dialect = match expected.dialect.as_str() {
        "postgres" => Dialect::Postgres,
        "sqlite" => Dialect::Sqlite,
        _ => Dialect::MySql,
    };
    let analysis = analyze(&sources, Options { dialect, threads: 1 });
    let again = analyze(&sources, Options { dialect, threads: 2 });
    let mut wrong = Vec::new();
    if analysis != again {
        wrong.push("on two threads it finds something else".to_owned());
    }
    if expected.why.is_empty() {
        wrong.push("it does not say why".to_owned());
    }
    let several = sources.len() > 1;
    let found = found(&analysis, several);
    let wanted =
        [expected.variables, expected.functions, expected.tables, expected.unresolved, expected.problems];
    for ((what, found), mut wanted) in
        ["variables", "functions", "tables", "unresolved", "problems"].into_iter().zip(found).zip(wanted)
    {
        wanted.sort();
        if found != wanted {
            wrong.push(format!("{what}: expected {wanted:#?}\nfound {found:#?}"));
        }
    }
    if let Some(dynamic) = expected.dynamic {
        let found = analysis.unresolved.iter().filter(|u| u.kind == UnresolvedKind::Dynamic);
        let found: Vec<String> = found.map(|u| u.location.line.to_string()).collect();
        if found != dynamic {
            wrong.push(format!("dynamic: expected {dynamic:#?}\nfound {found:#?}"));
        }
    }
    wrong
}

fn found(analysis: &Analysis, several: bool) -> [Vec<String>; 5] {
    let at = |location: &Location| {
        if several { format!("{}:{}", location.file, location.line) } else { location.line.to_string() }
    };
    let (mut variables, mut functions, mut tables) = (Vec::new(), Vec::new(), Vec::new());
    for variable in &analysis.variables {
        let name = variable.name.as_deref().unwrap_or("$_SESSION");
        for (what, list) in [("def", &variable.definitions), ("use", &variable.uses)] {
            for access in list {
                let keys: String = access.keys.iter().map(|key| format!("[{key}]")).collect();
                variables.push(format!("{name}{keys} {what} {}", at(&access.location)));
            }
        }
    }
    for function in &analysis.functions {
        functions.extend(function.definitions.iter().map(|l| format!("{} def {}", function.name, at(l))));
        functions.extend(function.uses.iter().map(|l| format!("{} use {}", function.name, at(l))));
    }
    for table in &analysis.tables {
        tables.extend(table.definitions.iter().map(|a| format!("{} def {}", table.name, at(&a.location))));
        tables.extend(table.uses.iter().map(|a| format!("{} use {}", table.name, at(&a.location))));
    }
    let mut unresolved: Vec<String> = analysis.unresolved.iter().map(|u| at(&u.location)).collect();
    let mut problems: Vec<String> = analysis.problems.iter().map(|p| at(&p.location)).collect();
    for list in [&mut variables, &mut functions, &mut tables, &mut unresolved, &mut problems] {
        list.sort();
        list.dedup();
    }
    [variables, functions, tables, unresolved, problems]
}
