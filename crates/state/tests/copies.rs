//! Snapshots copied, within a snapshot store and out of another.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use restage_state::{Error, SnapshotCopier, SnapshotStore, State, StateSpec};

/// Catches: a copy that needs the original, that loses files or pages, or that writes again what is there.
#[test]
fn a_copy_out_of_another_snapshot_store_restores_what_was_saved_there() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir_all(data.join("sub")).unwrap();
    fs::write(data.join("sub/large"), (0..400_000u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
        .unwrap();
    fs::write(data.join("small"), "one").unwrap();
    let database = rusqlite::Connection::open(data.join("shop.db")).unwrap();
    database.execute_batch("CREATE TABLE t(x); INSERT INTO t VALUES (7)").unwrap();
    drop(database);
    let spec = StateSpec { folders: vec![data.clone()], ..StateSpec::default() };
    let mut state =
        State::open(&spec, SnapshotStore::open(&folder.path().join("theirs.db")).unwrap()).unwrap();
    state.save("first").unwrap();
    fs::write(data.join("small"), "two").unwrap();
    state.save("second").unwrap();
    drop(state);

    let mut theirs = SnapshotStore::open(&folder.path().join("theirs.db")).unwrap();
    let mut ours = SnapshotStore::open(&folder.path().join("ours.db")).unwrap();
    let mut copier = SnapshotCopier::new(&mut theirs, &mut ours);
    copier.copy("first", "run/after s1").unwrap();
    copier.copy("second", "run/after s2").unwrap();
    assert!(matches!(copier.copy("second", "run/after s2"), Err(Error::SnapshotExists { .. })));
    assert!(matches!(copier.copy("third", "x"), Err(Error::NoSnapshot { .. })));
    drop(theirs);
    fs::remove_file(folder.path().join("theirs.db")).unwrap();
    ours.copy("run/after s1", "again").unwrap();
    ours.remove("run/after s1").unwrap();
    ours.collect_garbage().unwrap();
    let sizes: Vec<u64> = ours.snapshots().unwrap().iter().map(|s| s.stored).collect();
    assert!(sizes.iter().all(|stored| *stored < 2000), "they share all but a few bytes: {sizes:?}");

    let mut state = State::open(&spec, ours).unwrap();
    assert!(state.equals("run/after s2").unwrap());
    fs::remove_dir_all(&data).unwrap();
    state.restore("again").unwrap();
    assert_eq!(fs::read_to_string(data.join("small")).unwrap(), "one");
    assert_eq!(fs::metadata(data.join("sub/large")).unwrap().len(), 1_600_000);
    let database = rusqlite::Connection::open(data.join("shop.db")).unwrap();
    assert_eq!(database.query_row("SELECT x FROM t", [], |r| r.get::<_, i64>(0)).unwrap(), 7);
}
