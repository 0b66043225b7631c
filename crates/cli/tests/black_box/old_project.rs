//! A project of the first format works: its runs, its baseline, and all that was accepted or ignored.
//!
//! `fixtures/project-of-format-1.tar.gz` was made by the version before differences became data: the demo with six
//! shoppers, three accepted changes (one of them a line of source that D saw), an `[[ignore]]`, a profile, and the key of
//! its stand-ins in `home`. `RESTAGE` stands for the binary in its settings.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{restage, stderr};

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/project-of-format-1.tar.gz");

fn unpacked() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let unpack = Command::new("tar").arg("xzf").arg(FIXTURE).arg("-C").arg(folder.path()).status().unwrap();
    assert!(unpack.success());
    let settings = folder.path().join("restage.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("RESTAGE", env!("CARGO_BIN_EXE_restage"))).unwrap();
    folder
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let mut command = restage(folder, &[args, &["--json"]].concat());
    command.env_remove("RESTAGE_REDACT_KEY").env_remove("XDG_CONFIG_HOME").env("HOME", folder.join("home"));
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}\n{}", stderr(&output)))
}

fn summaries<'a>(report: &'a Value, of: &str) -> Vec<&'a str> {
    let mut all: Vec<&str> =
        report[of].as_array().unwrap().iter().map(|c| c["summary"].as_str().unwrap()).collect();
    all.sort_unstable();
    all
}

/// What that version said of `test --app faulty` without the profile.
fn says_the_same(report: &Value) {
    let counts = &report["counts"];
    assert_eq!((counts["steps"].as_u64(), counts["failing"].as_u64()), (Some(63), Some(6)), "{counts}");
    assert_eq!(
        (counts["accepted"]["steps"].as_u64(), counts["accepted"]["aftermaths"].as_u64()),
        (Some(10), Some(1))
    );
    assert_eq!(
        (counts["ignored"]["steps"].as_u64(), counts["failing_aftermaths"].as_u64()),
        (Some(4), Some(0))
    );
    assert_eq!(
        summaries(report, "accepted"),
        [
            "href of <a> became \"/books/50\", was \"/book/50\"",
            "row 9 of orders (data/shop.db): goods was 4990, is 3990",
        ]
    );
    assert_eq!(summaries(report, "ignored"), ["text \"$20.00\" became \"$10.00\" (after \"Books\")"]);
    assert_eq!(report["unused"]["accepted"], serde_json::json!(["c31680"]));
    assert_eq!(report["changes"].as_array().unwrap().len(), 4);
}

#[test]
fn all_that_was_there_is_there_and_says_the_same() {
    let project = unpacked();
    let folder = project.path();
    let runs = json(folder, &["runs"]);
    assert!(runs.to_string().contains("baseline.check") && runs.to_string().contains("test-3"), "{runs}");
    assert_eq!(json(folder, &["accept", "--list"]).as_array().map(Vec::len), Some(3));

    // With the profile all pages are judged by D, and what was accepted before holds: also what D itself told of.
    let calibrated = json(folder, &["test", "--app", "faulty"]);
    assert_eq!(calibrated["unused"]["accepted"], serde_json::json!([]), "{calibrated}");
    let failing = summaries(&calibrated, "changes");
    assert!(failing.iter().any(|s| s.contains("status 200 became 404")), "{failing:?}");
    assert!(failing.iter().all(|s| !s.contains("/books/50\", was")), "{failing:?}");
    assert!(calibrated["counts"]["failing"].as_u64() < Some(15), "that version lost what was accepted");

    std::fs::remove_file(folder.join("restage.noise.toml")).unwrap();
    says_the_same(&json(folder, &["compare", "baseline", "faulty"]));
    says_the_same(&json(folder, &["test", "--app", "faulty"]));

    // Whoever accepts more has what was accepted written down in the new form, with its reason.
    let all = json(folder, &["accept", "--all", "--reason", "now"]);
    assert_eq!(all["failing"], 0, "{all}");
    let text = std::fs::read_to_string(folder.join("restage.accepted.toml")).unwrap();
    assert_eq!(text.matches("format = 2").count(), 6, "{text}");
    assert_eq!(text.matches("reason = \"the new shelf\"").count(), 2, "{text}");
    assert!(text.contains("id = \"c31680\""), "what was not seen stays as it is: {text}");
    assert_eq!(json(folder, &["test", "--app", "faulty"])["passes"], true);
}
