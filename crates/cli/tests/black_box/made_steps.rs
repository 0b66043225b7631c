//! Steps that nobody recorded: from a HAR with an edited and generated ones to a found fault, and back to the same HAR.

use std::path::Path;

use serde_json::{Value, json as value};

use crate::own_app::{APP, CONFIG, record, start};
use crate::support::{json, project, run, stderr, stdout};

const TOKEN: &str = "0123456789abcdef01234567";

/// The entry of a step of the first session.
fn entry(har: &Value, exchange: &Value) -> Value {
    let entries = har["log"]["entries"].as_array().unwrap();
    entries.iter().find(|entry| entry["_restage"]["exchange"] == *exchange).unwrap().clone()
}

fn with_origin(mut entry: Value, exchange: i64, origin: Value) -> Value {
    entry["_restage"]["exchange"] = exchange.into();
    entry["_restage"]["origin"] = origin;
    entry
}

fn with_form(mut entry: Value, form: &str) -> Value {
    entry["request"]["postData"]["text"] = form.into();
    entry["_restage"]["request_body"]["size"] = form.len().into();
    entry
}

/// An entry without an answer, to another address.
fn without_answer(mut entry: Value, uri: &str) -> Value {
    entry["_restage"]["uri"] = uri.into();
    entry["_restage"]["response_body"] = Value::Null;
    entry["response"]["status"] = 0.into();
    entry
}

/// What was recorded, with a step of the first session edited, and three generated ones after its sixth: a note is
/// added, looked at, and the list of notes asked for again.
fn mended(folder: &Path) -> Value {
    let exported = run(folder, &["export", "recorded", "--to", "har"]);
    let mut har: Value = serde_json::from_slice(&exported.stdout).unwrap();
    let ids: Vec<Value> = har["log"]["_restage"]["sessions"][0]["exchanges"].as_array().unwrap().clone();
    let edited = with_form(entry(&har, &ids[3]), &format!("token={TOKEN}&text=buy+six+ripe+pears"));
    let edit = value!({ "kind": "edited", "of": ids[3], "by": "repair", "why": "apples are out of season" });
    let add = with_form(entry(&har, &ids[6]), &format!("token={TOKEN}&text=nobody+wrote+this+note"));
    let made =
        |why: &str| value!({ "kind": "generated", "by": "generate", "why": why, "from": [ids[6].clone()] });
    let new = [
        with_origin(edited, 1001, edit),
        with_origin(without_answer(add, "/add"), 1002, made("three notes in a row")),
        with_origin(without_answer(entry(&har, &ids[4]), "/note/1"), 1003, made("the new note")),
        with_origin(without_answer(entry(&har, &ids[5]), "/notes"), 1004, made("back to the list")),
    ];
    let log = &mut har["log"];
    log["entries"].as_array_mut().unwrap().extend(new);
    log["_restage"]["suite"] = "mended".into();
    log["_restage"]["origin"] = "repair recorded".into();
    let mut steps = ids;
    steps[3] = 1001.into();
    steps.splice(6..6, [1002, 1003, 1004].map(Value::from));
    log["_restage"]["sessions"][0]["exchanges"] = steps.into();
    har
}

fn import(folder: &Path, har: &Value) -> Value {
    std::fs::write(folder.join("mended.har"), har.to_string()).unwrap();
    json(folder, &["import", "mended.har"])
}

fn steps(value: &Value) -> Vec<Value> {
    value["steps"].as_array().unwrap().clone()
}

fn origins(steps: &[Value]) -> Vec<&str> {
    steps.iter().map(|step| step["origin"]["kind"].as_str().unwrap_or("recorded")).collect()
}

#[test]
fn steps_that_nobody_recorded_are_replayed_judged_shown_and_brought_back() {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG)]);
    let folder = folder.path();
    drop(start(folder));
    record(folder);
    let before = json(folder, &["sessions"]);
    let imported = import(folder, &mended(folder));
    assert_eq!(
        (&imported["added"], &imported["files"][0]["suite"]),
        (&4.into(), &"mended".into()),
        "{imported}"
    );
    assert_eq!(json(folder, &["sessions"]), before, "what nobody recorded is no traffic");

    let shown = stdout(&run(folder, &["suites", "show", "mended"]));
    assert!(shown.contains("s1  14 steps, 1 edited, 3 generated"), "{shown}");
    let shown = stdout(&run(folder, &["sessions", "show", "s1", "--suite", "mended"]));
    assert!(shown.contains("edited by repair: apples are out of season"), "{shown}");
    assert!(shown.contains("generated: three notes in a row"), "{shown}");

    let baseline = json(folder, &["baseline", "mended"]);
    assert_eq!(baseline["refused"], value!([]), "{baseline}");
    assert_eq!(
        baseline["stale"], 0,
        "with a note more, the link that deletes the first is known by its id: {baseline}"
    );
    let left = stdout(&run(folder, &["runs", "show", "baseline-1", "--step", "s1/14", "--body"]));
    assert!(!left.contains("pears") && left.contains("bank"), "the first is deleted: {left}");
    let replayed = steps(&json(folder, &["runs", "show", "baseline-1"]));
    let kinds = origins(&replayed[..14]);
    assert_eq!(kinds[3..9], ["edited", "recorded", "recorded", "generated", "generated", "generated"]);
    let statuses: Vec<u64> =
        replayed.iter().map(|s| s["answer"]["received"]["status"].as_u64().unwrap()).collect();
    assert!(statuses.iter().all(|s| matches!(s, 200 | 302)), "no token was refused: {statuses:?}");
    let note = stdout(&run(folder, &["runs", "show", "baseline-1", "--step", "s1/8", "--body"]));
    assert!(note.contains("nobody wrote this note"), "it was added, and its own address asked for: {note}");

    let same = run(folder, &["test"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
    let faulty = json(folder, &["test", "--app", "faulty", "--html", "r.html", "--junit", "r.xml"]);
    let failing = steps(&faulty);
    let generated = failing.iter().find(|s| s["origin"]["kind"] == "generated").unwrap();
    assert_eq!((&generated["session"], &generated["step"]), (&"s1".into(), &8.into()), "{generated}");
    assert_eq!(generated["origin"]["why"], "the new note");
    assert!(
        failing.iter().any(|s| s["origin"].is_null()),
        "what was recorded fails, too, and has no origin to tell"
    );
    for file in ["r.html", "r.xml"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains("generated: the new note"), "{file}");
    }

    for format in ["hurl", "curl", "k6", "playwright"] {
        let out = run(folder, &["export", "mended", "--to", format, "-o", &format!("{format}/")]);
        assert!(out.status.success(), "{}", stderr(&out));
        let file = std::fs::read_dir(folder.join(format)).unwrap().map(|f| f.unwrap().path()).min().unwrap();
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains("edited by repair: apples are out of season"), "{format}: {text}");
    }

    // Into an empty project, and out again.
    let exported = stdout(&run(folder, &["export", "mended", "--to", "har"]));
    let other = project(&[("restage.toml", CONFIG)]);
    let imported = import(other.path(), &serde_json::from_str(&exported).unwrap());
    assert_eq!(imported["files"][0]["suite"], "mended", "{imported}");
    assert_eq!(stdout(&run(other.path(), &["export", "mended", "--to", "har"])), exported);
    assert_eq!(json(other.path(), &["sessions"]).as_array().unwrap().len(), 3);
}
