//! A disk that is full in the middle of a run.

use std::process::{Command, Stdio};

use crate::own_app::{APP, record, start};
use crate::support::{json, project, stderr, stdout};

const CONFIG: &str = r#"
[app]
command = "exec python3 notes.py {port}"
[state]
folders = ["sessions"]
sqlite = ["notes.db"]
"#;

/// In a mount namespace, restage's own folder is on a disk with little room: what happens there is told by the code
/// of each command.
const SCRIPT: &str = r#"
set -eu
restage=$1
mv .restage kept
mkdir .restage
mount -t tmpfs -o size=12m tmpfs .restage
cp -a kept/. .restage/
code() { "$@" >>out.txt 2>>err.txt && echo "$?" || echo "$?"; }
# All but a little is taken.
dd if=/dev/zero of=.restage/filler bs=64k 2>/dev/null || true
truncate -s -96k .restage/filler
echo "full $(code "$restage" test --into full)"
rm .restage/filler
echo "sessions $(code "$restage" sessions)"
echo "again $(code "$restage" test --into again)"
"#;

/// Catches: what was recorded lost with the disk's room, the user's data left as a session left it, a message that
/// does not say what is wrong.
#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG), ("script.sh", SCRIPT)]);
    let folder = folder.path();
    drop(start(folder));
    record(folder);
    json(folder, &["baseline"]);
    // What is in it: a file that was put back counts its changes on.
    let notes = || {
        let dump = "import sqlite3; print(list(sqlite3.connect('notes.db').iterdump()))";
        Command::new("python3").args(["-c", dump]).current_dir(folder).output().unwrap().stdout
    };
    let before = notes();
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "script.sh", env!("CARGO_BIN_EXE_restage")]);
    let output = command.current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let (told, errors) =
        (stdout(&output), std::fs::read_to_string(folder.join("err.txt")).unwrap_or_default());
    if told.is_empty() {
        // A system that lets nobody have mounts of their own cannot show it.
        assert!(
            stderr(&output).contains("unshare") || stderr(&output).contains("mount"),
            "{}",
            stderr(&output)
        );
        return;
    }
    assert!(told.contains("full 3"), "{told}{errors}");
    assert!(errors.contains("full") || errors.contains("space"), "{errors}");
    assert!(told.contains("sessions 0") && told.contains("again 0"), "{told}{errors}");
    assert!(notes() == before, "the application's data is as it was");
}
