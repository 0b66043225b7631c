//! A hook as a part of the state: a shell script that copies a file.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use restage_state::{Error, HookSpec, SnapshotStore, State, StateSpec};

const COPY: &str = r#"#!/bin/sh
set -e
echo "$# $1 $PWD" >> calls
case "$1" in
save) cp queue "kept/$2" ;;
restore) cp "kept/$2" queue; cp data/file seen ;;
remove) rm "kept/$2" ;;
esac
"#;

struct Project {
    folder: tempfile::TempDir,
    spec: StateSpec,
}

impl Project {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        for name in ["kept", "data", "my scripts"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        let program = root.join("my scripts/state hook");
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(root.join("queue"), "one").unwrap();
        fs::write(root.join("data/file"), "one").unwrap();
        let hook = HookSpec { program, dir: root.clone(), time_limit: Duration::from_secs(20) };
        let spec = StateSpec {
            folders: vec![root.join("data")],
            hook: Some(hook),
            base: Some(root),
            ..StateSpec::default()
        };
        Self { folder, spec }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn state(&self) -> State {
        State::open(&self.spec, SnapshotStore::open(&self.path("store.db")).unwrap()).unwrap()
    }

    fn kept(&self) -> usize {
        fs::read_dir(self.path("kept")).unwrap().count()
    }
}

/// Catches: a second save that overwrites the first, a hook that runs before the folders are put back, what it saved and
/// nobody needs kept for ever, or removed while a snapshot needs it.
#[test]
fn what_a_hook_saved_comes_back_and_goes_with_its_snapshot() {
    let project = Project::new(COPY);
    let mut state = project.state();
    state.save("first").unwrap();
    fs::write(project.path("queue"), "two").unwrap();
    fs::write(project.path("data/file"), "two").unwrap();
    state.save("second").unwrap();
    state.restore("first").unwrap();
    assert_eq!((project.read("queue"), project.read("seen")), ("one".to_owned(), "one".to_owned()));
    state.restore("second").unwrap();
    assert_eq!((project.read("queue"), project.read("seen")), ("two".to_owned(), "two".to_owned()));
    let calls = project.read("calls");
    let here = fs::canonicalize(project.folder.path()).unwrap();
    assert!(calls.lines().all(|l| l.starts_with("2 ") && l.ends_with(here.to_str().unwrap())), "{calls}");

    let hook = project.spec.hook.clone().unwrap();
    let store = state.snapshot_store_mut();
    store.copy("first", "also first").unwrap();
    store.remove("first").unwrap();
    store.collect_garbage().unwrap();
    assert!(hook.remove_unused(store).unwrap().is_empty());
    assert_eq!(project.kept(), 2, "a copy needs it");
    store.remove("also first").unwrap();
    assert!(hook.remove_unused(store).unwrap().is_empty());
    assert_eq!(project.kept(), 1);
    state.restore("second").unwrap();
}

/// Catches: a hook that fails, and a snapshot that is there all the same; one that hangs, and the replay with it.
#[test]
fn a_hook_that_fails_or_hangs_is_told_with_its_output() {
    let failing = Project::new("#!/bin/sh\necho no queue here >&2\nexit 3\n");
    let error = failing.state().save("x").unwrap_err().to_string();
    for said in ["ended with exit status: 3", "| no queue here", "hint:", "state hook save restage-"] {
        assert!(error.contains(said), "{said}: {error}");
    }
    assert!(!failing.state().snapshot_store().exists("x").unwrap());

    let mut hanging = Project::new("#!/bin/sh\necho waiting\nsleep 600\n");
    hanging.spec.hook.as_mut().unwrap().time_limit = Duration::from_millis(300);
    let error = hanging.state().save("x").unwrap_err().to_string();
    assert!(error.contains("took longer than 0.3 s") && error.contains("| waiting"), "{error}");

    let mut missing = Project::new(COPY);
    missing.spec.hook.as_mut().unwrap().program = missing.path("nowhere");
    let error = missing.state().save("x").unwrap_err();
    assert!(matches!(&error, Error::Io { .. }) && error.to_string().contains("hint:"), "{error}");
}

/// Catches: a hook that does not know `remove` makes removing impossible, or is asked again for ever.
#[test]
fn a_hook_that_cannot_remove_is_told_once() {
    let project = Project::new("#!/bin/sh\n[ \"$1\" != remove ]\n");
    let mut state = project.state();
    state.save("x").unwrap();
    let hook = project.spec.hook.clone().unwrap();
    state.snapshot_store_mut().remove("x").unwrap();
    let told = hook.remove_unused(state.snapshot_store_mut()).unwrap();
    assert!(told.len() == 1 && told[0].to_string().contains("remove restage-"), "{told:?}");
    assert!(hook.remove_unused(state.snapshot_store_mut()).unwrap().is_empty());
}
