//! Sessions side by side, each on a copy of the application: the same verdicts, and nothing left over.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::own_app::{APP, record, start};
use crate::support::{demo_project, json, project, restage, run, signal, stderr, stdout};

const CONFIG: &str = r#"
[app]
command = "exec python3 notes.py {port}"
logs = ["log/error.log"]
[app.faulty]
env = { FAULT = "1" }
[app.forgetful]
env = { FORGET = "1" }
[app.logging]
env = { COMPLAIN = "1", LOG = "log/error.log" }
[app.crashing]
env = { CRASH = "/note/2" }
[app.slow]
env = { SLEEP = "0.2" }
[state]
folders = ["sessions"]
sqlite = ["notes.db"]
"#;

fn recorded() -> tempfile::TempDir {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG), ("log/error.log", "")]);
    drop(start(folder.path()));
    record(folder.path());
    assert_eq!(json(folder.path(), &["baseline", "--jobs", "2"])["stale"], 0);
    folder
}

/// What a report says of every step and of every change: whether it fails, where, and with what.
fn verdicts(folder: &Path, args: &[&str]) -> Vec<String> {
    let report = json(folder, &[&["test"], args].concat());
    assert!(report["error"].is_null(), "{report}");
    let mut lines = vec![format!("passes: {}", report["passes"])];
    for step in report["steps"].as_array().unwrap() {
        let said = step["differences"].as_array().unwrap().iter().map(|d| d["summary"].to_string());
        let said: Vec<String> = said.collect();
        lines.push(format!(
            "{} {} {} {said:?} {}",
            step["session"], step["step"], step["mark"], step["error"]
        ));
    }
    for change in report["changes"].as_array().unwrap() {
        lines.push(["id", "summary", "steps", "aftermaths"].map(|name| change[name].to_string()).join(" "));
    }
    lines
}

fn nothing_is_left(folder: &Path) {
    assert!(!folder.join(".restage/copies").exists());
    let folder = folder.canonicalize().unwrap();
    for process in std::fs::read_dir("/proc").unwrap() {
        let process = process.unwrap().path();
        let at = std::fs::read_link(process.join("cwd"));
        assert!(!at.is_ok_and(|at| at.starts_with(&folder)), "{} still runs", process.display());
    }
}

/// Catches: copies that share a database or a log, so that what one session did shows in another.
#[test]
fn side_by_side_the_verdicts_are_those_of_one_at_a_time() {
    // A SQLite file beside the code makes the whole project private.
    let folder = recorded();
    let folder = folder.path();
    assert!(run(folder, &["snapshots", "save", "before"]).status.success());
    for app in ["default", "faulty", "forgetful", "logging", "crashing"] {
        let alone = verdicts(folder, &["--app", app]);
        assert_eq!(alone[0], format!("passes: {}", app == "default"), "{app}: {alone:?}");
        for jobs in ["2", "3"] {
            assert_eq!(verdicts(folder, &["--app", app, "--jobs", jobs]), alone, "{app} {jobs}");
        }
    }
    let same = run(folder, &["snapshots", "diff", "before"]);
    assert_eq!(same.status.code(), Some(0), "{}", stdout(&same));
    nothing_is_left(folder);
    // A folder only itself.
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let shop = shop.as_path();
    let alone = verdicts(shop, &["--app", "faulty"]);
    assert_eq!(alone[0], "passes: false");
    assert_eq!(verdicts(shop, &["--app", "faulty", "--jobs", "4"]), alone);
    nothing_is_left(shop);
}

/// Catches: without private mounts, a copy that works on the application's own data.
#[test]
fn without_private_mounts_the_whole_application_is_copied() {
    let folder = recorded();
    let folder = folder.path();
    let programs = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/usr/bin/python3", programs.path().join("python3")).unwrap();
    let test = |args: &[&str]| {
        let mut command = restage(folder, &[&["test", "--json", "--jobs", "3"], args].concat());
        command.env("PATH", programs.path()).output().unwrap()
    };
    let same = test(&[]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
    let faulty: Value = serde_json::from_str(&stdout(&test(&["--app", "faulty"]))).unwrap();
    assert_eq!(
        faulty["changes"].as_array().unwrap().len(),
        json(folder, &["test", "--app", "faulty"])["changes"].as_array().unwrap().len()
    );
    nothing_is_left(folder);
    let elsewhere = tempfile::tempdir().unwrap();
    let state = CONFIG.replace("sessions", &elsewhere.path().display().to_string());
    std::fs::write(folder.join("restage.toml"), state).unwrap();
    let refused = test(&["--state", "fresh"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("lies outside of the project"), "{}", stderr(&refused));
}

/// Catches: an interrupt that leaves apps, copies or another session's data behind.
#[test]
fn an_interrupt_stops_all_copies_and_policies_that_need_an_order_are_refused() {
    let folder = recorded();
    let folder = folder.path();
    assert!(run(folder, &["snapshots", "save", "before"]).status.success());
    let mut command = restage(folder, &["test", "--app", "slow", "--jobs", "3", "--into", "stopped"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let copy = folder.join(".restage/copies/3/0/notes.db");
    while !copy.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
        std::thread::yield_now();
    }
    signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(3));
    assert!(stderr(&ended).contains("interrupted"), "{}", stderr(&ended));
    nothing_is_left(folder);
    let same = run(folder, &["snapshots", "diff", "before"]);
    assert_eq!(same.status.code(), Some(0), "{}", stdout(&same));
    // One that cannot run twice is told as such.
    let locked =
        CONFIG.replace("exec python3", "mkdir /tmp/$LOCK && trap 'rmdir /tmp/$LOCK' EXIT TERM; python3");
    let lock = format!("env = {{ LOCK = \"{}\" }}\n[app.faulty]", folder.file_name().unwrap().display());
    std::fs::write(folder.join("restage.toml"), locked.replacen("[app.faulty]", &lock, 1)).unwrap();
    let twice = run(folder, &["test", "--jobs", "2"]);
    assert_eq!(twice.status.code(), Some(3), "{}{}", stdout(&twice), stderr(&twice));
    assert!(stderr(&twice).contains("`{copy}` in `command`"), "{}", stderr(&twice));
    std::fs::write(folder.join("restage.toml"), CONFIG).unwrap();
    for policy in ["initial", "keep"] {
        let refused = run(folder, &["test", "--jobs", "2", "--state", policy]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains("hint: --state restore"), "{}", stderr(&refused));
    }
}
