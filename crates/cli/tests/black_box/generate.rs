//! `restage generate`: sequences that cover a map that somebody drew, and sessions that cover the map of an application.

use std::path::Path;
use std::process::Command;

use crate::own_app::{Browser, start_script};
use crate::prints::assert_prints;
use crate::redact::stored;
use crate::support::{Recording, json, project, restage, run, stderr, stdout};

const TICKETS: &str = include_str!("../apps/tickets.py");
const WISHES: &str = include_str!("../apps/wishes.py");
const DUMP: &str = include_str!("../apps/state_dump.py");
const PASSWORD: &str = "swordfish-and-chips";
const CONFIG: &str = r#"
[app]
command = "exec python3 wishes.py {port}"
[app.kind]
env = { WISHES_FAULT = "kind" }
[app.pair]
env = { WISHES_FAULT = "pair" }
[state]
sqlite = ["data/wishes.db"]
[redact]
secrets = { file = "secrets.env" }
"#;

/// A shop: everything but the help page leads somewhere; an admin's page that nothing leads to.
const SHOP: &str = r#"{"home": "home", "nodes": [{"id": "home", "dynamic": false}, {"id": "search"}, {"id": "book"}, {"id": "cart"}, {"id": "checkout"},
    {"id": "help", "dynamic": false}, {"id": "admin"}], "edges": [{"from": "home", "to": "search"}, {"from": "search", "to": "book"},
    {"from": "book", "to": "cart"}, {"from": "cart", "to": "home"}, {"from": "search", "to": "cart"}, {"from": "cart", "to": "checkout"},
    {"from": "home", "to": "help"}, {"from": "admin", "to": "home", "label": "Back"}]}"#;

#[test]
fn for_people_and_what_is_wrong() {
    let folder = project(&[
        ("shop.json", SHOP),
        ("none.json", r#"{"nodes": [], "edges": []}"#),
        ("bad.json", r#"{"nodes": [{"id": 1}], "edges": [{"from": 1, "to": 2}]}"#),
        ("half.json", r#"{"nodes": [{"id": 1.5}], "edges": []}"#),
        (
            "self.json",
            r#"{"home": 1, "nodes": [{"id": 1}], "edges": [{"from": 1, "to": 1}, {"from": 1, "to": 1}]}"#,
        ),
    ]);
    let folder = folder.path();
    assert_prints!(folder, ["generate", "--map", "shop.json"]);
    assert_prints!(folder, ["generate", "--map", "shop.json", "--by", "all-edges"]);
    assert_prints!(folder, ["generate", "--map", "shop.json", "--max-length", "3"]);
    assert_prints!(folder, ["generate", "--map", "none.json"]);
    assert_prints!(folder, ["generate", "--map", "bad.json"]);
    assert_prints!(folder, ["generate", "--map", "nowhere.json"]);
    assert_prints!(folder, ["generate", "--map", "half.json"]);
    assert_prints!(folder, ["generate", "--map", "self.json"]);
    assert_prints!(folder, ["generate", "--map", "none.json", "--by", "all-edges"]);
}

/// Catches: ids that come out otherwise than they went in, or a cover that is not complete.
#[test]
fn for_programs() {
    let folder = project(&[(
        "ring.json",
        r#"{"nodes": [{"id": 1}, {"id": 2}, {"id": "3"}], "edges": [{"from": 1, "to": 2}, {"from": 2, "to": "3"}, {"from": "3", "to": 1}]}"#,
    )]);
    let output = run(folder.path(), &["generate", "--map", "ring.json", "--json"]);
    let printed: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(printed["sequences"], serde_json::json!([[1, 2, "3", 1, 2, "3"]]));
    assert_eq!(printed["coverage"]["pairs"], 9);
    assert_eq!(printed["coverage"]["pairs_covered"], 9);
}

/// A list of wishes, with two recorded sessions of one user.
fn wishes() -> tempfile::TempDir {
    let secrets = format!("ANNA_PASSWORD={PASSWORD}\n");
    let files = [
        ("wishes.py", WISHES),
        ("state_dump.py", DUMP),
        ("restage.toml", CONFIG),
        ("secrets.env", secrets.as_str()),
    ];
    let folder = project(&files);
    let (app, upstream) = start_script(folder.path(), "wishes.py");
    let arguments = ["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
    let recording = Recording::start(restage(folder.path(), &arguments));
    let url = |path: &str| recording.url(path);
    for wish in [
        &[("what", "a thick novel"), ("kind", "book"), ("urgent", "low")][..],
        &[("what", "a set of chess"), ("kind", "game"), ("urgent", "high"), ("gift", "yes")],
    ] {
        let mut anna = Browser::new(&url);
        anna.go("/", None);
        anna.go("/login", None);
        anna.go("/login", Some(&[("user", "anna"), ("password", PASSWORD)]));
        anna.go("/wishes/new", None);
        let token = anna.between("name=token value=", '>');
        let sent: Vec<(&str, &str)> = [("token", token.as_str())].into_iter().chain(wish.to_vec()).collect();
        anna.go("/wishes", Some(&sent));
        assert!(anna.page.contains(wish[0].1), "{}", anna.page);
        anna.go("/wishes/1", None);
        anna.go("/about", None);
    }
    let tally = recording.stop();
    assert_eq!(tally["seen"], tally["stored"]);
    drop(app);
    folder
}

fn dump(folder: &Path) -> String {
    let output =
        Command::new("python3").args(["state_dump.py", "data"]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[track_caller]
fn test_of(folder: &Path, baseline: &str, app: Option<&str>) -> (Option<i32>, String) {
    let mut arguments = vec!["test", "--baseline", baseline];
    if let Some(app) = app {
        arguments.extend(["--app", app]);
    }
    let output = run(folder, &arguments);
    (output.status.code(), stdout(&output))
}

/// Catches: generated sessions that do not replay, that find nothing, that leave data changed, or that store what nobody may know; values
/// of a form that are never sent together.
#[test]
fn sessions_that_cover_a_map_are_regression_tests() {
    let folder = wishes();
    let folder = folder.path();
    let before = dump(folder);
    assert_prints!(folder, ["map"]);
    assert_prints!(folder, ["generate", "--by", "all-edges", "--into", "edges"]);
    assert_prints!(folder, ["generate", "--by", "ordered-pairs", "--values", "pairwise", "--into", "pairs"]);
    assert_prints!(folder, ["sessions", "show", "g1", "--suite", "edges"]);
    assert_eq!(dump(folder), before);

    // The same ways once more, with tokens of their own.
    let again = json(folder, &["generate", "--by", "all-edges", "--into", "again"]);
    assert_eq!(again["missed"], serde_json::json!([]));
    for suite in ["edges", "pairs", "again"] {
        let baseline = json(folder, &["baseline", suite, "--into", suite]);
        assert_eq!((&baseline["stale"], &baseline["unanswered"]), (&0.into(), &0.into()), "{baseline}");
        let (code, said) = test_of(folder, suite, None);
        assert!(code == Some(0) && said.contains("no differences") && !said.contains("stale"), "{said}");
        let (code, said) = test_of(folder, suite, Some("kind"));
        assert!(code == Some(1) && said.contains("GET /wishes"), "{said}");
    }
    // Nobody wished for a gift of time when it was recorded, and nobody does when only every edge is gone along.
    assert_eq!(test_of(folder, "edges", Some("pair")).0, Some(0));
    let (code, said) = test_of(folder, "pairs", Some("pair"));
    assert!(code == Some(1) && said.contains("GET /wishes"), "{said}");

    assert_eq!(dump(folder), before);
    assert!(!stored(folder).contains(PASSWORD));
    assert_eq!(run(folder, &["sanitize", "--check"]).status.code(), Some(0));
    assert!(json(folder, &["runs"]).as_array().unwrap().len() >= 6);
}

/// Catches: coverage that is not counted by user, steps without a reason, a session of a user who is not logged in.
#[test]
fn what_was_generated_is_there_for_programs() {
    let folder = wishes();
    let folder = folder.path();
    json(folder, &["map"]);
    let made = json(folder, &["generate", "--by", "all-edges", "--into", "edges"]);
    assert_eq!(
        (&made["suite"], &made["map"], &made["by"]),
        (&"edges".into(), &"map-1".into(), &"all-edges".into())
    );
    let users = made["users"].as_object().unwrap();
    assert_eq!(users.len(), 2, "{users:?}");
    for (user, cover) in users {
        assert_eq!(cover["edges_walked"], cover["planned"]["edges"], "{user}: {cover}");
    }
    assert_eq!((&made["missed"], &made["not_logged_in"]), (&serde_json::json!([]), &serde_json::json!([])));
    let sequences = made["sequences"].as_array().unwrap();
    assert_eq!(made["sessions"], sequences.len());
    let suite = json(folder, &["suites", "show", "edges"]);
    assert_eq!(suite["sessions"].as_array().unwrap().len(), sequences.len());
    // Of a user who logs in, the recorded steps that log her in come first.
    let shown: Vec<serde_json::Value> = (1..=sequences.len())
        .map(|n| json(folder, &["sessions", "show", &format!("g{n}"), "--suite", "edges"]))
        .collect();
    let logs_in = |session: &&serde_json::Value| session.to_string().contains("/wishes/new");
    let member = shown.iter().find(logs_in).unwrap();
    let steps: Vec<&serde_json::Value> =
        member["exchanges"].as_array().unwrap().iter().map(|step| &step["exchange"]).collect();
    let kinds: Vec<&str> = steps.iter().map(|s| s["origin"]["kind"].as_str().unwrap_or("recorded")).collect();
    let recorded = kinds.iter().take_while(|kind| **kind == "recorded").count();
    assert!(recorded >= 3 && kinds[recorded..].iter().all(|kind| *kind == "generated"), "{kinds:?}");
    assert!(steps[recorded..].iter().all(|step| !step["origin"]["why"].as_str().unwrap().is_empty()));
}

/// Catches: a mistake that is found only after the app was started, or that is told without what to do.
#[test]
fn what_cannot_be_generated_is_said_before_anything_is_done() {
    let folder = wishes();
    let folder = folder.path();
    std::fs::write(folder.join("drawn.json"), SHOP).unwrap();
    assert_prints!(folder, ["generate", "--into", "edges"]);
    json(folder, &["map", "--from", "sessions"]);
    assert_prints!(folder, ["generate", "--into", "recorded"]);
    assert_prints!(folder, ["generate", "--map", "drawn.json", "--into", "edges"]);
    assert_prints!(folder, ["generate", "--map", "nowhere", "--into", "edges"]);
    assert_prints!(folder, ["generate", "--suite", "recorded"]);
    json(folder, &["generate", "--by", "all-edges", "--into", "edges"]);
    assert_prints!(folder, ["generate", "--into", "edges"]);
}

/// A box office, with a session whose order was refused at first, and that looked for more than one page shows; and that went where only the
/// refusal leads, perhaps.
fn tickets(looks_at_seats: bool) -> tempfile::TempDir {
    let config = "[app]\ncommand = \"exec python3 tickets.py {port}\"\n[app.closed]\nenv = { TICKETS_FAULT = \"closed\" }\n\
        [state]\nsqlite = [\"data/tickets.db\"]\n";
    let folder = project(&[("tickets.py", TICKETS), ("restage.toml", config)]);
    let (app, upstream) = start_script(folder.path(), "tickets.py");
    let arguments = ["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
    let recording = Recording::start(restage(folder.path(), &arguments));
    let url = |path: &str| recording.url(path);
    let mut visitor = Browser::new(&url);
    for path in ["/", "/find?q=opera", "/", "/find?q=play", "/find?q=play&page=2", "/", "/order"] {
        visitor.go(path, None);
    }
    visitor.go("/order", Some(&[("name", "Ada")]));
    assert!(visitor.page.contains("Choose a"), "{}", visitor.page);
    if looks_at_seats {
        visitor.go("/seats", None);
        visitor.go("/order", None);
    }
    visitor.go("/order", Some(&[("name", "Ada"), ("seat", "back")]));
    visitor.go("/pay", Some(&[("card", "none")]));
    for path in ["/", "/help"] {
        visitor.go(path, None);
    }
    let tally = recording.stop();
    assert_eq!(tally["seen"], tally["stored"]);
    drop(app);
    folder
}

/// Catches: ways that are there only after a form was refused, after a certain search, or after several forms again, and that are given up.
#[test]
fn ways_that_are_there_only_after_something_else_are_covered() {
    let folder = tickets(true);
    let folder = folder.path();
    json(folder, &["map"]);
    let made = json(folder, &["generate", "--by", "all-edges", "--into", "edges"]);
    let cover = &made["users"]["anonymous"];
    assert_eq!(
        (&made["missed"], &cover["edges_walked"]),
        (&serde_json::json!([]), &cover["planned"]["edges"])
    );
    let visited = made["sequences"].to_string();
    for node in ["GET /seats", "GET /find?page&q", "GET /thanks"] {
        assert!(visited.contains(node), "{node}: {visited}");
    }
    // And it comes out the same again.
    let baseline = json(folder, &["baseline", "edges"]);
    assert_eq!((&baseline["stale"], &baseline["unanswered"]), (&0.into(), &0.into()), "{baseline}");
}

/// Catches: sessions for one version that are made by the map of another, though there is one of this version; without a word, where there
/// is none.
#[test]
fn the_map_is_of_the_version_that_is_walked_on() {
    let folder = tickets(false);
    let folder = folder.path();
    json(folder, &["map", "--app", "closed", "--into", "later"]);
    let output = run(folder, &["generate", "--into", "first"]);
    assert!(stdout(&output).contains("from later") && stderr(&output).contains("is a map of `closed`"));
    json(folder, &["map", "--into", "now"]);
    // One of the same name is replaced, and is the newest then.
    json(folder, &["map", "--app", "closed", "--into", "later"]);
    assert_eq!(json(folder, &["generate", "--into", "second"])["map"], "now");
    assert_eq!(json(folder, &["generate", "--app", "closed", "--into", "third"])["map"], "later");
    assert_eq!(json(folder, &["generate"])["map"], "later");
    let maps = json(folder, &["map", "--list"]);
    assert_eq!(maps.as_array().map(Vec::len), Some(2), "{maps}");
}

/// Catches: something that is not covered, and that is not named, or not why.
#[test]
fn what_is_not_covered_is_named_with_the_reason() {
    let folder = tickets(false);
    let folder = folder.path();
    json(folder, &["map"]);
    assert_prints!(folder, ["generate", "--by", "all-edges", "--app", "closed", "--into", "edges"]);
    assert_prints!(folder, ["generate", "--by", "ordered-pairs", "--app", "closed", "--into", "pairs"]);
    let made = json(folder, &["generate", "--by", "all-edges", "--app", "closed", "--into", "again"]);
    let missed: Vec<(&str, &str, &str)> = made["missed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|way| (&way["from"], &way["to"], &way["why"]))
        .map(|(from, to, why)| (from.as_str().unwrap(), to.as_str().unwrap(), why.as_str().unwrap()))
        .collect();
    assert_eq!(missed, [("GET /", "GET /help", "not-offered"), ("GET /help", "GET /", "never-begun")]);
}
