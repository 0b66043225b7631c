//! An application that needs time to leave, as many do that keep a pid file.

use std::path::Path;

use crate::support::{project, run, stderr, stdout};

const APP: &str = include_str!("../apps/lingers.py");
/// Two visitors.
const LOG: &str = "127.0.0.1 - - [15/Nov/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 one\"\n\
    127.0.0.1 - - [15/Nov/2026:10:00:01 +0000] \"GET /b HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 one\"\n\
    127.0.0.2 - - [15/Nov/2026:10:00:02 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 two\"\n\
    127.0.0.2 - - [15/Nov/2026:10:00:03 +0000] \"GET /c HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 two\"\n";

/// Runs a command, after which nothing of the application may be left: no pid file, and nobody who would have to remove it.
fn leaves_nothing(folder: &Path, args: &[&str]) {
    let before = departures(folder);
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {}{}", stdout(&output), stderr(&output));
    let left: Vec<_> =
        std::fs::read_dir(folder.join("pids")).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(left, Vec::<std::path::PathBuf>::new(), "{args:?}");
    assert!(departures(folder) > before, "{args:?}: nobody left by itself");
}

fn departures(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("left.log")).unwrap_or_default().lines().count()
}

/// Catches: the shell takes the signal and the application is killed at once, so that it keeps its pid file and does not start
/// again; and one that nobody waits for.
#[test]
fn an_application_has_time_to_leave() {
    // A shell in between, none, and one that leaves the process group.
    let commands = [
        "cd . && python3 lingers.py {port}; exit",
        "exec python3 lingers.py {port}",
        "setsid python3 lingers.py {port} & wait",
    ];
    std::thread::scope(|scope| {
        for command in commands {
            scope.spawn(move || in_every_command(command));
        }
    });
}

fn in_every_command(command: &str) {
    let config = format!("[app]\ncommand = \"{command}\"\n[state]\nfolders = [\"data\"]\n");
    let files = [("lingers.py", APP), ("restage.toml", &config), ("a.log", LOG), ("data/.keep", "")];
    let folder = project(&files);
    let folder = folder.path();
    let imported = run(folder, &["import", "a.log"]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    leaves_nothing(folder, &["baseline"]);
    leaves_nothing(folder, &["test"]);
    leaves_nothing(folder, &["test", "--jobs", "2"]);
    leaves_nothing(folder, &["test", "--restart", "each-session"]);
    leaves_nothing(folder, &["calibrate"]);
}
