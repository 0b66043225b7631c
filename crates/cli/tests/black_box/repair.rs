//! `restage repair` and `restage test --repair`: the shoppers of the bookstore's first release on its fourth, and guests of a lodge on
//! versions that differ in one thing each.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use crate::own_app::{Browser, start_script};
use crate::support::{Recording, demo_project, json, project, restage, run, stderr, stdout};

/// The demo's project with a later release of the bookstore as the app `next`.
fn shop() -> (tempfile::TempDir, PathBuf) {
    let folder = demo_project();
    let shop = folder.path().join("shop");
    let settings = shop.join("restage.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    let command = text.lines().find(|line| line.starts_with("command")).unwrap().trim_end_matches('"');
    let next = format!("\n[app.next]\n{command} --release 4\"\n\n[state]");
    std::fs::write(&settings, text.replacen("\n[state]", &next, 1)).unwrap();
    (folder, shop)
}

fn names(shop: &Path, command: &str) -> Vec<String> {
    let listed = json(shop, &[command]);
    listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// Catches: a session that is lost or changed for nothing, repairs without a cause, and a suite that does not replay as its repair said.
#[test]
fn sessions_of_the_first_release_are_valid_on_a_later_one() {
    let (_folder, shop) = shop();
    let dry = json(&shop, &["repair", "recorded", "--into", "repaired", "--app", "next", "--dry-run"]);
    assert_eq!(dry["stored"], false);
    assert!(!names(&shop, "suites").contains(&"repaired".to_owned()), "--dry-run stores nothing");

    let made = json(&shop, &["repair", "recorded", "--into", "repaired", "--app", "next"]);
    let counts = &made["counts"];
    assert_eq!(counts["sessions"], 40);
    assert!(counts["repaired"].as_u64() > Some(15) && counts["unchanged"].as_u64() > Some(5), "{counts}");
    assert_eq!(counts["split"], 0, "{counts}");
    for session in made["sessions"].as_array().unwrap() {
        let changed = ["changed", "added", "dropped"].iter().any(|what| session["requests"][what] != 0);
        assert!(!changed || session["outcome"] != "unchanged", "{session}");
        assert!(
            session["outcome"] != "repaired" || session["repairs"].as_array().is_some_and(|r| !r.is_empty()),
            "{session}"
        );
    }

    let plain = json(&shop, &["replay", "recorded", "--app", "next", "--into", "plain"]);
    let replayed = json(&shop, &["replay", "repaired", "--app", "next", "--into", "again"]);
    let stale = |run: &serde_json::Value| run["stale"].as_u64().unwrap();
    assert!(
        stale(&replayed) * 8 <= stale(&plain),
        "{} of {} stale steps are left",
        stale(&replayed),
        stale(&plain)
    );

    // On the release that they were recorded on, all are valid as they are.
    let same = json(&shop, &["repair", "recorded", "--into", "same"]);
    assert_eq!(same["counts"]["unchanged"], 40, "{}", same["counts"]);
}

/// Catches: a test that does not say what helps, one whose repair changes its verdict, or a repair that passes for a plain pass.
#[test]
fn a_test_with_stale_steps_points_to_repair_and_can_do_both() {
    let (_folder, shop) = shop();
    let told = run(&shop, &["test", "--app", "next", "--into", "one"]);
    assert_eq!(told.status.code(), Some(1));
    assert!(
        stderr(&told).contains("`restage repair recorded --into repaired --app next`"),
        "{}",
        stderr(&told)
    );

    let both = json(&shop, &["test", "--app", "next", "--into", "two", "--repair"]);
    let alone = json(&shop, &["compare", "baseline", "one"]);
    assert_eq!(both["counts"]["failing"], alone["counts"]["failing"]);
    assert!(alone.get("repair").is_none());
    assert_eq!(both["repair"]["into"], "repaired-two");
    assert!(names(&shop, "suites").contains(&"repaired-two".to_owned()));

    // Nothing to repair, and nothing that differs.
    let clean = run(&shop, &["test", "--into", "three", "--repair"]);
    assert_eq!(clean.status.code(), Some(0), "{}", stdout(&clean));
    assert!(stderr(&clean).contains("nothing to repair"), "{}", stderr(&clean));
}

const LODGE: &str = include_str!("../apps/lodge.py");
/// What the versions of the lodge do otherwise: each is an app of this name.
const CHANGES: [&str; 7] = ["renamed", "moved", "gone", "confirm", "button", "fields", "once"];

/// The lodge with its guests recorded, and their baseline on the old version.
fn lodge() -> tempfile::TempDir {
    static MADE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let apps: String =
            CHANGES.iter().map(|name| format!("[app.{name}]\nenv = {{ CHANGES = \"{name}\" }}\n")).collect();
        let config = format!(
            "[app]\ncommand = \"exec python3 lodge.py {{port}}\"\n{apps}[state]\nsqlite = [\"lodge.db\"]\n[redact]\noff = true\n"
        );
        let folder = project(&[("lodge.py", LODGE), ("restage.toml", &config)]);
        let (app, upstream) = start_script(folder.path(), "lodge.py");
        let args = ["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
        let recording = Recording::start(restage(folder.path(), &args));
        use_lodge(&|path| recording.url(path));
        recording.stop();
        drop(app);
        let baseline = json(folder.path(), &["baseline", "--into", "old"]);
        assert_eq!(baseline["stale"], 0, "{baseline}");
        folder
    });
    let copy = tempfile::tempdir().unwrap();
    let from = format!("{}/.", made.path().display());
    assert!(Command::new("cp").args(["-r", &from]).arg(copy.path()).status().unwrap().success());
    copy
}

/// Three guests: who looks around, who books and cancels, and who changes her settings.
fn use_lodge(url: &dyn Fn(&str) -> String) {
    let mut visitor = Browser::new(url);
    for page in ["/", "/rules", "/rooms", "/room/2", "/find", "/find?name=lake", "/room/1"] {
        visitor.go(page, None);
    }
    assert!(visitor.page.contains("view of the lake"), "{}", visitor.page);
    let log_in = |user: &str| {
        let mut guest = Browser::new(url);
        guest.go("/", None);
        guest.go("/login", None);
        guest.go("/login", Some(&[("user", user), ("password", &format!("quiet-otter-{user}"))]));
        assert!(guest.page.contains("The stays of"), "{}", guest.page);
        guest
    };
    let mut ann = log_in("ann");
    ann.go("/rooms", None);
    ann.go("/room/3", None);
    ann.go("/book", Some(&[("room", "3"), ("day", "2031-05-17")]));
    ann.go("/settings", None);
    ann.go("/account", None);
    let stay = ann.between("name=\"stay\" value=\"", '"');
    ann.go("/cancel", Some(&[("stay", &stay)]));
    assert!(!ann.page.contains("2031-05-17"), "{}", ann.page);
    ann.go("/logout", None);
    let mut bea = log_in("bea");
    bea.go("/settings", None);
    bea.go("/settings", Some(&[("nights", "4"), ("letter", "on")]));
    bea.go("/rooms", None);
    bea.go("/logout", None);
}

/// The guests repaired for a version: what that came to.
fn repaired(folder: &Path, app: &str) -> Value {
    json(folder, &["repair", "recorded", "--into", app, "--app", app])
}

/// All repairs of a cause.
fn of_cause<'a>(made: &'a Value, cause: &str) -> Vec<&'a Value> {
    let sessions = made["sessions"].as_array().unwrap().iter();
    let repairs = sessions.flat_map(|session| session["repairs"].as_array().unwrap());
    repairs.filter(|repair| repair["cause"] == cause).collect()
}

/// What a suite sends when it is replayed on a version: method, address and status of each step.
fn sent(folder: &Path, suite: &str, app: &str) -> Vec<String> {
    let run = format!("{suite}-on-{app}");
    json(folder, &["replay", suite, "--app", app, "--into", &run]);
    let shown = json(folder, &["runs", "show", &run]);
    let line = |step: &Value| {
        let (sent, status) = (&step["sent"], &step["answer"]["received"]["status"]);
        format!("{} {} {status}", sent["method"].as_str().unwrap(), sent["uri"].as_str().unwrap())
    };
    shown["steps"].as_array().unwrap().iter().map(line).collect()
}

/// Nothing is left that does not come out as intended, nothing is split, and no session is lost.
fn assert_all_well(made: &Value) {
    let counts = &made["counts"];
    let is = |what: &str, number: u64| assert_eq!(counts[what], number, "{what}: {made:#}");
    is("sessions", 3);
    is("remaining", 0);
    is("split", 0);
    is("unrepaired", 0);
}

/// What is in the lodge's database.
fn data(folder: &Path) -> String {
    let script = "import sqlite3; print(*sqlite3.connect('lodge.db').iterdump(), sep='\\n')";
    let output = Command::new("python3").args(["-c", script]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// Catches: `name=lake` that goes out as `title=&town=`.
#[test]
fn a_renamed_field_keeps_what_was_typed() {
    let folder = lodge();
    let made = repaired(folder.path(), "renamed");
    assert_all_well(&made);
    assert_eq!(made["counts"]["repaired"], 1, "{made:#}");
    let renamed = of_cause(&made, "parameter-renamed");
    assert!(renamed[0]["what"].as_str().unwrap().contains("`name` is called `title`"), "{renamed:?}");
    let steps = sent(folder.path(), "renamed", "renamed");
    assert!(
        steps.iter().any(|step| step.starts_with("GET /find?title=lake&town=") && step.ends_with(" 200")),
        "{steps:#?}"
    );
}

/// Catches: a form that moved to another page is given up.
#[test]
fn a_form_that_moved_is_followed() {
    let folder = lodge();
    let made = repaired(folder.path(), "moved");
    assert_all_well(&made);
    let moved = of_cause(&made, "form-moved");
    assert_eq!(moved.len(), 1, "{made:#}");
    assert_eq!(moved[0]["added"], serde_json::json!(["GET /room/3/stay"]), "{moved:?}");
    let steps = sent(folder.path(), "moved", "moved");
    let place = |what: &str| steps.iter().position(|step| step == what);
    assert!(place("GET /room/3/stay 200").is_some_and(|at| steps[at + 1] == "POST /book 303"), "{steps:#?}");
}

/// Catches: a page that is gone is papered over, or takes the rest of its session along.
#[test]
fn a_page_that_is_gone_is_left_out_and_is_for_review() {
    let folder = lodge();
    let made = repaired(folder.path(), "gone");
    assert_all_well(&made);
    let gone = of_cause(&made, "page-gone");
    assert_eq!(gone[0]["dropped"], serde_json::json!(["GET /rules"]), "{made:#}");
    let findings = made["findings"].as_array().unwrap();
    assert!(
        findings.iter().any(|one| one["cause"] == "page-gone" && one["to_review"] == true),
        "{findings:?}"
    );
    assert_eq!(made["requests"]["dropped"], 1, "{made:#}");
}

/// Catches: a question in between that nobody answers: the stay is not cancelled.
#[test]
fn a_page_that_asks_whether_to_is_answered() {
    let folder = lodge();
    let made = repaired(folder.path(), "confirm");
    assert_all_well(&made);
    assert_eq!(made["requests"]["added"], 1, "{made:#}");
    let steps = sent(folder.path(), "confirm", "confirm");
    let cancels: Vec<&String> = steps.iter().filter(|step| step.starts_with("POST /cancel")).collect();
    assert_eq!(cancels, ["POST /cancel 200", "POST /cancel 303"], "{steps:#?}");
}

/// Catches: a link that is a form now is left out, as something that another page makes needless.
#[test]
fn a_link_that_is_a_form_now_is_sent() {
    let folder = lodge();
    let made = repaired(folder.path(), "button");
    assert_all_well(&made);
    assert_eq!(of_cause(&made, "sent-otherwise").len(), 2, "{made:#}");
    assert_eq!(of_cause(&made, "step-joined").len(), 0, "{made:#}");
    let steps = sent(folder.path(), "button", "button");
    assert_eq!(steps.iter().filter(|step| *step == "POST /logout 200").count(), 2, "{steps:#?}");
    assert!(!steps.iter().any(|step| step.starts_with("GET /logout")), "{steps:#?}");
}

/// Catches: a form that has more fields, and leads to another page, is taken for gone.
#[test]
fn a_form_with_more_fields_that_leads_elsewhere_is_kept() {
    let folder = lodge();
    let made = repaired(folder.path(), "fields");
    assert_all_well(&made);
    assert_eq!(of_cause(&made, "page-gone").len(), 0, "{made:#}");
    assert!(
        of_cause(&made, "parameter-added")
            .iter()
            .any(|one| one["what"].as_str().unwrap().contains("`language`"))
    );
    assert_eq!(of_cause(&made, "leads-elsewhere").len(), 1, "{made:#}");
    let steps = sent(folder.path(), "fields", "fields");
    let place = steps.iter().position(|step| step == "POST /settings 303");
    assert!(place.is_some_and(|at| steps[at + 1] == "GET /account 200"), "{steps:#?}");
}

/// Catches: a session that is split where something else helps, one that is given up where only a split does, and a second half that is
/// not logged in.
#[test]
fn a_session_is_split_where_nothing_else_helps() {
    let folder = lodge();
    let made = repaired(folder.path(), "once");
    let split: Vec<&Value> =
        made["sessions"].as_array().unwrap().iter().filter(|session| session["outcome"] == "split").collect();
    assert_eq!(split.len(), 1, "{made:#}");
    assert_eq!(split[0]["into"].as_array().map(Vec::len), Some(2), "{split:?}");
    let added: Vec<&Value> =
        of_cause(&made, "session-split")[0]["added"].as_array().unwrap().iter().collect();
    assert!(added.contains(&&Value::from("POST /login")), "{added:?}");
    let steps = sent(folder.path(), "once", "once");
    assert_eq!(steps.iter().filter(|step| *step == "POST /login 303").count(), 3, "{steps:#?}");
    assert!(steps.contains(&"POST /cancel 303".to_owned()), "{steps:#?}");
    assert!(!steps.iter().any(|step| step.ends_with(" 403")), "{steps:#?}");
}

/// Catches: `--dry-run` that stores something, a repair that changes the application's data, and sessions that are changed though they
/// are valid.
#[test]
fn a_repair_leaves_alone_what_it_need_not_change() {
    let folder = lodge();
    let before = (names(folder.path(), "suites"), data(folder.path()));
    let dry = json(folder.path(), &["repair", "recorded", "--into", "dry", "--app", "moved", "--dry-run"]);
    assert_eq!(
        (&dry["stored"], &dry["counts"]["repaired"]),
        (&Value::from(false), &Value::from(1)),
        "{dry:#}"
    );
    assert_eq!((names(folder.path(), "suites"), data(folder.path())), before);

    let made = repaired(folder.path(), "moved");
    assert_eq!(data(folder.path()), before.1);
    for session in made["sessions"].as_array().unwrap().iter().filter(|one| one["outcome"] == "unchanged") {
        let requests = &session["requests"];
        assert_eq!(
            (&requests["changed"], &requests["added"], &requests["dropped"]),
            (&0.into(), &0.into(), &0.into())
        );
    }
    let exchanges = |suite: &str, session: &Value| {
        let shown = json(folder.path(), &["sessions", "show", session.as_str().unwrap(), "--suite", suite]);
        shown["steps"]
            .as_array()
            .or(shown["exchanges"].as_array())
            .unwrap_or_else(|| panic!("{shown}"))
            .clone()
    };
    let kept = made["sessions"].as_array().unwrap().iter().find(|one| one["outcome"] == "unchanged").unwrap();
    assert_eq!(exchanges("recorded", &kept["session"]), exchanges("moved", &kept["session"]));
    let same = json(folder.path(), &["repair", "recorded", "--into", "same"]);
    assert_eq!(same["counts"]["unchanged"], 3, "{same:#}");
}

/// Catches: a repaired session that passes for a plain pass.
#[test]
fn a_test_that_repairs_fails_and_says_what_was_repaired() {
    let folder = lodge();
    let tested = run(folder.path(), &["test", "--app", "moved", "--into", "run", "--repair"]);
    assert_eq!(tested.status.code(), Some(1), "{}", stdout(&tested));
    let text = stdout(&tested);
    assert!(text.contains("form moved") && text.contains("1 repaired"), "{text}");
    assert!(names(folder.path(), "suites").contains(&"repaired-run".to_owned()));
}
