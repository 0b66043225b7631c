//! Bad input: the documented exit code, one clear message with what to do, and nothing lost.

use std::net::TcpListener;

use rusqlite::Connection;

use crate::support::{demo_project, project, run, stderr};

/// Runs, and checks the exit code and that the message says each of `said`.
fn fails(folder: &std::path::Path, args: &[&str], code: i32, said: &[&str]) {
    let output = run(folder, args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(text.starts_with("error: "), "{text}");
    for part in said.iter().chain(&["hint:"]) {
        assert!(text.contains(part), "{args:?} does not say {part:?}:\n{text}");
    }
}

#[test]
fn no_config_and_no_store() {
    let empty = tempfile::tempdir().unwrap();
    fails(empty.path(), &["sessions"], 2, &["there is no store at", "restage record"]);
    fails(empty.path(), &["baseline"], 2, &["there is no restage.toml", "restage init"]);
    fails(empty.path(), &["record"], 2, &["--upstream is missing"]);
    fails(empty.path(), &["record", "--upstream", "http://"], 2, &["is not a URL"]);
}

#[test]
fn a_mistake_in_the_config_is_named_with_its_place() {
    let typo = project(&[("restage.toml", "[app]\ncommand = \"x\"\n\n[stat]\nsqlite = [\"a.db\"]\n")]);
    fails(typo.path(), &["test"], 2, &["restage.toml", "line 4", "stat"]);
    let typo = project(&[("restage.toml", "[app]\nready-timeout = \"soon\"\n")]);
    fails(typo.path(), &["test"], 2, &["restage.toml", "soon"]);
    let own = project(&[("restage.toml", "[comparators.mine]\ntext = \"words\"\nstyle = false\n")]);
    fails(own.path(), &["test"], 2, &["restage.toml", "[comparators.mine]", "`style` is about tags"]);
    let key = project(&[("restage.toml", "[[oracle.rules]]\nkey = \"GET /*\"\noracle = \"C-WD | Q\"\n")]);
    fails(key.path(), &["test"], 2, &["restage.toml", "[[oracle.rules]] 1", "at character 8", "C-WD, T,"]);
    let rule = project(&[("restage.toml", "[sessions]\nby = [\"cooky\"]\n")]);
    fails(rule.path(), &["sessions"], 2, &["cooky", "cookie:NAME"]);
}

#[test]
fn a_port_that_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    fails(
        folder.path(),
        &["record", "--upstream", "http://127.0.0.1:1", "--listen", &address],
        3,
        &[&address],
    );
}

#[test]
fn an_app_that_is_never_ready_or_dies() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let config = std::fs::read_to_string(shop.join("restage.toml")).unwrap();
    let with = |app: &str| std::fs::write(shop.join("restage.toml"), format!("{config}\n{app}\n")).unwrap();
    with("[app.mute]\ncommand = \"echo warming up; sleep 1000\"\nready-timeout = \"300ms\"");
    fails(&shop, &["test", "--app", "mute"], 3, &["did not answer GET /", "| warming up", "{port}"]);
    with("[app.broken]\ncommand = \"echo cannot find module >&2; exit 3\"");
    fails(
        &shop,
        &["test", "--app", "broken"],
        3,
        &["ended before it was ready", "exit status: 3", "| cannot find module"],
    );
    fails(&shop, &["test", "--app", "none"], 2, &["there is no [app.none]", "broken"]);
    // The state and all that was stored are as before, and the next test works.
    assert_eq!(run(&shop, &["test"]).status.code(), Some(0));
}

#[test]
fn a_damaged_or_newer_store_is_left_alone() {
    let folder = project(&[(".restage/restage.db", &"not a database ".repeat(100))]);
    let path = folder.path().join(".restage/restage.db");
    let before = std::fs::read(&path).unwrap();
    fails(folder.path(), &["sessions"], 3, &["is not a readable restage store", "untouched"]);
    fails(
        folder.path(),
        &["record", "--upstream", "http://127.0.0.1:1"],
        3,
        &["is not a readable restage store"],
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let demo = demo_project();
    let shop = demo.path().join("shop");
    let store = Connection::open(shop.join(".restage/restage.db")).unwrap();
    store.pragma_update(None, "user_version", 99).unwrap();
    fails(&shop, &["runs"], 3, &["written by a newer restage", "update restage"]);
    let exchanges: i64 = store.query_row("SELECT count(*) FROM exchange", [], |r| r.get(0)).unwrap();
    assert_eq!(exchanges, 669);
}

#[test]
fn a_log_that_is_a_folder_is_named_before_anything_is_started() {
    let config = "[app]\ncommand = \"false {port}\"\nlogs = [\"var\"]\n";
    let folder = project(&[("restage.toml", config), ("var/log.txt", "")]);
    fails(
        folder.path(),
        &["replay"],
        2,
        &["`logs` of the app `default`", "which is a folder", "hint: name the files"],
    );
}

#[test]
fn names_that_are_not_there_or_taken() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    fails(
        &shop,
        &["compare", "baseline", "nothing"],
        2,
        &["no run called `nothing`", "faulty, clean, baseline.check, baseline"],
    );
    fails(&shop, &["replay", "nothing"], 2, &["no suite called `nothing`", "recorded"]);
    fails(&shop, &["sessions", "show", "s0"], 2, &["no session `s0`"]);
    fails(&shop, &["replay", "--into", "clean"], 2, &["a run called `clean` is there already"]);
    fails(&shop, &["snapshots", "restore", "nothing"], 2, &["no snapshot `nothing`", "initial"]);
}
