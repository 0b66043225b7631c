//! A project on a file system that cannot be written: commands that only read work all the same.

use std::process::{Command, Stdio};

use crate::subjects::{Kind, Subject};
use crate::support::{run, stderr, stdout};

/// In a mount namespace, the project cannot be written: each command's code is told.
const SCRIPT: &str = r#"
set -u
restage=$1 out=$2
mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" || exit 1
! touch written 2>/dev/null || exit 1
code() { "$@" >>"$out/out" 2>>"$out/err" && echo "$* $?" || echo "$* $?"; }
shift 2
run() { code "$restage" "$@"; }
run sessions
run sessions show s1
run sessions needs
run suites
run runs
run runs show baseline-1
run snapshots
run compare baseline-1 test-1
run report --html "$out/report.html"
run export recorded --to hurl -o "$out/hurl/"
run test
run snapshots save x
run record --upstream http://127.0.0.1:9
"#;

/// Catches: a listing that wants to write, a command that seems to store something where nothing can be.
#[test]
fn reading_needs_no_right_to_write() {
    let subject = Subject::new(Kind::Folders);
    let folder = subject.path();
    assert_eq!(run(folder, &["test"]).status.code(), Some(0));
    // As a killed process leaves them: what was written last is in the logs beside the stores.
    let left = Command::new("python3")
        .args(["-c", LEAVE_LOGS])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(left.status.success(), "{}", stderr(&left));
    for logs in [true, false] {
        let out = tempfile::tempdir().unwrap();
        if !logs {
            for name in ["restage.db-wal", "snapshots.db-wal"] {
                std::fs::remove_file(folder.join(".restage").join(name)).unwrap();
            }
        }
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh"]);
        command.arg(env!("CARGO_BIN_EXE_restage")).arg(out.path()).current_dir(folder);
        let output =
            command.env("RESTAGE_REDACT_KEY", "a key for tests").stdin(Stdio::null()).output().unwrap();
        let told = stdout(&output);
        if told.is_empty() {
            // A system that lets nobody have mounts of their own cannot show it.
            let said = stderr(&output);
            assert!(said.contains("unshare") || said.contains("mount"), "{said}");
            return;
        }
        let said = std::fs::read_to_string(out.path().join("err")).unwrap_or_default();
        let (read, wrote) = told.split_once("/restage test ").unwrap();
        let codes: Vec<&str> = read.lines().filter_map(|line| line.rsplit(' ').next()).collect();
        assert!(codes[..codes.len() - 1].iter().all(|code| *code == "0"), "{told}{said}");
        assert!(wrote.lines().all(|line| line.ends_with('3')), "{told}{said}");
        assert!(out.path().join("report.html").is_file());
    }
}

/// Opens both stores, writes something that stays in their logs, and ends without closing them; the index of the logs is lost.
const LEAVE_LOGS: &str = r#"
import os, sqlite3
for name in ["restage.db", "snapshots.db"]:
    path = ".restage/" + name
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute("CREATE TABLE IF NOT EXISTS left_in_the_log (x)")
    database.commit()
    os.rename(path + "-wal", path + "-kept")
    os.remove(path + "-shm")
for name in ["restage.db", "snapshots.db"]:
    os.rename(".restage/" + name + "-kept", ".restage/" + name + "-wal")
os._exit(0)
"#;
