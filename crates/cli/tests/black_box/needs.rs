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

/// Catches: a reduced suite in which somebody logs in as a user whom no session of it has registered.
#[test]
fn a_reduced_suite_keeps_those_that_are_needed() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let all = json(&shop, &["sessions"]);
    let place = |name: &str| all.as_array().unwrap().iter().position(|s| s["name"] == name).unwrap();
    let told = json(&shop, &["sessions", "needs"]);
    let accounts = told["needs"].as_array().unwrap().iter().filter(|n| n["why"][0]["by"] == "account");
    let pairs = accounts.map(|n| (n["session"].as_str().unwrap(), n["needs"].as_str().unwrap()));
    // Every n-th session: one that logs in, and not the one that registered its user.
    let kept = |name: &str, nth: usize| place(name).is_multiple_of(nth);
    let parted = |(user, by): (_, _)| (2..20).find(|&n| kept(user, n) && !kept(by, n)).map(|n| (user, by, n));
    let (user, registers, nth) = pairs.into_iter().find_map(parted).unwrap_or_else(|| panic!("{told}"));
    let nth = nth.to_string();
    let reduced = |into: &str, more: &[&str]| {
        let args = ["reduce", "recorded", "--by", "every-nth", "--nth", &nth, "--into", into];
        let made = json(&shop, &[&args[..], more].concat());
        let names = made["sessions"].as_array().unwrap().iter();
        names.map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let alone = reduced("alone", &[]);
    assert!(alone.iter().any(|s| s == user) && !alone.iter().any(|s| s == registers), "{alone:?}");
    let whole = reduced("whole", &["--with-dependencies"]);
    assert!(alone.iter().all(|session| whole.contains(session)), "{whole:?}");
    assert!(whole.iter().any(|s| s == registers), "{user} logs in as a user of {registers}: {whole:?}");
    let needed = |name: &String| {
        let needs = told["needs"].as_array().unwrap().iter().filter(|n| n["session"] == name.as_str());
        needs.map(|n| n["needs"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let missing: Vec<_> = whole.iter().flat_map(needed).filter(|name| !whole.contains(name)).collect();
    assert!(missing.is_empty(), "what is needed by what is needed: {missing:?}");
    assert!(whole.len() < all.as_array().unwrap().len(), "it is reduced");
    // On its own, without the states of the whole: every page has what the recorded users used.
    let stale = |suite: &str| json(&shop, &["replay", suite, "--state", "initial"])["stale"].clone();
    assert!(stale("alone").as_u64().unwrap() > 0);
    assert_eq!(stale("whole"), 0);
}

/// Catches: an estimate from whatever was replayed last.
#[test]
fn a_reduction_estimates_from_the_baseline() {
    let project = demo_project();
    let shop = project.path().join("shop");
    json(&shop, &["replay", "--into", "newest"]);
    let made = json(&shop, &["reduce", "recorded", "--by", "hgs", "--into", "small"]);
    assert_eq!(made["receipt"]["time"]["run"], "baseline", "{made}");
}

/// Catches: sessions that are said to need nobody, where it cannot be known.
#[test]
fn what_cannot_be_known_is_told() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let first = json(&shop, &["sessions"])[0]["name"].as_str().unwrap().to_owned();
    let after = json(&shop, &["runs", "show", "baseline"]);
    assert!(after.is_object(), "{after}");
    assert_eq!(json(&shop, &["sessions", "needs"])["unknown"], serde_json::json!([]));
    let settings = std::fs::read_to_string(shop.join("restage.toml")).unwrap();
    let (head, state) = settings.split_once("[state]").unwrap();
    let rest = state.split_once("\n[").map_or(String::new(), |(_, rest)| format!("\n[{rest}"));
    std::fs::write(shop.join("restage.toml"), format!("{head}[state]{rest}")).unwrap();
    let told = run(&shop, &["replay", "--only", &first, "--state", "augment", "--into", "alone"]);
    let said = stderr(&told);
    assert!(
        said.contains("[state] in restage.toml is empty, so it is not known what sessions wrote"),
        "{said}"
    );
    assert_eq!(json(&shop, &["sessions", "needs"])["unknown"][0]["gap"], "no-state");
}

#[test]
fn mistakes_are_told() {
    let project = demo_project();
    let shop = project.path().join("shop");
    for (args, said) in [
        (&["sessions", "needs", "s999"][..], "no session `s999`"),
        (&["replay", "--only", "s999"], "no session `s999`"),
        (&["test", "--state", "augment"], "there are none to add"),
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
