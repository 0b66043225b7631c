//! Applications that end or hang in the middle: the run goes on, the steps say what happened, the state is put back.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::own_app::{APP, record, start};
use crate::support::{json, project, restage, run, stderr, stdout};

const CONFIG: &str = r#"
[app]
command = "exec python3 notes.py {port}"
timeout = "500ms"
[app.crashing]
env = { CRASH = "/note/2" }
[app.leaving]
env = { LEAVE = "/delete" }
[app.once]
env = { CRASH = "/note/2", STARTS = "starts", ONCE = "1" }
[app.hanging]
env = { HANG = "/note/2" }
[app.slow]
env = { SLOW = "/note/2" }
[app.killed]
env = { SLOW = "/note/2", STARTS = "starts" }
timeout = "60s"
[app.anew]
env = { STARTS = "starts" }
restart = "each-session"
[state]
folders = ["sessions"]
sqlite = ["notes.db"]
"#;

fn recorded() -> tempfile::TempDir {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG)]);
    drop(start(folder.path()));
    record(folder.path());
    let baseline = json(folder.path(), &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    folder
}

/// Why each step of a run has no answer, session by session; empty where it has one.
fn failures(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let shown = json(folder, &["runs", "show", name]);
    let mut sessions: Vec<Vec<String>> = Vec::new();
    for step in shown["steps"].as_array().unwrap() {
        let session = step["at"]["session"].as_u64().unwrap() as usize;
        sessions.resize(sessions.len().max(session + 1), Vec::new());
        sessions[session].push(step["answer"]["failed"].as_str().unwrap_or_default().to_owned());
    }
    sessions
}

/// A run in which the first session ended at one step: that says how, the rest was not sent, other sessions are whole.
fn ended_in_first_session(folder: &Path, name: &str, how: &str, then: &str) {
    let sessions = failures(folder, name);
    assert_eq!(sessions.len(), 3, "{sessions:?}");
    let at = sessions[0].iter().position(|why| !why.is_empty()).unwrap();
    assert!(sessions[0][at].starts_with(how), "{:?}", sessions[0]);
    let rest = &sessions[0][at + 1..];
    assert!(
        !rest.is_empty() && rest.iter().all(|why| why == &format!("not sent: {then} at step {}", at + 1)),
        "{rest:?}"
    );
    assert!(
        sessions[1..].iter().flatten().all(String::is_empty),
        "the other sessions are answered: {sessions:?}"
    );
    let steps = |run: &str| json(folder, &["runs", "show", run])["steps"].as_array().unwrap().len();
    assert_eq!(steps(name), steps("baseline-1"), "no step is missing");
}

fn left_as_it_was(folder: &Path, before: &Value) {
    let now = json(folder, &["snapshots", "diff", "before"]);
    assert_eq!(&now, before);
}

fn keep_state(folder: &Path) -> Value {
    assert!(run(folder, &["snapshots", "save", "before"]).status.success());
    json(folder, &["snapshots", "diff", "before"])
}

/// Catches: one crash ends the run, or takes the sessions after it along, or leaves the crashed session's data behind.
#[test]
fn a_session_that_breaks_the_app_does_not_break_the_run() {
    let folder = recorded();
    let folder = folder.path();
    let before = keep_state(folder);

    let crashed = run(folder, &["test", "--app", "crashing", "--into", "crashed"]);
    assert_eq!(crashed.status.code(), Some(1), "{}{}", stdout(&crashed), stderr(&crashed));
    let told = stderr(&crashed);
    assert!(told.contains("exit status: 9") && told.contains("| fatal: out of ideas"), "{told}");
    assert!(stdout(&crashed).contains("the app ended (exit status: 9)"), "{}", stdout(&crashed));
    ended_in_first_session(folder, "crashed", "the app ended (exit status: 9)", "the app ended");
    left_as_it_was(folder, &before);

    let hung = run(folder, &["test", "--app", "hanging", "--into", "hung"]);
    assert_eq!(hung.status.code(), Some(1), "{}{}", stdout(&hung), stderr(&hung));
    ended_in_first_session(folder, "hung", "the app hangs: no answer within 0.5 s", "the app hung");
    left_as_it_was(folder, &before);

    // One page that takes for ever is that page's fault alone.
    assert_eq!(run(folder, &["test", "--app", "slow", "--into", "slow"]).status.code(), Some(1));
    let failed: Vec<String> =
        failures(folder, "slow").into_iter().flatten().filter(|why| !why.is_empty()).collect();
    assert_eq!(failed, ["no answer within 0.5 s"]);

    assert_eq!(run(folder, &["test"]).status.code(), Some(0), "the next test works");
}

/// Catches: an app that answers and then ends is taken for well.
#[test]
fn one_that_ends_after_its_answer_is_told_and_one_that_does_not_come_back_ends_the_run() {
    let folder = recorded();
    let folder = folder.path();
    let before = keep_state(folder);
    assert_eq!(run(folder, &["test", "--app", "leaving", "--into", "left"]).status.code(), Some(1));
    let sessions = failures(folder, "left");
    assert_eq!(sessions.len(), 3);
    // After the last session nothing is asked any more.
    for session in &sessions[..2] {
        assert!(session.iter().any(|why| why.ends_with("(exit status: 8)")), "{sessions:?}");
    }
    left_as_it_was(folder, &before);

    let gone = run(folder, &["test", "--app", "once", "--into", "gone"]);
    assert_eq!(gone.status.code(), Some(3));
    let told = stderr(&gone);
    for said in [
        "in session ",
        "(exit status: 9)",
        "did not come back: 3 starts failed",
        "| once is enough",
        "runs show gone",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    assert_eq!(failures(folder, "gone").len(), 1, "what was replayed is stored");
    left_as_it_was(folder, &before);
}

/// Catches: an app that is killed from outside in the middle of a request ends the run.
#[test]
fn an_app_that_is_killed_from_outside_is_started_again() {
    let folder = recorded();
    let folder = folder.path();
    let before = keep_state(folder);
    let mut test = restage(folder, &["test", "--app", "killed", "--into", "killed"]);
    let mut test = test.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let log = folder.join(".restage/logs/killed.log");
    while !std::fs::read_to_string(&log).is_ok_and(|text| text.contains("slow")) {
        assert!(test.try_wait().unwrap().is_none(), "it ended before the app could be killed");
        std::thread::yield_now();
    }
    let pid = std::fs::read_to_string(folder.join("starts")).unwrap();
    assert!(Command::new("kill").args(["-9", pid.trim()]).status().unwrap().success());
    let ended = test.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    ended_in_first_session(folder, "killed", "the app ended (signal: 9 (SIGKILL))", "the app ended");
    assert_eq!(std::fs::read_to_string(folder.join("starts")).unwrap().lines().count(), 2);
    left_as_it_was(folder, &before);
}

/// Catches: `restart` that does nothing, or that the flag does not beat.
#[test]
fn each_session_may_have_a_process_of_its_own() {
    let folder = recorded();
    let folder = folder.path();
    let starts = || {
        let text = std::fs::read_to_string(folder.join("starts")).unwrap();
        std::fs::remove_file(folder.join("starts")).unwrap();
        text.lines().count()
    };
    let anew = run(folder, &["test", "--app", "anew"]);
    assert_eq!(anew.status.code(), Some(0), "{}{}", stdout(&anew), stderr(&anew));
    assert_eq!(starts(), 3);
    assert_eq!(run(folder, &["test", "--app", "anew", "--restart", "never"]).status.code(), Some(0));
    assert_eq!(starts(), 1);
    assert!(run(folder, &["baseline", "--app", "anew"]).status.success());
    assert_eq!(starts(), 6, "the baseline and its check");
    let wrong = run(folder, &["test", "--restart", "often"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("each-session or never"), "{}", stderr(&wrong));
}
