//! `[state] hook`: what the application keeps elsewhere is put back by a program of the user's own.

use std::os::unix::fs::PermissionsExt;

use crate::own_app::{APP, record, start};
use crate::support::{json, project, run, stderr, stdout};

const CONFIG: &str = r#"
[app]
command = "exec python3 notes.py {port}"
[state]
folders = ["sessions"]
hook = "scripts/state"
"#;

const HOOK: &str = r#"#!/bin/sh
mkdir -p kept
case "$1" in
save) exec cp notes.db "kept/$2" ;;
restore) exec cp "kept/$2" notes.db ;;
remove) exec rm "kept/$2" ;;
*) exit 2 ;;
esac
"#;

/// Catches: a session that finds the notes of a run before it, since nobody put them back.
#[test]
fn a_hook_puts_back_what_restage_does_not_know() {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG), ("scripts/state", HOOK)]);
    let folder = folder.path();
    std::fs::set_permissions(folder.join("scripts/state"), std::fs::Permissions::from_mode(0o755)).unwrap();
    drop(start(folder));
    record(folder);
    let before = std::fs::read(folder.join("notes.db")).unwrap();
    let baseline = json(folder, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    let tested = run(folder, &["test"]);
    assert_eq!(tested.status.code(), Some(0), "{}{}", stdout(&tested), stderr(&tested));
    assert_eq!(std::fs::read(folder.join("notes.db")).unwrap(), before, "the state is as it was");
    let kept = || std::fs::read_dir(folder.join("kept")).unwrap().count();
    let all = kept();
    assert!(run(folder, &["runs", "remove", "test-1"]).status.success());
    assert!(kept() < all);

    std::fs::write(folder.join("scripts/state"), "#!/bin/sh\necho no room; exit 1\n").unwrap();
    let failed = run(folder, &["test"]);
    assert_eq!(failed.status.code(), Some(3));
    assert!(stderr(&failed).contains("| no room"), "{}", stderr(&failed));
    std::fs::remove_file(folder.join("scripts/state")).unwrap();
    let missing = run(folder, &["test"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("[state] hook names"), "{}", stderr(&missing));
}
