//! Every folder of `tests/cases/html` is a case: two pages, why they differ, and which of the 22 comparators see it.
//!
//! `verdicts.toml` lists those that fail; all others pass. A new case is new files, and nothing here.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use restage_model::Headers;
use restage_oracle::{Comparator, Document, compare};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdicts {
    why: String,
    fail: BTreeSet<String>,
}

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/html");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// What is wrong with a case, if anything.
fn judge(folder: &Path) -> Vec<String> {
    let read =
        |name: &str| std::fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{folder:?}/{name}: {e}"));
    let text = String::from_utf8(read("verdicts.toml")).unwrap();
    let verdicts: Verdicts = toml::from_str(&text).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
    let unknown = verdicts.fail.iter().filter(|id| Comparator::named(id).is_none());
    let mut wrong: Vec<String> = unknown.map(|id| format!("no comparator is called {id}")).collect();
    let (expected, actual) = (read("expected.html"), read("actual.html"));
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

#[test]
fn every_case_is_judged_as_written() {
    let folders = folders();
    let mut report = String::new();
    for folder in &folders {
        let wrong = judge(folder);
        if !wrong.is_empty() {
            let name = folder.file_name().unwrap().to_string_lossy();
            report.push_str(&format!("{name}: {}\n", wrong.join(", ")));
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(folders.len() >= 120, "only {} cases were found", folders.len());
}
