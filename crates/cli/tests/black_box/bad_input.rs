//! Bad input: the documented exit code, one clear message with what to do (in `snapshots/`), and nothing lost.

use std::net::TcpListener;

use rusqlite::Connection;

use crate::prints::assert_prints;
use crate::support::{demo_project, project, run};

#[test]
fn no_config_and_no_store() {
    let empty = tempfile::tempdir().unwrap();
    assert_prints!(empty.path(), ["sessions"]);
    assert_prints!(empty.path(), ["baseline"]);
    assert_prints!(empty.path(), ["record"]);
    assert_prints!(empty.path(), ["record", "--upstream", "http://"]);
}

#[test]
fn a_mistake_in_the_config_is_named_with_its_place() {
    let typo = project(&[("restage.toml", "[app]\ncommand = \"x\"\n\n[stat]\nsqlite = [\"a.db\"]\n")]);
    assert_prints!(typo.path(), ["test"]);
    let typo = project(&[("restage.toml", "[app]\nready-timeout = \"soon\"\n")]);
    assert_prints!(typo.path(), ["test"]);
    let own = project(&[("restage.toml", "[comparators.mine]\ntext = \"words\"\nstyle = false\n")]);
    assert_prints!(own.path(), ["test"]);
    let key = project(&[("restage.toml", "[[oracle.rules]]\nkey = \"GET /*\"\noracle = \"C-WD | Q\"\n")]);
    assert_prints!(key.path(), ["test"]);
    let rule = project(&[("restage.toml", "[sessions]\nby = [\"cooky\"]\n")]);
    assert_prints!(rule.path(), ["sessions"]);
    let nowhere = project(&[
        ("restage.toml", "[state]\npostgres = \"postgres://shop:${.env:PASSWORD}@127.0.0.1/shop\"\n"),
        (".env", ""),
    ]);
    assert_prints!("bad_input__a_password_that_its_file_lacks", nowhere.path(), ["sessions"]);
    let none = project(&[("restage.toml", "[app]\ncommand = \"serve\"\nenv = { DB = \"{database}\" }\n")]);
    assert_prints!("bad_input__a_database_that_the_state_lacks", none.path(), ["baseline"]);
    let other =
        "[app]\ncommand = \"serve {database:stock}\"\n[state]\npostgres = \"postgres://127.0.0.1/shop\"\n";
    let other = project(&[("restage.toml", other)]);
    assert_prints!("bad_input__a_database_by_another_name", other.path(), ["baseline"]);
}

#[test]
fn a_port_that_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert_prints!(folder.path(), ["record", "--upstream", "http://127.0.0.1:1", "--listen", &address]);
}

#[test]
fn an_app_that_is_never_ready_or_dies() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let config = std::fs::read_to_string(shop.join("restage.toml")).unwrap();
    let with = |app: &str| std::fs::write(shop.join("restage.toml"), format!("{config}\n{app}\n")).unwrap();
    with("[app.mute]\ncommand = \"echo warming up; sleep 1000\"\nready-timeout = \"300ms\"");
    assert_prints!(&shop, ["test", "--app", "mute"]);
    with("[app.broken]\ncommand = \"echo cannot find module >&2; exit 3\"");
    assert_prints!(&shop, ["test", "--app", "broken"]);
    assert_prints!(&shop, ["test", "--app", "none"]);
    // The state and all that was stored are as before, and the next test works.
    assert_eq!(run(&shop, &["test"]).status.code(), Some(0));
}

#[test]
fn a_damaged_or_newer_store_is_left_alone() {
    let folder = project(&[(".restage/restage.db", &"not a database ".repeat(100))]);
    let path = folder.path().join(".restage/restage.db");
    let before = std::fs::read(&path).unwrap();
    assert_prints!(folder.path(), ["sessions"]);
    assert_prints!(folder.path(), ["record", "--upstream", "http://127.0.0.1:1"]);
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let demo = demo_project();
    let shop = demo.path().join("shop");
    let store = Connection::open(shop.join(".restage/restage.db")).unwrap();
    store.pragma_update(None, "user_version", 99).unwrap();
    assert_prints!(&shop, ["runs"]);
    let exchanges: i64 = store.query_row("SELECT count(*) FROM exchange", [], |r| r.get(0)).unwrap();
    assert_eq!(exchanges, 669);
}

#[test]
fn a_log_that_is_a_folder_is_named_before_anything_is_started() {
    let config = "[app]\ncommand = \"false {port}\"\nlogs = [\"var\"]\n";
    let folder = project(&[("restage.toml", config), ("var/log.txt", "")]);
    assert_prints!(folder.path(), ["replay"]);
}

#[test]
fn names_that_are_not_there_or_taken() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    assert_prints!(&shop, ["compare", "baseline", "nothing"]);
    assert_prints!(&shop, ["replay", "nothing"]);
    assert_prints!(&shop, ["sessions", "show", "s0"]);
    assert_prints!(&shop, ["replay", "--into", "clean"]);
    assert_prints!(&shop, ["snapshots", "restore", "nothing"]);
}
