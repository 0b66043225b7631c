//! Folders against a naive model: a full copy of what was there.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use restage_state::{Difference, DifferenceKind, Error, SnapshotStore, State, StateSpec};
use rusqlite::Connection;

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        Self { folder }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn state(&self) -> State {
        let store = SnapshotStore::open(&self.folder.path().join("store.db")).unwrap();
        let spec = StateSpec { folders: vec![self.data()], ..StateSpec::default() };
        State::open(&spec, store).unwrap()
    }
}

/// A thing in a folder, with all that is to come back.
#[derive(Debug, Clone, PartialEq)]
enum Thing {
    Directory(u32),
    File { bytes: Vec<u8>, mode: u32, modified: (i64, i64) },
    Link { target: PathBuf, modified: (i64, i64) },
}

fn copy(folder: &Path) -> BTreeMap<PathBuf, Thing> {
    let mut all = BTreeMap::new();
    let Ok(metadata) = fs::symlink_metadata(folder) else { return all };
    let modified = (metadata.mtime(), metadata.mtime_nsec());
    let thing = if metadata.is_symlink() {
        Thing::Link { target: fs::read_link(folder).unwrap(), modified }
    } else if metadata.is_dir() {
        for entry in fs::read_dir(folder).unwrap() {
            all.extend(copy(&entry.unwrap().path()));
        }
        Thing::Directory(metadata.mode() & 0o7777)
    } else {
        Thing::File { bytes: fs::read(folder).unwrap(), mode: metadata.mode() & 0o7777, modified }
    };
    all.insert(folder.to_owned(), thing);
    all
}

#[derive(Debug, Clone)]
enum Action {
    Write(u8, u8, u32),
    Touch(u8),
    MakeFolder(u8),
    Remove(u8),
    Rename(u8, u8),
    Link(u8, u8),
    Permit(u8, u16),
}

fn action() -> impl Strategy<Value = Action> {
    let size = prop_oneof![4 => 0..40u32, 1 => 65_530..65_545u32, 1 => 190_000..200_000u32];
    prop_oneof![
        6 => (any::<u8>(), any::<u8>(), size).prop_map(|(path, byte, size)| Action::Write(path, byte, size)),
        1 => any::<u8>().prop_map(Action::Touch),
        3 => any::<u8>().prop_map(Action::MakeFolder),
        2 => any::<u8>().prop_map(Action::Remove),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(from, to)| Action::Rename(from, to)),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(path, to)| Action::Link(path, to)),
        1 => (any::<u8>(), prop::sample::select(vec![0o600, 0o644, 0o755, 0o700, 0o1777, 0o440]))
            .prop_map(|(path, mode)| Action::Permit(path, mode)),
    ]
}

/// Some of few paths, so that actions meet; one name is no UTF-8.
fn place(folder: &Path, number: u8) -> PathBuf {
    let names: [&[u8]; 4] = [b"a", b"b", b"c\xff", b"d e"];
    let name = |number: u8| OsStr::from_bytes(names[usize::from(number) % 4]);
    match number % 3 {
        0 => folder.join(name(number / 3)),
        1 => folder.join(name(number / 3)).join(name(number / 12)),
        _ => folder.join(name(number / 3)).join(name(number / 12)).join(name(number / 48)),
    }
}

/// What cannot be done is left undone.
fn act(folder: &Path, action: &Action) {
    let _ = match action {
        // Links are not written through, as they may point anywhere.
        Action::Write(to, ..) if place(folder, *to).is_symlink() => Ok(()),
        Action::Write(to, byte, size) => fs::write(place(folder, *to), vec![*byte; *size as usize]),
        Action::Touch(path) => fs::File::open(place(folder, *path))
            .and_then(|file| file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::new(5, 7))),
        Action::MakeFolder(path) => fs::create_dir(place(folder, *path)),
        Action::Remove(path) => {
            let path = place(folder, *path);
            fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path))
        }
        Action::Rename(from, to) => fs::rename(place(folder, *from), place(folder, *to)),
        Action::Link(path, to) => {
            let target = if to % 2 == 0 { folder.parent().unwrap().join("outside") } else { "a/b".into() };
            symlink(target, place(folder, *path))
        }
        Action::Permit(path, _) if place(folder, *path).is_symlink() => Ok(()),
        Action::Permit(path, mode) => {
            let path = place(folder, *path);
            // Only root could look into a folder without them.
            let passable = if path.is_dir() { 0o700 } else { 0 };
            fs::set_permissions(path, fs::Permissions::from_mode(u32::from(*mode) | passable))
        }
    };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_comes_back_whatever_happened_since(
        rounds in prop::collection::vec(prop::collection::vec(action(), 0..24), 1..4),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let project = Project::new();
        fs::create_dir(project.folder.path().join("outside")).unwrap();
        fs::write(project.folder.path().join("outside/a"), "precious").unwrap();
        let data = project.data();
        let mut state = project.state();
        let mut copies = Vec::new();
        for (number, actions) in rounds.iter().enumerate() {
            actions.iter().for_each(|action| act(&data, action));
            let outside = copy(&project.folder.path().join("outside"));
            state.save(&number.to_string()).unwrap();
            copies.push((copy(&data), outside));
        }
        for (turn, index) in order.iter().enumerate() {
            let number = index.index(copies.len());
            let name = number.to_string();
            let outside = copy(&project.folder.path().join("outside"));
            let different = copy(&data) != copies[number].0;
            let report = state.restore(&name).unwrap();
            prop_assert_eq!(&copy(&data), &copies[number].0);
            prop_assert_eq!(&copy(&project.folder.path().join("outside")), &outside);
            prop_assert_eq!(report.written_files + report.removed_files > 0, different);
            prop_assert!(state.equals(&name).unwrap());
            let again = state.restore(&name).unwrap();
            prop_assert_eq!((again.written_files, again.written_bytes, again.removed_files), (0, 0, 0));
            rounds[turn % rounds.len()].iter().for_each(|action| act(&data, action));
        }
    }
}

#[test]
fn a_file_held_open_keeps_its_inode() {
    let project = Project::new();
    let path = project.data().join("log");
    fs::write(&path, "one").unwrap();
    let mut state = project.state();
    state.save("it").unwrap();
    let before = fs::metadata(&path).unwrap();
    let held = fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut &held, b" two").unwrap();
    state.restore("it").unwrap();
    assert_eq!(held.metadata().unwrap().ino(), before.ino());
    assert_eq!(held.metadata().unwrap().len(), 3);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before.modified().unwrap());
}

#[test]
fn a_large_file_is_written_where_it_changed() {
    let project = Project::new();
    let path = project.data().join("large");
    let mut bytes: Vec<u8> = (0..3_000_000u32).map(|number| ((number * 31) >> 7) as u8).collect();
    fs::write(&path, &bytes).unwrap();
    let mut state = project.state();
    state.save("it").unwrap();
    bytes[1_000_000] ^= 1;
    bytes.extend(b"more");
    fs::write(&path, &bytes).unwrap();
    let differences = state.differences("it").unwrap();
    let changed = Difference { path: path.canonicalize().unwrap(), kind: DifferenceKind::Changed };
    assert_eq!(differences, [changed]);
    assert!(state.save("other").unwrap().stored_chunks <= 3);
    let report = state.restore("it").unwrap();
    assert!(report.written_bytes <= 2 * 65_536, "{report:?}");
    assert!(state.equals("it").unwrap());
}

#[test]
fn a_folder_that_was_not_there_goes_and_one_that_was_comes_back() {
    let project = Project::new();
    fs::remove_dir(project.data()).unwrap();
    let mut state = project.state();
    state.save("absent").unwrap();
    fs::create_dir_all(project.data().join("deep/er")).unwrap();
    fs::write(project.data().join("deep/er/file"), "x").unwrap();
    let there = copy(&project.data());
    state.save("present").unwrap();
    state.restore("absent").unwrap();
    assert!(!project.data().exists());
    state.restore("present").unwrap();
    assert_eq!(copy(&project.data()), there);
}

#[test]
fn a_database_in_a_folder_is_saved_as_one() {
    for mode in ["wal", "delete"] {
        let project = Project::new();
        let path = project.data().join("deep.sqlite3");
        let app = Connection::open(&path).unwrap();
        app.pragma_update(None, "journal_mode", mode).unwrap();
        app.execute_batch("CREATE TABLE t(x); INSERT INTO t VALUES (1)").unwrap();
        fs::write(project.data().join("note"), vec![b'x'; 1024]).unwrap();
        let mut state = project.state();
        let saved = state.save("it").unwrap();
        assert_eq!((saved.examined_files, saved.stored_pages), (3, 2), "the folder, the note, the database");
        app.execute_batch("INSERT INTO t VALUES (2)").unwrap();
        let restored = state.restore("it").unwrap();
        assert!(restored.written_pages > 0 && restored.removed_files == 0, "{restored:?}");
        assert_eq!(app.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
        assert!(state.equals("it").unwrap());

        fs::remove_file(project.data().join("note")).unwrap();
        state.save("without").unwrap();
        drop(app);
        for name in ["deep.sqlite3", "deep.sqlite3-wal", "deep.sqlite3-shm"] {
            let _ = fs::remove_file(project.data().join(name));
        }
        state.restore("it").unwrap();
        assert!(state.equals("it").unwrap());
        let app = Connection::open(&path).unwrap();
        assert_eq!(app.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    }
}

#[test]
fn a_database_new_in_a_folder_goes_with_its_companions() {
    let project = Project::new();
    let mut state = project.state();
    state.save("nothing").unwrap();
    let app = Connection::open(project.data().join("new.db")).unwrap();
    app.pragma_update(None, "journal_mode", "wal").unwrap();
    app.execute_batch("CREATE TABLE t(x)").unwrap();
    state.restore("nothing").unwrap();
    assert_eq!(fs::read_dir(project.data()).unwrap().count(), 0);
}

#[test]
fn an_empty_file_that_became_a_database_is_emptied_in_place() {
    let project = Project::new();
    let path = project.data().join("app.db");
    fs::write(&path, "").unwrap();
    let app = Connection::open(&path).unwrap();
    let mut state = project.state();
    state.save("empty").unwrap();
    app.execute_batch("CREATE TABLE t(x)").unwrap();
    state.save("full").unwrap();
    state.restore("empty").unwrap();
    let tables = |app: &Connection| {
        app.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!(tables(&app), 0);
    assert!(state.equals("empty").unwrap());
    state.restore("full").unwrap();
    assert_eq!(tables(&app), 1);
}

#[test]
fn a_listed_database_inside_a_listed_folder_is_taken_once() {
    let project = Project::new();
    let path = project.data().join("app.db");
    let app = Connection::open(&path).unwrap();
    app.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t(x)").unwrap();
    let store = SnapshotStore::open(&project.data().join(".restage/store.db")).unwrap();
    let spec = StateSpec { folders: vec![project.data()], sqlite: vec![path], ..StateSpec::default() };
    let mut state = State::open(&spec, store).unwrap();
    let saved = state.save("it").unwrap();
    assert_eq!((saved.parts, saved.examined_files), (2, 1));
    app.execute_batch("DROP TABLE t").unwrap();
    state.restore("it").unwrap();
    app.execute_batch("INSERT INTO t VALUES (1)").unwrap();
    assert!(state.snapshot_store().exists("it").unwrap());
}

#[test]
fn a_snapshot_store_in_the_folder_is_refused() {
    let project = Project::new();
    let store = SnapshotStore::open(&project.data().join("store.db")).unwrap();
    let spec = StateSpec { folders: vec![project.data()], ..StateSpec::default() };
    assert!(matches!(State::open(&spec, store).err().unwrap(), Error::SnapshotStoreInFolder { .. }));
}

#[test]
fn what_is_read_only_comes_back_too() {
    let project = Project::new();
    let folder = project.data().join("fixed");
    let permit = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("kept"), "kept").unwrap();
    fs::write(folder.join("gone"), "gone").unwrap();
    permit(&folder.join("kept"), 0o400);
    permit(&folder, 0o500);
    let mut state = project.state();
    state.save("it").unwrap();
    let before = copy(&project.data());
    permit(&folder, 0o700);
    permit(&folder.join("kept"), 0o600);
    fs::write(folder.join("kept"), "changed").unwrap();
    permit(&folder.join("kept"), 0o400);
    fs::remove_file(folder.join("gone")).unwrap();
    fs::write(folder.join("new"), "new").unwrap();
    permit(&folder, 0o500);
    state.restore("it").unwrap();
    assert_eq!(copy(&project.data()), before);
    permit(&folder, 0o700);
}

#[test]
fn a_database_listed_in_a_folder_that_was_not_there_goes_with_it() {
    let project = Project::new();
    fs::remove_dir(project.data()).unwrap();
    let path = project.data().join("app.db");
    let spec =
        StateSpec { folders: vec![project.data()], sqlite: vec![path.clone()], ..StateSpec::default() };
    let store = SnapshotStore::open(&project.folder.path().join("store.db")).unwrap();
    let mut state = State::open(&spec, store).unwrap();
    state.save("absent").unwrap();
    fs::create_dir(project.data()).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE t(x)").unwrap();
    state.save("present").unwrap();
    state.restore("absent").unwrap();
    assert!(!project.data().exists());
    state.restore("present").unwrap();
    assert!(state.equals("present").unwrap());
}

#[test]
fn sockets_are_left_alone() {
    let project = Project::new();
    let mut state = project.state();
    state.save("it").unwrap();
    let _listener = UnixListener::bind(project.data().join("socket")).unwrap();
    fs::create_dir(project.data().join("new")).unwrap();
    let _inner = UnixListener::bind(project.data().join("new/socket")).unwrap();
    state.restore("it").unwrap();
    assert!(project.data().join("socket").exists());
    assert!(!project.data().join("new").exists(), "a folder that is new goes with all in it");
}

#[test]
fn garbage_is_collected_and_the_rest_is_kept() {
    let project = Project::new();
    let mut state = project.state();
    fs::write(project.data().join("kept"), vec![1; 200_000]).unwrap();
    state.save("kept").unwrap();
    let noise: Vec<u8> =
        (0..500_000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(project.data().join("gone"), noise).unwrap();
    state.save("gone").unwrap();
    state.snapshot_store_mut().remove("gone").unwrap();
    let freed = state.snapshot_store_mut().collect_garbage().unwrap();
    assert!(freed.chunks >= 8 && freed.bytes > 1000, "{freed:?}");
    assert_eq!(state.snapshot_store_mut().collect_garbage().unwrap().chunks, 0);
    state.restore("kept").unwrap();
    assert_eq!(fs::read(project.data().join("kept")).unwrap(), vec![1; 200_000]);
    assert!(!project.data().join("gone").exists());
}
