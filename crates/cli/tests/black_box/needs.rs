//! `sessions needs` and `--state augment`: sessions that need others, on the bookstore.

use std::path::Path;

use crate::support::{demo_project, json, run, stderr, stdout};

/// A session that logs in with an account that another registered, and that other.
fn login(shop: &Path) -> (String, String, serde_json::Value) {
    let told = json(shop, &["sessions", "needs"]);
    let needs = told["needs"].as_array().unwrap();
    let account =
        needs.iter().find(|need| need["why"][0]["by"] == "account").unwrap_or_else(|| panic!("{told}"));
    let name = |field: &str| account[field].as_str().unwrap().to_owned();
    (name("session"), name("needs"), told)
}

/// Catches: a session without the one that registered its account, replayed as if that did not matter.
#[test]
fn a_session_is_replayed_with_those_that_it_needs() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let (session, registers, told) = login(&shop);
    let listed = stdout(&run(&shop, &["sessions", "needs", &session]));
    let said = format!("{session} needs {registers}: it logs in as \"");
    assert!(
        listed.contains(&said) && listed.contains(&format!("an account that {registers} registered")),
        "{listed}"
    );
    // Orders and what members wrote are found, too.
    let by =
        |kind: &str| told["needs"].as_array().unwrap().iter().any(|n| n["why"].to_string().contains(kind));
    assert!(by("\"address\"") && by("\"changes\"") && by("\"shown\""), "{told}");

    // Without it, the login fails; with it, all pages are what they were.
    let stale = |state: &str, app: &str, into: &str| {
        json(&shop, &["replay", "--only", &session, "--state", state, "--app", app, "--into", into])
    };
    assert!(stale("initial", "default", "alone")["stale"].as_u64().unwrap() > 0);
    let augmented = stale("augment", "default", "right");
    assert_eq!(augmented["stale"], 0, "{augmented}");
    let added = augmented["added"].as_array().unwrap();
    assert!(added.contains(&registers.as_str().into()), "{augmented}");
    assert_eq!(augmented["sessions"].as_u64().unwrap(), added.len() as u64 + 1);
    stale("augment", "default", "again");
    let same = run(&shop, &["compare", "right", "again"]);
    assert_eq!(same.status.code(), Some(0), "{}", stdout(&same));
    stale("augment", "faulty", "faulty-one");
    assert_eq!(run(&shop, &["compare", "right", "faulty-one"]).status.code(), Some(1));
}

#[test]
fn mistakes_are_told() {
    let project = demo_project();
    let shop = project.path().join("shop");
    for (args, said) in [
        (&["sessions", "needs", "s999"][..], "no session `s999`"),
        (&["replay", "--only", "s999"], "no session `s999`"),
        (&["test", "--state", "augment"], "none need be added"),
    ] {
        let output = run(&shop, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(said) && stderr(&output).contains("hint:"), "{}", stderr(&output));
    }
    assert!(run(&shop, &["runs", "remove", "baseline"]).status.success());
    let none = run(&shop, &["replay", "--state", "augment"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("`restage baseline`"), "{}", stderr(&none));
}
