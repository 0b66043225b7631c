//! A project whose application is alive: its connection stays open while we save and restore.

#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs")]

use std::path::PathBuf;
use std::time::Duration;

use restage_state::{SnapshotStore, State, StateSpec};
use rusqlite::Connection;
use rusqlite::types::Value;

/// A project with one SQLite file, `app.db`.
pub struct Project {
    pub folder: tempfile::TempDir,
}

impl Project {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn database(&self) -> PathBuf {
        self.folder.path().join("app.db")
    }

    pub fn state(&self) -> State {
        let store = SnapshotStore::open(&self.folder.path().join("store.db")).unwrap();
        let spec = StateSpec { sqlite: vec![self.database()], ..StateSpec::default() };
        State::open(&spec, store).unwrap()
    }

    /// A connection as the application has it.
    pub fn app(&self, mode: &str) -> Connection {
        let app = Connection::open(self.database()).unwrap();
        app.pragma_update(None, "journal_mode", mode).unwrap();
        app.busy_timeout(Duration::from_millis(200)).unwrap();
        app
    }
}

/// Every table with every row, and the schema.
pub fn dump(connection: &Connection) -> Vec<(String, Vec<Vec<Value>>)> {
    let mut tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    tables.push("sqlite_schema".to_owned());
    tables
        .into_iter()
        .map(|table| {
            let mut select = connection.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
            let width = select.column_count();
            let rows = select
                .query_map([], |row| (0..width).map(|column| row.get(column)).collect())
                .unwrap()
                .collect::<Result<_, _>>()
                .unwrap();
            (table, rows)
        })
        .collect()
}

pub fn check(connection: &Connection) {
    let verdict: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}
