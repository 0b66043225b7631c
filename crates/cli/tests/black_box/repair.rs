//! `restage repair`: sessions of one release of a small application, made valid on the next one.

use std::path::Path;

use serde_json::Value;

use crate::own_app::{Browser, start_script};
use crate::support::{Recording, json, project, restage, run, stderr, stdout};

const APP: &str = include_str!("../apps/stall.py");
const CONFIG: &str = r#"
[app]
command = "exec python3 stall.py {port}"
env = { STALL = "2" }
[app.baseline]
env = { STALL = "1" }
[state]
folders = ["data"]
"#;

fn log_in(browser: &mut Browser<'_>, user: &str) {
    browser.go("/", None);
    browser.go("/login", None);
    let token = browser.between("name=token value=", '>');
    let password: String = user.chars().rev().collect();
    let at = browser.go("/login", Some(&[("token", &token), ("user", user), ("password", &password)]));
    assert_eq!(at, "/account", "{}", browser.page);
}

/// Four users of the first release.
fn use_stall(url: &dyn Fn(&str) -> String) {
    // She looks for something, and reads what is gone later.
    let mut browser = Browser::new(url);
    browser.go("/", None);
    browser.go("/find?name=Poetry", None);
    assert!(browser.page.contains("Poetry for the road"), "{}", browser.page);
    browser.go("/good/1", None);
    // He buys something.
    let mut browser = Browser::new(url);
    log_in(&mut browser, "ann");
    browser.go("/browse", None);
    browser.go("/good/2", None);
    let token = browser.between("name=token value=", '>');
    browser.go("/cart", Some(&[("token", &token), ("good", "2"), ("quantity", "3")]));
    browser.go("/checkout", None);
    let token = browser.between("name=token value=", '>');
    let order = browser.go("/order", Some(&[("token", &token), ("address", "12 Fern Row")]));
    assert!(order.starts_with("/order/"), "{order}");
    browser.go("/account", None);
    // She reads the news, and the help.
    let mut browser = Browser::new(url);
    browser.go("/", None);
    browser.go("/news", None);
    browser.go("/browse", None);
    browser.go("/good/3", None);
    browser.go("/", None);
    browser.go("/help", None);
    browser.go("/terms", None);
    // What the second release leaves as it is.
    let mut browser = Browser::new(url);
    browser.go("/", None);
    browser.go("/cart", None);
    browser.go("/", None);
}

fn recorded() -> tempfile::TempDir {
    let folder = project(&[("stall.py", APP), ("restage.toml", CONFIG), ("data/.keep", "")]);
    let (app, upstream) = start_script(folder.path(), "stall.py");
    let recording = Recording::start(restage(
        folder.path(),
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    use_stall(&|path| recording.url(path));
    recording.stop();
    drop(app);
    folder
}

/// The requests of a session of a suite.
fn requests(folder: &Path, suite: &str, session: &str) -> Vec<String> {
    let shown = json(folder, &["sessions", "show", session, "--suite", suite]);
    let steps = shown["exchanges"].as_array().or_else(|| shown["steps"].as_array()).unwrap();
    let line = |step: &Value| {
        let request = if step["request"].is_null() { step } else { &step["request"] };
        format!("{} {}", request["method"].as_str().unwrap(), request["uri"].as_str().unwrap())
    };
    steps.iter().map(line).collect()
}

fn causes(session: &Value) -> Vec<&str> {
    session["repairs"].as_array().unwrap().iter().map(|repair| repair["cause"].as_str().unwrap()).collect()
}

#[test]
fn sessions_are_made_valid_on_the_next_release() {
    let folder = recorded();
    let folder = folder.path();
    let baseline = json(folder, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    let plain = json(folder, &["test"]);
    assert!(plain.to_string().contains("no longer"), "the second release breaks sessions: {plain}");
    let hint = run(folder, &["test"]);
    assert!(stderr(&hint).contains("restage repair"), "{}", stderr(&hint));

    let dry = json(folder, &["repair", "recorded", "--into", "mended", "--dry-run"]);
    assert_eq!(dry["stored"], false);
    assert!(!stdout(&run(folder, &["suites"])).contains("mended"));

    let repaired = json(folder, &["repair", "recorded", "--into", "mended"]);
    let sessions = repaired["sessions"].as_array().unwrap();
    assert_eq!(sessions, dry["sessions"].as_array().unwrap(), "the same again");
    let outcomes: Vec<&str> = sessions.iter().map(|s| s["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["repaired", "repaired", "repaired", "unchanged"], "{repaired:#}");
    assert_eq!(repaired["counts"]["remaining"], 0, "{repaired:#}");
    let names: Vec<&str> = sessions.iter().map(|s| s["session"].as_str().unwrap()).collect();

    // What was typed goes into the field that has another name.
    let found = requests(folder, "mended", names[0]);
    assert!(found.iter().any(|line| line.contains("title=Poetry")), "{found:?}");
    assert!(causes(&sessions[0]).contains(&"parameter-renamed"), "{}", sessions[0]);

    // The login page is left out, its form sent from home; the order is confirmed.
    let bought = requests(folder, "mended", names[1]);
    assert!(!bought.contains(&"GET /login".to_owned()), "{bought:?}");
    for wanted in ["POST /login", "GET /catalogue", "POST /cart", "POST /order", "POST /order/confirm"] {
        assert!(bought.contains(&wanted.to_owned()), "{wanted}: {bought:?}");
    }
    for cause in
        ["step-joined", "form-moved", "parameter-renamed", "parameter-added", "page-moved", "step-added"]
    {
        assert!(causes(&sessions[1]).contains(&cause), "{cause}: {:#}", sessions[1]);
    }

    // The news are gone, and the help is reached another way.
    let read = requests(folder, "mended", names[2]);
    assert!(!read.contains(&"GET /news".to_owned()), "{read:?}");
    assert!(read.contains(&"GET /help".to_owned()) && read.contains(&"GET /terms".to_owned()), "{read:?}");
    for cause in ["page-gone", "link-gone"] {
        assert!(causes(&sessions[2]).contains(&cause), "{cause}: {:#}", sessions[2]);
    }
    let to_review = |finding: &&Value| finding["to_review"] == true;
    assert!(repaired["findings"].as_array().unwrap().iter().filter(to_review).count() >= 2, "{repaired:#}");

    // What is valid stays as it is, to the exchange.
    assert_eq!(requests(folder, "mended", names[3]), requests(folder, "recorded", names[3]));

    // A replay of it all: nothing is stale, nothing fails, and all say where they come from.
    let run_of = json(folder, &["replay", "mended", "--state", "initial", "--into", "again"]);
    assert_eq!(run_of["stale"].as_u64().unwrap_or(0), 0, "{run_of}");
    let steps = json(folder, &["runs", "show", "again"]);
    for step in steps["steps"].as_array().unwrap() {
        assert!(step["stale"].is_null(), "{step}");
        assert!(step["answer"]["received"]["status"].as_u64().unwrap() < 400, "{step}");
    }
    let shown = stdout(&run(folder, &["sessions", "show", names[1], "--suite", "mended"]));
    assert!(shown.contains("edited by repair") && shown.contains("generated by repair"), "{shown}");

    // What was repaired is valid.
    let again = json(folder, &["repair", "mended", "--into", "again"]);
    assert_eq!(again["counts"]["unchanged"], again["counts"]["sessions"], "{again:#}");
}

#[test]
fn a_version_that_has_not_changed_needs_no_repair() {
    let folder = recorded();
    let folder = folder.path();
    // Without a baseline, the recording counts.
    let repaired = json(folder, &["repair", "recorded", "--into", "mended", "--app", "baseline"]);
    assert_eq!(repaired["counts"]["unchanged"], 4, "{repaired:#}");
    let suites = json(folder, &["suites", "show", "mended"]);
    let recorded = json(folder, &["suites", "show", "recorded"]);
    assert_eq!(suites["sessions"], recorded["sessions"]);
    let refused = run(folder, &["repair", "recorded", "--into", "recorded"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
}
