//! An application's data, and the sessions that change it.

use std::path::PathBuf;

use restage_state::{Compared, Comparer, SnapshotStore, State, StateChange, StateMasks, StateSpec};
use rusqlite::Connection;

/// A folder `data` with a SQLite file `shop.db` in it.
pub(crate) struct Shop {
    folder: tempfile::TempDir,
    state: State,
}

impl Shop {
    /// Makes the tables and saves the state as `before`.
    pub(crate) fn new(tables: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        Connection::open(data.join("shop.db")).unwrap().execute_batch(tables).unwrap();
        let spec =
            StateSpec { folders: vec![data], base: Some(folder.path().to_owned()), ..StateSpec::default() };
        let store = SnapshotStore::open(&folder.path().join("store.db")).unwrap();
        let mut state = State::open(&spec, store).unwrap();
        state.save("before").unwrap();
        Self { folder, state }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("data").join(name)
    }

    /// A session from the state `before`: what it writes, and the snapshot after it.
    pub(crate) fn session(&mut self, name: &str, sql: &str) {
        self.session_with(name, sql, &[]);
    }

    /// The same, with files written.
    pub(crate) fn session_with(&mut self, name: &str, sql: &str, files: &[(&str, &str)]) {
        self.state.restore("before").unwrap();
        Connection::open(self.path("shop.db")).unwrap().execute_batch(sql).unwrap();
        for (file, text) in files {
            let path = self.path(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        self.state.replace(name).unwrap();
    }

    pub(crate) fn compare(&mut self, expected: &str, actual: &str, masks: &StateMasks) -> Compared {
        Comparer::new(self.state.snapshot_store_mut()).compare(expected, actual, masks).unwrap()
    }

    pub(crate) fn changes(&mut self, before: &str, after: &str) -> Vec<StateChange> {
        Comparer::new(self.state.snapshot_store_mut()).changes(before, after).unwrap()
    }

    /// The summaries of what differs between two sessions, with nothing masked.
    pub(crate) fn told(&mut self, expected: &str, actual: &str) -> Vec<String> {
        summaries(&self.compare(expected, actual, &StateMasks::default()))
    }

    pub(crate) fn set_clock_ahead(&mut self, name: &str, seconds: i64) {
        self.state.snapshot_store_mut().set_clock_ahead(name, seconds).unwrap();
    }

    pub(crate) fn learn_by_session(&mut self, sessions: &[(String, Vec<String>)]) -> StateMasks {
        Comparer::new(self.state.snapshot_store_mut()).learn_by_session(sessions).unwrap()
    }

    pub(crate) fn learn(&mut self, snapshots: &[&str]) -> StateMasks {
        let session = snapshots.iter().map(|name| (*name).to_owned()).collect();
        let masks = Comparer::new(self.state.snapshot_store_mut()).learn(&[session]).unwrap();
        for pair in snapshots.windows(2) {
            let compared = self.compare(pair[0], pair[1], &masks);
            assert_eq!(compared.differences, [], "what was learnt covers what it was learnt from: {masks:?}");
        }
        masks
    }
}

pub(crate) fn summaries(compared: &Compared) -> Vec<String> {
    compared.differences.iter().map(|d| d.to_string()).collect()
}

/// `table.column` of the columns that are masked, and tables by their name.
pub(crate) fn masked(masks: &StateMasks) -> Vec<String> {
    let columns = masks.columns.iter().map(|m| format!("{}.{}", m.table, m.column));
    columns.chain(masks.tables.iter().map(|m| m.table.to_string())).collect()
}
