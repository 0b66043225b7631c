//! SQLite files under a live application: another connection that stays open throughout.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod live;

use std::fs;
use std::path::Path;
use std::time::Duration;

use live::{Project, check, dump};
use restage_state::{DifferenceKind, Error, SnapshotStore, State, StateSpec};
use rusqlite::Connection;

fn fill(app: &Connection, rows: usize) {
    app.execute_batch("CREATE TABLE IF NOT EXISTS item(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, body BLOB); CREATE INDEX IF NOT EXISTS by_name ON item(name);").unwrap();
    app.execute_batch("BEGIN").unwrap();
    for row in 0..rows {
        app.execute("INSERT INTO item(name, body) VALUES (?1, zeroblob(300))", [format!("name {row}")])
            .unwrap();
    }
    app.execute_batch("COMMIT").unwrap();
}

#[test]
fn a_live_connection_sees_the_restored_rows() {
    for mode in ["wal", "delete", "truncate", "persist"] {
        let project = Project::new();
        let app = project.app(mode);
        fill(&app, 500);
        let mut count = app.prepare("SELECT count(*), max(id) FROM item").unwrap();
        let mut insert = app.prepare("INSERT INTO item(name) VALUES (?1) RETURNING id").unwrap();
        let mut state = project.state();
        state.save("before").unwrap();
        let before = dump(&app);

        let id: i64 = insert.query_row(["new"], |row| row.get(0)).unwrap();
        assert_eq!(id, 501);
        app.execute("DELETE FROM item WHERE id % 3 = 0", []).unwrap();
        assert!(!state.equals("before").unwrap());

        state.restore("before").unwrap();
        assert_eq!(dump(&app), before, "{mode}");
        let seen: (i64, i64) = count.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(seen, (500, 500));
        // The sequence is back too: the same id is given again.
        assert_eq!(insert.query_row(["again"], |row| row.get::<_, i64>(0)).unwrap(), 501);
        state.restore("before").unwrap();
        assert!(state.equals("before").unwrap());
        check(&app);
        let kept: String = app.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
        assert_eq!(kept, mode);
    }
}

#[test]
fn a_live_connection_never_keeps_a_stale_schema() {
    for mode in ["wal", "delete"] {
        let project = Project::new();
        let app = project.app(mode);
        app.execute_batch("CREATE TABLE a(x); INSERT INTO a VALUES (1)").unwrap();
        let mut state = project.state();
        state.save("one").unwrap();
        let mut select = app.prepare("SELECT * FROM a").unwrap();
        // As many schema changes as before, so that the schema's number alone would tell nothing.
        for round in 0..3 {
            app.execute_batch(
                "DROP TABLE a; CREATE TABLE b(p, q); CREATE TABLE a(y, z); INSERT INTO a VALUES (5, 6)",
            )
            .unwrap();
            assert_eq!(select.query_row([], |row| row.get::<_, i64>("z")).unwrap(), 6, "{mode} {round}");
            state.restore("one").unwrap();
            assert_eq!(select.query_row([], |row| row.get::<_, i64>(0)).unwrap(), 1, "{mode} {round}");
            assert_eq!(dump(&app).len(), 2);
            assert!(state.equals("one").unwrap());
            check(&app);
        }
    }
}

#[test]
fn little_changed_little_is_stored_and_written() {
    for mode in ["wal", "delete"] {
        let project = Project::new();
        let app = project.app(mode);
        fill(&app, 20_000);
        let mut state = project.state();
        let first = state.save("first").unwrap();
        assert!(first.stored_pages > 500, "{first:?}");
        app.execute("UPDATE item SET name = 'x' || name WHERE id BETWEEN 9000 AND 9004", []).unwrap();
        let second = state.save("second").unwrap();
        assert!(second.stored_pages < 20, "{second:?}");
        assert!(second.stored_bytes < 60_000, "{second:?}");
        let back = state.restore("first").unwrap();
        assert!(back.written_pages > 0 && back.written_pages < 20, "{back:?}");
        assert_eq!(back.examined_pages, 0, "the save just before has read them");
        let forth = state.restore("second").unwrap();
        assert!(forth.written_pages > 0 && forth.written_pages < 20, "{forth:?}");
        app.execute("UPDATE item SET name = 'y' || name WHERE id = 9000", []).unwrap();
        let back = state.restore("first").unwrap();
        assert!(back.examined_pages > 500 && back.written_pages < 20, "{back:?}");
        check(&app);
    }
}

#[test]
fn what_is_provably_unchanged_is_not_read() {
    for mode in ["wal", "delete"] {
        let project = Project::new();
        let app = project.app(mode);
        fill(&app, 1000);
        let mut state = project.state();
        state.save("a").unwrap();
        assert_eq!(state.save("b").unwrap().examined_pages, 0);
        assert_eq!(state.restore("a").unwrap().examined_pages, 0);
        app.execute("DELETE FROM item WHERE id = 7", []).unwrap();
        assert!(state.restore("a").unwrap().written_pages > 0);
        assert_eq!(state.restore("a").unwrap().examined_pages, 0, "{mode}");
        let saved = state.save("c").unwrap();
        assert_eq!((saved.examined_pages, saved.stored_pages), (0, 0));
        // One commit by anyone and it is read again.
        app.execute("DELETE FROM item WHERE id = 7", []).unwrap();
        assert!(state.save("d").unwrap().examined_pages > 0);
        assert!(!state.equals("a").unwrap());
        state.snapshot_store_mut().remove("d").unwrap();
        state.snapshot_store_mut().collect_garbage().unwrap();
        assert!(state.save("e").unwrap().stored_pages > 0, "what was collected is stored again");
        state.restore("e").unwrap();
        state.restore("a").unwrap();
        check(&app);
    }
}

#[test]
fn a_file_that_was_not_there_goes_and_one_that_was_comes_back() {
    for mode in ["wal", "delete"] {
        let project = Project::new();
        let mut state = project.state();
        state.save("absent").unwrap();
        let app = project.app(mode);
        fill(&app, 300);
        let rows = dump(&app);
        state.save("present").unwrap();
        drop(app);
        state.restore("absent").unwrap();
        let left: Vec<_> = fs::read_dir(project.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("app.db"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(state.differences("present").unwrap()[0].kind, DifferenceKind::Removed);
        state.restore("present").unwrap();
        let app = Connection::open(project.database()).unwrap();
        assert_eq!(dump(&app), rows);
        check(&app);
        let kept: String = app.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
        assert_eq!(kept, mode);
        assert!(state.equals("present").unwrap());
    }
}

#[test]
fn an_empty_file_stays_open_through_its_life() {
    let project = Project::new();
    fs::write(project.database(), b"").unwrap();
    let app = Connection::open(project.database()).unwrap();
    let mut state = project.state();
    state.save("empty").unwrap();
    fill(&app, 100);
    let rows = dump(&app);
    state.save("full").unwrap();
    for _ in 0..2 {
        state.restore("empty").unwrap();
        assert_eq!(dump(&app).len(), 1);
        assert!(state.equals("empty").unwrap());
        check(&app);
        state.restore("full").unwrap();
        assert_eq!(dump(&app), rows);
        check(&app);
    }
}

#[test]
fn a_changed_page_size_comes_back_where_it_can() {
    let project = Project::new();
    let app = project.app("delete");
    fill(&app, 300);
    let rows = dump(&app);
    let mut state = project.state();
    state.save("small").unwrap();
    app.execute_batch("PRAGMA page_size = 8192; VACUUM").unwrap();
    state.restore("small").unwrap();
    assert_eq!(dump(&app), rows);
    check(&app);
    assert!(state.equals("small").unwrap());
    app.execute_batch("PRAGMA page_size = 16384; VACUUM; PRAGMA journal_mode = WAL").unwrap();
    // From its first read on, a connection in WAL mode holds on to the mode.
    assert_eq!(dump(&app), rows);
    state.set_patience(Duration::ZERO);
    let error = state.restore("small").unwrap_err();
    assert!(matches!(error, Error::PageSize { now: 16384, then: 4096, .. }), "{error}");
    drop(app);
    state.restore("small").unwrap();
    assert!(state.equals("small").unwrap());
    let app = Connection::open(project.database()).unwrap();
    assert_eq!(dump(&app), rows);
    check(&app);
}

#[test]
fn a_locked_file_is_named() {
    let project = Project::new();
    let app = project.app("delete");
    fill(&app, 10);
    let mut state = project.state();
    state.set_patience(Duration::ZERO);
    state.save("it").unwrap();
    app.execute_batch(
        "INSERT INTO item(name) VALUES ('x'); BEGIN; SELECT * FROM item; INSERT INTO item(name) VALUES ('y')",
    )
    .unwrap();
    let error = state.restore("it").unwrap_err();
    assert!(matches!(&error, Error::DatabaseBusy { path, .. } if path.ends_with("app.db")), "{error}");
    app.execute_batch("COMMIT").unwrap();
    state.restore("it").unwrap();
    assert_eq!(app.query_row("SELECT count(*) FROM item", [], |row| row.get::<_, i64>(0)).unwrap(), 10);
}

#[test]
fn another_kind_of_file_is_refused() {
    let project = Project::new();
    fs::write(project.database(), "no database, ".repeat(1000)).unwrap();
    assert!(matches!(project.state().save("it").unwrap_err(), Error::NotADatabase { .. }));
}

#[test]
fn names_are_unique_and_unknown_ones_list_those_there_are() {
    let project = Project::new();
    let mut state = project.state();
    assert!(state.restore("x").unwrap_err().to_string().contains("save one first"));
    state.save("monday").unwrap();
    assert!(matches!(state.save("monday").unwrap_err(), Error::SnapshotExists { .. }));
    state.replace("monday").unwrap();
    state.save("tuesday").unwrap();
    assert!(state.restore("x").unwrap_err().to_string().contains("there are: monday, tuesday"));
    assert!(state.snapshot_store().exists("monday").unwrap());
    state.snapshot_store_mut().remove("monday").unwrap();
    assert!(!state.snapshot_store().exists("monday").unwrap());
    let names: Vec<_> = state.snapshot_store().snapshots().unwrap().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["tuesday"]);
}

#[test]
fn a_snapshot_of_other_parts_is_refused() {
    let project = Project::new();
    project.state().save("it").unwrap();
    let store = SnapshotStore::open(&project.folder.path().join("store.db")).unwrap();
    let spec = StateSpec { sqlite: vec![project.folder.path().join("other.db")], ..StateSpec::default() };
    let error = State::open(&spec, store).unwrap().restore("it").unwrap_err().to_string();
    assert!(error.contains("only saved: sqlite") && error.contains("only configured: sqlite"), "{error}");
}

#[test]
fn a_snapshot_of_one_copy_restores_into_another() {
    let root = tempfile::tempdir().unwrap();
    let spec = |name: &str| {
        let base = root.path().join(name);
        fs::create_dir_all(&base).unwrap();
        StateSpec {
            sqlite: vec![base.join("app.db")],
            folders: vec![base.join("data")],
            base: Some(base),
            ..StateSpec::default()
        }
    };
    let store = || SnapshotStore::open(&root.path().join("store.db")).unwrap();
    let one = spec("one");
    let app = Connection::open(&one.sqlite[0]).unwrap();
    fill(&app, 50);
    fs::create_dir(&one.folders[0]).unwrap();
    fs::write(one.folders[0].join("note"), "hello").unwrap();
    State::open(&one, store()).unwrap().save("it").unwrap();
    let two = spec("two");
    State::open(&two, store()).unwrap().restore("it").unwrap();
    assert_eq!(fs::read_to_string(two.folders[0].join("note")).unwrap(), "hello");
    assert_eq!(dump(&Connection::open(&two.sqlite[0]).unwrap()), dump(&app));
}

#[test]
fn a_restore_that_does_not_end_changes_nothing() {
    let project = Project::new();
    let app = project.app("delete");
    fill(&app, 2000);
    let mut state = project.state();
    state.save("before").unwrap();
    app.execute("UPDATE item SET name = 'changed'", []).unwrap();
    let changed = dump(&app);
    // One page of the snapshot is damaged in the snapshot store, found out when half of the others are written.
    break_one_chunk(&project.folder.path().join("store.db"));
    let error = state.restore("before").unwrap_err();
    assert!(matches!(error, Error::SnapshotStoreDamaged { .. }), "{error}");
    assert_eq!(dump(&app), changed);
    check(&app);
}

fn break_one_chunk(store: &Path) {
    let store = Connection::open(store).unwrap();
    store.execute("UPDATE chunk SET data = x'0000' WHERE id = (SELECT max(id) / 2 FROM chunk)", []).unwrap();
}
