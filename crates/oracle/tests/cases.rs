//! Every folder of `tests/cases` is a test of its own: two bodies, why they differ, and what is made of it.
//!
//! - `html/`: two pages. `fail` lists which of the 22 comparators see a difference; all others pass.
//! - `json/`, `xml/`: two bodies. `differences` lists what is reported, in order, for a reader; `[rules]` are those of
//!   `[oracle.json]`, for JSON.
//!
//! A new case is new files, and nothing here. `cargo test -p restage-oracle --test cases date-iso` runs some of them.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use restage_model::Headers;
use restage_oracle::{Comparator, Document, JsonRules, compare, json_differences, xml_differences};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// `verdicts.toml` of two pages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageVerdicts {
    why: String,
    fail: BTreeSet<String>,
}

/// `verdicts.toml` of two other bodies.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyVerdicts {
    why: String,
    differences: Vec<String>,
    #[serde(default)]
    rules: Rules,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Rules {
    unordered: bool,
    tolerance: f64,
}

/// What is wrong with a case.
type Judge = fn(&Path) -> Vec<String>;

/// The folders of a format, how many there are at least, and what judges a case.
const FORMATS: &[(&str, usize, Judge)] =
    &[("html", 120, judge_pages), ("json", 20, judge_json), ("xml", 15, judge_xml)];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut trials = Vec::new();
    for &(format, at_least, judge) in FORMATS {
        let folders = folders(&root.join(format));
        let found = folders.len();
        trials.extend(folders.into_iter().map(|folder| {
            let name = format!("{format}/{}", folder.file_name().unwrap().to_string_lossy());
            Trial::test(name, move || match judge(&folder) {
                wrong if wrong.is_empty() => Ok(()),
                wrong => Err(Failed::from(wrong.join("\n"))),
            })
        }));
        trials.push(Trial::test(format!("{format}: all cases are found"), move || {
            if found < at_least { Err(format!("only {found} of {at_least}").into()) } else { Ok(()) }
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    let path = folder.join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn verdicts<T: DeserializeOwned>(folder: &Path) -> T {
    toml::from_str(&String::from_utf8(read(folder, "verdicts.toml")).unwrap())
        .unwrap_or_else(|e| panic!("verdicts.toml: {e}"))
}

fn judge_pages(folder: &Path) -> Vec<String> {
    let verdicts: PageVerdicts = verdicts(folder);
    let unknown = verdicts.fail.iter().filter(|id| Comparator::named(id).is_none());
    let mut wrong: Vec<String> = unknown.map(|id| format!("no comparator is called {id}")).collect();
    let (expected, actual) = (read(folder, "expected.html"), read(folder, "actual.html"));
    let headers: Headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect();
    let (expected, actual) = (Document::of(&headers, &expected), Document::of(&headers, &actual));
    for comparator in Comparator::ALL {
        let fails = comparator.differs(&expected, &actual);
        if fails != verdicts.fail.contains(comparator.id()) {
            wrong.push(format!("{comparator} {}", if fails { "fails" } else { "passes" }));
        }
        if fails != comparator.differs(&actual, &expected) {
            wrong.push(format!("{comparator} is not symmetric"));
        }
        if fails == compare(comparator, &expected, &actual).is_empty() {
            wrong.push(format!("{comparator} does not say what differs"));
        }
        for above in Comparator::ALL.iter().filter(|above| comparator.is_below(above)) {
            if verdicts.fail.contains(comparator.id()) && !verdicts.fail.contains(above.id()) {
                wrong.push(format!("{comparator} is to fail and {above}, which sees more, is not"));
            }
        }
    }
    if verdicts.why.is_empty() {
        wrong.push("it does not say why".to_owned());
    }
    wrong
}

fn judge_json(folder: &Path) -> Vec<String> {
    judge_bodies(folder, "json", |verdicts, was, is| {
        let rules = JsonRules { unordered: verdicts.rules.unordered, tolerance: verdicts.rules.tolerance };
        json_differences(was, is, rules).iter().map(ToString::to_string).collect()
    })
}

fn judge_xml(folder: &Path) -> Vec<String> {
    judge_bodies(folder, "xml", |_, was, is| {
        xml_differences(was, is).iter().map(ToString::to_string).collect()
    })
}

fn judge_bodies(
    folder: &Path,
    extension: &str,
    compare: impl Fn(&BodyVerdicts, &[u8], &[u8]) -> Vec<String>,
) -> Vec<String> {
    let verdicts: BodyVerdicts = verdicts(folder);
    let (expected, actual) =
        (read(folder, &format!("expected.{extension}")), read(folder, &format!("actual.{extension}")));
    let mut wrong = Vec::new();
    let found = compare(&verdicts, &expected, &actual);
    if found != verdicts.differences {
        wrong.push(format!("expected {:#?}\nfound {found:#?}", verdicts.differences));
    }
    if compare(&verdicts, &actual, &expected).is_empty() != found.is_empty() {
        wrong.push("one way round it is the same, the other way it differs".to_owned());
    }
    for body in [&expected, &actual] {
        if !compare(&verdicts, body, body).is_empty() {
            wrong.push("a body differs from itself".to_owned());
        }
    }
    if verdicts.why.is_empty() {
        wrong.push("it does not say why".to_owned());
    }
    wrong
}
