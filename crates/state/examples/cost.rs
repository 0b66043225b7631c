//! What a save and a restore cost: `cargo run --release -p restage-state --example cost`.

#![allow(clippy::unwrap_used, reason = "a measurement fails by panicking")]

use std::time::Duration;

use restage_state::{SnapshotStore, State, StateSpec};
use rusqlite::Connection;

fn main() {
    for megabytes in [1, 200] {
        for mode in ["wal", "delete"] {
            measure(megabytes, mode);
        }
    }
}

fn measure(megabytes: u64, mode: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.db");
    let app = Connection::open(&path).unwrap();
    app.pragma_update(None, "journal_mode", mode).unwrap();
    app.execute_batch("CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, body BLOB); BEGIN").unwrap();
    let rows = megabytes * 1900;
    for row in 0..rows {
        app.execute(
            "INSERT INTO t(name, body) VALUES (?1, randomblob(200) || zeroblob(280))",
            [format!("row {row}")],
        )
        .unwrap();
    }
    app.execute_batch("COMMIT").unwrap();
    let open = || {
        let store = SnapshotStore::open(&folder.path().join("store.db")).unwrap();
        State::open(&StateSpec { sqlite: vec![path.clone()], ..StateSpec::default() }, store).unwrap()
    };
    let mut state = open();
    let show = |what: &str, duration: Duration, detail: String| {
        println!("{megabytes:>4} MB {mode:<7} {what:<34} {:>9.2} ms  {detail}", duration.as_secs_f64() * 1e3);
    };
    let first = state.save("first").unwrap();
    show("first save", first.duration, format!("{} pages, {} bytes", first.stored_pages, first.stored_bytes));
    let idle = state.save("idle").unwrap();
    show("save, nothing changed", idle.duration, format!("{} bytes", idle.stored_bytes));
    let change = |turn: u64| {
        app.execute("UPDATE t SET name = name || ?1 WHERE id % ?2 = 5", (turn, rows / 10)).unwrap()
    };
    assert_eq!(change(1), 10);
    let second = state.save("second").unwrap();
    show(
        "save, 10 rows changed",
        second.duration,
        format!("{} pages, {} bytes", second.stored_pages, second.stored_bytes),
    );
    let back = state.restore("first").unwrap();
    show("restore, 10 rows changed", back.duration, format!("{} pages written", back.written_pages));
    let again = state.restore("first").unwrap();
    show("restore, nothing changed", again.duration, format!("{} pages examined", again.examined_pages));
    change(2);
    drop(state);
    let fresh = open().restore("first").unwrap();
    show("restore by a new process", fresh.duration, format!("{} pages written", fresh.written_pages));
}
