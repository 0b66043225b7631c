//! `--shard` and `runs merge`: a suite on several machines.

use std::path::Path;
use std::process::Command;

use crate::support::{demo_project, json, run, stderr, stdout};

/// What a comparison found: its changes and its failing steps.
fn found(comparison: &serde_json::Value) -> (Vec<String>, Vec<String>) {
    let text = |value: &serde_json::Value, name: &str| value[name].to_string();
    let mut changes: Vec<String> =
        comparison["changes"].as_array().unwrap().iter().map(|c| text(c, "id")).collect();
    changes.sort();
    let failing = comparison["steps"].as_array().unwrap().iter().filter(|s| s["mark"] == "fail");
    (changes, failing.map(|s| format!("{} {}", text(s, "session"), text(s, "step"))).collect())
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap().success());
}

/// Catches: a session that no machine replays, sessions at other places than in the whole run, states and logs that
/// are lost on the way.
#[test]
fn shards_of_several_machines_become_the_run_of_one() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let machines: Vec<_> = (1..=2).map(|n| project.path().join(format!("machine-{n}"))).collect();
    for machine in &machines {
        copy(&shop, machine);
    }
    let whole = json(&shop, &["test", "--app", "faulty", "--into", "whole"]);
    let mut sessions = 0;
    for (number, machine) in (1..).zip(&machines) {
        let shard = format!("{number}/2");
        let output = run(machine, &["test", "--app", "faulty", "--shard", &shard]);
        assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
        assert!(stderr(&output).contains("the others are not judged"), "{}", stderr(&output));
        let shown = json(machine, &["runs", "show", &format!("test-1.{number}-of-2")]);
        sessions += shown["sessions"].as_array().unwrap().len();
        // By name in a listing, too: the first session of a shard is not the first of the suite.
        let listed = stdout(&run(machine, &["runs", "show", &format!("test-1.{number}-of-2")]));
        let last =
            shown["sessions"].as_array().unwrap().last().unwrap()["session"].as_str().unwrap().to_owned();
        assert!(listed.contains(&format!("{last}/1 ")), "{listed}");
    }
    let suite = json(&shop, &["runs", "show", "whole"]);
    assert_eq!(sessions, suite["sessions"].as_array().unwrap().len());

    let stores: Vec<String> =
        machines.iter().map(|m| m.join(".restage/restage.db").display().to_string()).collect();
    let merged =
        json(&shop, &["runs", "merge", "--from", &stores[0], "--from", &stores[1], "--into", "merged"]);
    assert_eq!((&merged["missing"], &merged["without_state"]), (&0.into(), &0.into()), "{merged}");
    assert_eq!(merged["sessions"], sessions);
    for machine in &machines {
        std::fs::remove_dir_all(machine).unwrap();
    }
    let compared = json(&shop, &["compare", "baseline", "merged"]);
    assert_eq!(found(&compared), found(&whole));
    let states = |comparison: &serde_json::Value| comparison["aftermaths"].as_array().unwrap().clone();
    assert_eq!(states(&compared).len(), states(&whole).len());
    let report = run(&shop, &["report", "--html", "merged.html"]);
    assert!(shop.join("merged.html").is_file(), "{}", stderr(&report));
    // It goes as a whole, with its snapshots.
    assert!(run(&shop, &["runs", "remove", "merged"]).status.success());
    assert!(!stdout(&run(&shop, &["snapshots"])).contains("merged/"));
}

/// Catches: a shard merged twice, a shard forgotten and nobody told.
#[test]
fn shards_that_do_not_fit_are_refused() {
    let project = demo_project();
    let shop = project.path().join("shop");
    for shard in ["1/3", "2/3", "3/3"] {
        assert_eq!(run(&shop, &["test", "--shard", shard]).status.code(), Some(0));
    }
    let refused = |args: &[&str], said: &[&str]| {
        let output = run(&shop, &[&["runs", "merge"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        for said in said.iter().chain(&["hint:"]) {
            assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
        }
    };
    let (one, two, three) = ("test-1.1-of-3", "test-1.2-of-3", "test-1.3-of-3");
    refused(&[one, two, "--into", "m"], &["are in none of these runs", "--allow-missing"]);
    refused(&[one, one, two, three, "--into", "m"], &["is in `test-1.1-of-3` and in `test-1.1-of-3`"]);
    refused(&[one, "test-9", "--into", "m"], &["test-9"]);
    refused(&[one, two, three, "--into", one], &["is there already", one]);
    assert_eq!(run(&shop, &["replay", "--shard", "1/2", "--app", "faulty"]).status.code(), Some(0));
    refused(&[one, "replay-1.1-of-2", "--into", "m"], &["another app"]);
    assert_eq!(run(&shop, &["test", "--shard", "4/3"]).status.code(), Some(2));
    assert_eq!(run(&shop, &["test", "--shard", "1/3", "--state", "initial"]).status.code(), Some(2));

    let some = run(&shop, &["runs", "merge", one, two, "--into", "some", "--allow-missing"]);
    assert!(stdout(&some).contains("missing: "), "{}", stdout(&some));
    let all = json(&shop, &["runs", "merge", one, two, three, "--into", "all"]);
    assert_eq!(all["missing"], 0, "{all}");
    assert_eq!(run(&shop, &["compare", "baseline", "all"]).status.code(), Some(0));
}

/// Catches: the check of a shard leaves steps of others without what is noise, and they fail.
#[test]
fn a_machine_that_tests_a_shard_checks_that_shard() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let baseline = json(&shop, &["baseline", "--shard", "2/4", "--into", "b"]);
    let check = json(&shop, &["runs", "show", "b.check"]);
    assert!((check["steps"].as_array().unwrap().len() as u64) < baseline["steps"].as_u64().unwrap() / 3);
    let output = run(&shop, &["test", "--baseline", "b", "--shard", "2/4"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}
