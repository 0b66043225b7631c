//! Sessions at once on one app, as they were recorded: what shows only when users meet.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Recording, agent, free_port, json, project, restage, run, stderr, stdout};

const APP: &str = include_str!("../apps/counter.py");
const CONFIG: &str = r#"
[app]
command = "exec python3 counter.py {port}"
env = { LOCK = "1" }
[app.racing]
env = { LOCK = "" }
[app.crashing]
env = { CRASH = "1" }
[state]
folders = ["data"]
[sessions]
by = ["header:user"]
"#;

/// Two users add at the same time; a third looks afterwards.
fn record(folder: &Path) {
    let port = free_port();
    let mut app = Command::new("python3");
    app.arg("counter.py").arg(port.to_string()).current_dir(folder).env("LOCK", "1").stdin(Stdio::null());
    let mut app = app.spawn().unwrap();
    let upstream = format!("127.0.0.1:{port}");
    while std::net::TcpStream::connect(&upstream).is_err() {
        std::thread::yield_now();
    }
    let recording = Recording::start(restage(
        folder,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &format!("http://{upstream}")],
    ));
    let ask = |user: &str, path: &str| {
        let mut answer = agent().get(recording.url(path)).header("user", user).call().unwrap();
        answer.body_mut().read_to_string().unwrap()
    };
    for user in ["ann", "bob", "cid"] {
        ask(user, "/");
    }
    std::thread::scope(|scope| {
        for user in ["ann", "bob"] {
            scope.spawn(move || ask(user, "/add"));
        }
    });
    assert!(ask("cid", "/count").contains("count 2"));
    recording.stop();
    app.kill().unwrap();
    app.wait().unwrap();
}

fn recorded() -> tempfile::TempDir {
    let folder = project(&[("counter.py", APP), ("restage.toml", CONFIG), ("data/count", "0")]);
    assert!(run(folder.path(), &["snapshots", "save", "initial"]).status.success());
    record(folder.path());
    let sessions = json(folder.path(), &["sessions"]);
    assert_eq!(sessions.as_array().unwrap().len(), 3, "{sessions}");
    assert!(run(folder.path(), &["baseline"]).status.success());
    folder
}

/// Catches: requests that were in flight together are sent one after another, so that no race ever shows.
#[test]
fn a_lost_update_shows_when_sessions_overlap_and_only_then() {
    let folder = recorded();
    let folder = folder.path();
    for args in [&["test"][..], &["test", "--app", "racing"], &["test", "--overlap"]] {
        let passes = run(folder, args);
        assert_eq!(passes.status.code(), Some(0), "{args:?}: {}{}", stdout(&passes), stderr(&passes));
    }
    let racing = run(folder, &["test", "--app", "racing", "--overlap"]);
    assert_eq!(racing.status.code(), Some(1), "{}{}", stdout(&racing), stderr(&racing));
    assert!(stdout(&racing).contains("\"count 2\" became \"count 1\""), "{}", stdout(&racing));
    // The state is put back.
    assert_eq!(std::fs::read_to_string(folder.join("data/count")).unwrap(), "2");
    for (args, hint) in [
        (&["test", "--overlap", "--state", "restore"][..], "hint: --state initial"),
        (&["test", "--overlap", "--jobs", "2"], "cannot be used with"),
        (&["test", "--overlap", "--shard", "1/2"], "hint: use --overlap without --shard"),
    ] {
        let refused = run(folder, args);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(hint), "{}", stderr(&refused));
    }
}

/// Catches: sessions that were not asked for are replayed, and stand in the run; events of others than those that were.
#[test]
fn only_the_sessions_that_were_asked_for_overlap() {
    let folder = recorded();
    let folder = folder.path();
    let names: Vec<String> = json(folder, &["sessions"])
        .as_array()
        .unwrap()
        .iter()
        .map(|session| session["name"].as_str().unwrap().to_owned())
        .collect();
    let only = format!("{},{}", names[1], names[2]);
    let args = ["replay", "--overlap", "--only", &only, "--into", "some", "--events", "events.jsonl"];
    assert_eq!(json(folder, &args)["sessions"], 2);
    let steps = json(folder, &["runs", "show", "some"]);
    let replayed: Vec<u64> = steps["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["at"]["session"].as_u64().unwrap())
        .collect();
    assert_eq!(replayed, [1, 1, 2, 2], "at their places in the suite");
    let events = std::fs::read_to_string(folder.join("events.jsonl")).unwrap();
    let events: Vec<serde_json::Value> =
        events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((count("session-started"), count("step-replayed"), count("session-ended")), (2, 4, 2));
    assert_eq!(events.first().unwrap()["sessions"], 2);
    assert_eq!(events.last().unwrap()["state"], "complete");
}

/// Catches: a crash under overlap ends the run, or takes sessions along that had nothing in flight.
#[test]
fn a_crash_ends_the_sessions_that_were_in_flight_and_no_others() {
    let folder = recorded();
    let folder = folder.path();
    let crashed = run(folder, &["test", "--app", "crashing", "--overlap", "--into", "crashed"]);
    assert_eq!(crashed.status.code(), Some(1), "{}{}", stdout(&crashed), stderr(&crashed));
    let steps = json(folder, &["runs", "show", "crashed"]);
    let failed: Vec<&str> =
        steps["steps"].as_array().unwrap().iter().filter_map(|s| s["answer"]["failed"].as_str()).collect();
    assert!(
        !failed.is_empty() && failed.iter().all(|why| *why == "the app ended (exit status: 9)"),
        "{failed:?}"
    );
    assert_eq!(steps["steps"].as_array().unwrap().len(), 6);
    let last = &steps["steps"][5];
    assert_eq!(last["answer"]["received"]["status"], 200, "the third user goes on: {last}");
    assert_eq!(std::fs::read_to_string(folder.join("data/count")).unwrap(), "2");
}
