//! An application that keeps its settings in memory, under replays that put its data back.

use crate::support::{json, project, run, stderr, stdout};

const APP: &str = include_str!("../apps/settings.py");
const CONFIG: &str = "[app]\ncommand = \"exec python3 settings.py {port}\"\n[state]\nfolders = [\"data\"]\n";

/// Six visitors, each of whom looks at the walls and paints them in another colour.
fn log() -> String {
    let colours = ["red", "green", "blue", "grey", "pink", "black"];
    let line = |visitor: usize, second: usize, address: &str| {
        format!(
            "127.0.0.{visitor} - - [15/Nov/2026:10:0{visitor}:0{second} +0000] \"GET {address} HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 v{visitor}\"\n"
        )
    };
    let visit = |(place, colour): (usize, &&str)| {
        line(place + 1, 0, "/walls") + &line(place + 1, 1, &format!("/walls?colour={colour}"))
    };
    colours.iter().enumerate().map(visit).collect()
}

/// Catches: differences that come from what the app keeps in memory, and nobody says so; a hint where something else is the cause;
/// the trial left behind as a run.
#[test]
fn an_app_that_keeps_settings_in_memory_is_told_of_with_the_remedy() {
    let folder =
        project(&[("settings.py", APP), ("restage.toml", CONFIG), ("a.log", &log()), ("data/.keep", "")]);
    let folder = folder.path();
    assert!(run(folder, &["import", "a.log"]).status.success());
    json(folder, &["baseline", "--restart", "each-session"]);
    let test = run(folder, &["test", "--jobs", "2"]);
    assert_eq!(test.status.code(), Some(1), "{}{}", stdout(&test), stderr(&test));
    let said = stderr(&test);
    for expected in ["differs no more when the app is started anew", "restart = \"each-session\" in [app]"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(!stdout(&run(folder, &["runs"])).contains("restarted"));
    // The remedy helps.
    let test = run(folder, &["test", "--jobs", "2", "--restart", "each-session"]);
    assert_eq!(test.status.code(), Some(0), "{}{}", stdout(&test), stderr(&test));
    // A fault is no matter of memory.
    let faulty = APP.replace("The walls are", "The wall is");
    std::fs::write(folder.join("settings.py"), faulty).unwrap();
    let test = run(folder, &["test", "--jobs", "2"]);
    assert_eq!(test.status.code(), Some(1));
    assert!(!stderr(&test).contains("in memory"), "{}", stderr(&test));
}
