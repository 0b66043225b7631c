//! What sessions leave behind: faults that no page shows, and nothing where there is none.

use std::path::Path;

use serde_json::Value;

use crate::own_app::{APP, record, start};
use crate::support::{demo_project, json, project, run, stderr, stdout};

const CONFIG: &str = r#"
[app]
command = "exec python3 notes.py {port}"
logs = ["data/error.log"]
[app.forgetful]
env = { FORGET = "1" }
[app.complaining]
env = { COMPLAIN = "1" }
[app.logging]
env = { COMPLAIN = "1", LOG = "data/error.log" }
[state]
folders = ["sessions", "data"]
sqlite = ["notes.db"]
"#;

fn seen_by<'a>(report: &'a Value, seer: &str) -> Vec<&'a str> {
    let changes = report["changes"].as_array().unwrap().iter();
    changes.filter(|c| c["seen_by"] == seer).map(|c| c["summary"].as_str().unwrap()).collect()
}

fn passes(folder: &Path) {
    let same = run(folder, &["test"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
}

#[test]
fn what_no_page_shows_is_found_in_the_state_and_in_the_logs() {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG), ("data/readme", "")]);
    let folder = folder.path();
    drop(start(folder));
    record(folder);
    let baseline = json(folder, &["baseline"]);
    let masked = baseline["masked_state"].to_string();
    assert!(masked.contains("id of trail (notes.db)") && masked.contains("name of sessions/*"), "{masked}");
    for _ in 0..3 {
        passes(folder);
    }

    // A transaction that is not committed, of data that no page shows.
    let report = json(folder, &["test", "--app", "forgetful"]);
    assert_eq!(report["passes"], false);
    let told = seen_by(&report, "State");
    assert_eq!(report["changes"].as_array().unwrap().len(), 1, "no page fails: {report}");
    assert!(told[0].starts_with("a row of trail (notes.db) is gone: user `ann`, what `deleted`"), "{told:?}");
    assert_eq!(run(folder, &["test", "--app", "forgetful"]).status.code(), Some(1));

    // An error that is caught and written to the output, or to a log that lies in the state.
    for app in ["complaining", "logging"] {
        let report = json(folder, &["test", "--app", app]);
        let told = seen_by(&report, "Log");
        assert_eq!(report["changes"].as_array().unwrap().len(), 1, "{app}: {report}");
        assert!(told[0].contains("no such table: notse") && told[0].contains("notes.py"), "{app}: {told:?}");
    }
    passes(folder);

    // Two replays of one baseline are compared with what it knows to vary.
    let report = json(folder, &["compare", "test-1", "test-2"]);
    assert_eq!(seen_by(&report, "State"), [""; 0]);

    // It can be switched off.
    let off = format!("{CONFIG}[oracle]\nstate = false\n");
    std::fs::write(folder.join("restage.toml"), off).unwrap();
    assert_eq!(run(folder, &["test", "--app", "forgetful"]).status.code(), Some(0));
}

#[test]
fn stock_that_is_not_reduced_is_found_in_the_state_and_goes_with_its_run() {
    let folder = demo_project();
    let shop = folder.path().join("shop");
    let config = std::fs::read_to_string(shop.join("restage.toml")).unwrap();
    let command = config.lines().find(|line| line.starts_with("command = ")).unwrap();
    let faulty = command.trim_end_matches('"').to_owned() + " --fault stock-not-reduced\"";
    std::fs::write(shop.join("restage.toml"), format!("{config}[app.unstocked]\n{faulty}\n")).unwrap();
    let report = json(&shop, &["test", "--app", "unstocked", "--into", "unstocked"]);
    assert_eq!(report["passes"], false);
    let told = seen_by(&report, "State");
    assert!(told.len() == 1 && told[0].contains("of books (data/shop.db): stock was"), "{told:?}");

    let after = |run: &str| {
        let snapshots = json(&shop, &["snapshots"]);
        let prefix = format!("{run}/after s");
        snapshots
            .as_array()
            .unwrap()
            .iter()
            .filter(|s| s["name"].as_str().unwrap().starts_with(&prefix))
            .count()
    };
    assert_eq!((after("unstocked"), after("baseline"), after("baseline.check")), (40, 40, 40));
    assert!(!stdout(&run(&shop, &["snapshots"])).contains("/after "), "they are many and nobody's choice");
    assert_eq!(run(&shop, &["runs", "remove", "unstocked"]).status.code(), Some(0));
    assert_eq!(run(&shop, &["runs", "remove", "baseline"]).status.code(), Some(0));
    assert_eq!((after("unstocked"), after("baseline"), after("baseline.check")), (0, 0, 0));
    assert_eq!(after("clean"), 40);
}
