//! A server that is killed in the middle of a restore: the next restore completes it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "servers/mariadb.rs"]
mod servers;

use std::time::Duration;

use mysql::prelude::Queryable;
use restage_state::{DatabaseSpec, ServerKind, SnapshotStore, State, StateSpec};
use servers::Server;

/// Catches: a server that comes back and is not watched again, or is left half restored.
#[test]
fn a_server_that_was_killed_is_put_back() {
    let server = Server::get();
    let database = server.database();
    let run = |sql: &[&str]| {
        let mut app = database.app();
        sql.iter().for_each(|sql| app.query_drop(sql).unwrap());
    };
    run(&[
        "CREATE TABLE many (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(300)) ENGINE=InnoDB",
        "INSERT INTO many SELECT seq, REPEAT('x', 200) FROM seq_1_to_5000",
        "CREATE TABLE few (id INT PRIMARY KEY) ENGINE=InnoDB",
        "CREATE TRIGGER odd BEFORE INSERT ON few FOR EACH ROW SET NEW.id = NEW.id * 2 + 1",
        "INSERT INTO few VALUES (1)",
    ]);
    let before = database.dump();
    let folder = tempfile::tempdir().unwrap();
    let spec = DatabaseSpec::new(ServerKind::Mariadb, &database.url()).unwrap();
    let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
    let mut state =
        State::open(&spec, SnapshotStore::open(&folder.path().join("store.db")).unwrap()).unwrap();
    state.save("before").unwrap();
    for delay in [0, 30, 90, 250] {
        run(&["UPDATE many SET v = id", "ALTER TABLE few ADD COLUMN x INT", "CREATE TABLE extra (a INT)"]);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(delay));
                server.crash();
            });
            // It may be told, and it may be tried again and done.
            let _ = state.restore("before");
        });
        state.restore("before").unwrap();
        assert_eq!(state.differences("before").unwrap(), []);
    }
    drop(state);
    assert_eq!(database.dump(), before);
}
