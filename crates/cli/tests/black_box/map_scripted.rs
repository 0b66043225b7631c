//! `restage map` on an application whose scripts ask for nearly everything: what sessions show of that is tried with live values.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::own_app::{Browser, start_script};
use crate::support::{Recording, json, project, restage};

const APP: &str = include_str!("../apps/scripted.py");

fn config(state: &str) -> String {
    format!(
        "[app]\ncommand = \"exec python3 scripted.py {{port}}\"\n[keys]\nparameters = [\"op\"]\n[redact]\nsecrets = {{ file = \"secrets.env\" }}\n{state}"
    )
}

/// A member's session: what the page's scripts ask for, and an address that she types.
fn use_desk(url: &dyn Fn(&str) -> String) {
    let mut browser = Browser::new(url);
    browser.go("/", None);
    browser.go("/login", Some(&[("user", "ada"), ("pw", "moth-lantern")]));
    let token = browser.between("token = '", '\'');
    let mut ask = |fields: &[(&str, &str)]| {
        let with_token: Vec<(&str, &str)> =
            fields.iter().copied().chain([("token", token.as_str())]).collect();
        browser.go("/api", Some(&with_token));
        browser.page.clone()
    };
    ask(&[("op", "lists")]);
    let made = ask(&[("op", "add"), ("name", "errands")]);
    let number = made.split(':').nth(1).unwrap().trim_matches([' ', '}']).to_owned();
    ask(&[("op", "show"), ("list", &number)]);
    ask(&[("op", "drop"), ("list", &number)]);
    let key = ask(&[("op", "key")]).split('"').nth(5).unwrap().to_owned();
    browser.go(&format!("/feed?key={key}"), None);
    // What she writes has a number that nobody knows before.
    browser.go("/", None);
    browser.go("/note", Some(&[("title", "ropes")]));
    let note = browser.between("note = ", ';');
    browser.go("/api", Some(&[("op", "mark"), ("note", &note), ("token", &token)]));
    browser.go("/", None);
    browser.go("/api", Some(&[("op", "logout"), ("token", &token)]));
}

/// Recorded, and mapped by the spider alone; the map, and what the app was asked for meanwhile.
fn mapped(folder: &Path) -> (Value, Vec<String>) {
    let (app, upstream) = start_script(folder, "scripted.py");
    let recording = Recording::start(restage(
        folder,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    use_desk(&|path| recording.url(path));
    recording.stop();
    drop(app);
    std::fs::remove_file(folder.join("requests.log")).unwrap();
    let map = json(folder, &["map", "--from", "spider"]);
    let log = std::fs::read_to_string(folder.join("requests.log")).unwrap_or_default();
    (map, log.lines().map(str::to_owned).collect())
}

fn tried(map: &Value) -> BTreeMap<&str, bool> {
    let nodes = map["nodes"].as_array().unwrap().iter();
    nodes.map(|node| (node["id"].as_str().unwrap(), node["tried"] == true)).collect()
}

fn files(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("data/state.json")).unwrap_or_default()
}

/// Catches: a spider that sees of such an application nothing but its one page; tokens and ids of the recording that are sent again; an
/// answer that leads nowhere; a request about something that the session made by a form; a user that is logged out unnoticed; a user who was never let in; data that stays as the spider left it.
#[test]
fn what_scripts_sent_is_tried_with_live_values() {
    let folder = project(&[
        ("scripted.py", APP),
        ("restage.toml", &config("[state]\nfolders = [\"data\"]\n")),
        ("secrets.env", "PW=moth-lantern\n"),
    ]);
    let folder = folder.path();
    let (map, log) = mapped(folder);
    let tried = tried(&map);
    for (node, is_tried) in [
        ("GET /", false),
        ("GET /about", false),
        ("GET /news", false),
        ("GET /imprint", false),
        ("POST /login?pw&user", false),
        ("POST /api?op=lists&token", true),
        ("POST /api?list&op=show&token", true),
        ("POST /api?list&op=drop&token", true),
        ("POST /note?title", false),
        ("GET /note/{n}", false),
        ("POST /api?note&op=mark&token", true),
        ("GET /feed?key", true),
        ("GET /list/{n}", true),
        ("POST /rename?name", true),
    ] {
        assert_eq!(tried.get(node), Some(&is_tried), "{node}: {tried:#?}\n{log:#?}");
    }
    assert_eq!(map["sessions"]["missed"], serde_json::json!([]), "{log:#?}");
    let found = |name: &str| map["sessions"][name].as_u64().unwrap();
    assert!(found("found_by_links") < found("found"), "{}", map["sessions"]);
    // Ids and tokens are the live ones, or nothing would have been taken.
    assert!(
        log.iter()
            .filter(|line| line.starts_with("POST /api") && !line.contains(" mark "))
            .all(|line| line.ends_with(" taken")),
        "{log:#?}"
    );
    assert!(log.iter().any(|line| line == "POST /api mark taken"), "{log:#?}");
    let users: Vec<&str> =
        map["spider"]["users"].as_array().unwrap().iter().map(|user| user.as_str().unwrap()).collect();
    assert_eq!((users.len(), users.contains(&"logged in")), (2, false), "{users:?}");
    let way = map["edges"].as_array().unwrap().iter().find(|edge| edge["to"] == "POST /api?op=logout&token");
    assert_eq!(way.unwrap()["becomes"], "anonymous");
    let before = files(folder);
    json(folder, &["map", "--from", "spider", "--max-requests", "40"]);
    assert_eq!(files(folder), before);
}

/// Catches: a script's request that changes something though nothing can be put back; a link that deletes, which says so only in its
/// handler, followed.
#[test]
fn without_a_state_nothing_is_tried_that_may_change_something() {
    let files =
        [("scripted.py", APP), ("restage.toml", &config("")[..]), ("secrets.env", "PW=moth-lantern\n")];
    let folder = project(&files);
    let (map, log) = mapped(folder.path());
    assert!(!log.iter().any(|line| line.contains("/vanish") || line.starts_with("POST /api")), "{log:#?}");
    let skipped = map["spider"]["skipped"].to_string();
    assert!(skipped.contains("no [state] to restore") && skipped.contains("GET /vanish?n"), "{skipped}");
}
