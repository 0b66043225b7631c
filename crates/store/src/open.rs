//! Opening the store's file, making or migrating it where needed.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::StoreError;
use crate::bodies::Packer;
use crate::header_sets::HeaderSets;
use crate::read_only;
use crate::schema::{APPLICATION_ID, MIGRATIONS};

/// A connection to a store.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) packer: Packer,
    pub(crate) header_sets: HeaderSets,
    path: PathBuf,
    /// The folder of the copy that it works on, where the file itself cannot be written.
    copy: Option<TempDir>,
}

impl Store {
    /// Opens the store; an error where there is none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        Self::connect(path)
    }

    /// Opens the store, making it (and its folder) where there is none. Only the owner may read it.
    pub fn open_or_create(path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Create { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.exists()) {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        }
        // SQLite gives the -wal and -shm files the database's own mode.
        fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path).map_err(failed)?;
        Self::connect(path)
    }

    /// Opens the store to look at it; an error where there is none. One that cannot be written, because its folder or its file system
    /// cannot, is read from a copy, which is gone with this connection: what is kept of verdicts goes with it.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        match Self::open(path) {
            Err(error) if error.is_read_only() => {
                let copy = read_only::copy(path)?;
                let (file, path) = (copy.path().join(read_only::NAME), path.to_owned());
                Ok(Self { path, copy: Some(copy), ..Self::connect(&file)? })
            }
            opened => opened,
        }
    }

    /// Whether it is a copy of a store that cannot be written.
    pub fn is_read_only(&self) -> bool {
        self.copy.is_some()
    }

    /// The store's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads within one transaction: what is read is of one moment, and its many small reads take one lock together. Nothing
    /// is to be written meanwhile; the recorder can go on.
    pub fn reading<T, E: From<StoreError>>(&self, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let transaction = self.connection.unchecked_transaction().map_err(StoreError::Sqlite)?;
        let found = read()?;
        transaction.commit().map_err(StoreError::Sqlite)?;
        Ok(found)
    }

    fn connect(path: &Path) -> Result<Self, StoreError> {
        let damaged = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
                StoreError::Damaged { path: path.to_owned(), what: error.to_string() }
            }
            _ => StoreError::Sqlite(error),
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(damaged)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        let found = pragma(&connection, "user_version").map_err(damaged)?;
        let known = MIGRATIONS.len() as i64;
        let mark = pragma(&connection, "application_id").map_err(damaged)?;
        let tables: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(damaged)?;
        if mark != APPLICATION_ID && (tables > 0 || found != 0) {
            let what = "it is another program's SQLite database".to_owned();
            return Err(StoreError::Damaged { path: path.to_owned(), what });
        }
        if found > known {
            return Err(StoreError::Newer { path: path.to_owned(), found, known });
        }
        connection.pragma_update(None, "journal_mode", "wal").map_err(damaged)?;
        connection.pragma_update(None, "synchronous", "normal")?;
        connection.pragma_update(None, "foreign_keys", "on")?;
        // 16 MiB between checkpoints rather than 4: a busy recorder spends its time on exchanges.
        connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
        connection.set_prepared_statement_cache_capacity(64);
        if found < known {
            migrate(&mut connection, known).map_err(damaged)?;
        }
        let packer = Packer::new().map_err(|source| StoreError::Create { path: path.to_owned(), source })?;
        Ok(Self { connection, packer, header_sets: HeaderSets::default(), path: path.to_owned(), copy: None })
    }
}

/// Brings the file to this restage's format, or leaves it as it was.
fn migrate(connection: &mut Connection, known: i64) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have migrated it while this one waited for the lock.
    let found = pragma(&transaction, "user_version")?;
    for migration in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", known)?;
    transaction.commit()
}

fn pragma(connection: &Connection, name: &str) -> Result<i64, rusqlite::Error> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_the_owner_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/restage.db");
        let store = Store::open_or_create(&path).unwrap();
        store.connection.execute_batch("CREATE TABLE t (x)").unwrap();
        for name in ["restage.db", "restage.db-wal"] {
            let mode = fs::metadata(path.with_file_name(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }

    #[test]
    fn a_store_of_the_first_format_is_brought_up_with_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("restage.db");
        let old = Connection::open(&path).unwrap();
        old.execute_batch(MIGRATIONS[0]).unwrap();
        old.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        old.pragma_update(None, "user_version", 1).unwrap();
        old.execute_batch(
            "INSERT INTO suite VALUES (1, 'recorded', x'00', 0, 'recorded');
             INSERT INTO run VALUES (1, 'r', 'replay', 1, 'default', 'keep', 0, 0, '{\"state\":\"complete\"}', NULL);
             INSERT INTO run_session VALUES (1, 0, 's1', 'b/s1')",
        )
        .unwrap();
        drop(old);
        let store = Store::open(&path).unwrap();
        let sessions = store.run_sessions(restage_model::RunId(1)).unwrap();
        assert_eq!(sessions[0].snapshot.as_deref(), Some("b/s1"));
        assert_eq!((&sessions[0].after, &sessions[0].log), (&None, &None));
    }

    /// Catches a suite from before requests could be made that becomes another one, with a baseline that is then of another suite.
    #[test]
    fn suites_of_the_format_before_made_requests_stay_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("restage.db");
        let old = Connection::open(&path).unwrap();
        for migration in &MIGRATIONS[..6] {
            old.execute_batch(migration).unwrap();
        }
        old.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        old.pragma_update(None, "user_version", 6).unwrap();
        // As that version wrote it.
        let session = r#"{"name":"s1","by":"ip+agent","client":"127.0.0.1","from":5,"to":6,"exchanges":[1],"left_out":[2]}"#;
        let digest = blake3::hash(format!("{session}\n").as_bytes());
        old.execute_batch(
            "INSERT INTO exchange VALUES (1, 5, 0, '127.0.0.1', 'GET', '/', '[]', NULL, 0, 0, 200, '[]', NULL, 0, 0, NULL, NULL, NULL);
             INSERT INTO exchange VALUES (2, 6, 0, '127.0.0.1', 'GET', '/x.png', '[]', NULL, 0, 0, 200, '[]', NULL, 0, 0, NULL, NULL, NULL)",
        )
        .unwrap();
        old.execute("INSERT INTO suite VALUES (7, 'recorded', ?, 0, 'recorded', NULL)", [digest.as_bytes()])
            .unwrap();
        old.execute("INSERT INTO suite_session VALUES (7, 0, ?)", [session]).unwrap();
        drop(old);
        let mut store = Store::open(&path).unwrap();
        let recorded = store.exchanges().unwrap();
        assert!(recorded.len() == 2 && recorded.iter().all(|exchange| exchange.origin.is_recorded()));
        let suite = store.suite(restage_model::SuiteId(7)).unwrap();
        assert_eq!(store.save_suite(suite.clone().into()).unwrap(), suite);
    }

    #[test]
    fn a_newer_store_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("restage.db");
        let store = Store::open_or_create(&path).unwrap();
        store.connection.pragma_update(None, "user_version", 999).unwrap();
        drop(store);
        assert!(matches!(Store::open(&path), Err(StoreError::Newer { found: 999, .. })));
        let connection = Connection::open(&path).unwrap();
        assert_eq!(pragma(&connection, "user_version").unwrap(), 999);
    }

    #[test]
    fn what_is_no_store_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("restage.db");
        fs::write(&path, vec![b'x'; 4096]).unwrap();
        assert!(matches!(Store::open_or_create(&path), Err(StoreError::Damaged { .. })));
        assert_eq!(fs::read(&path).unwrap(), vec![b'x'; 4096]);

        let other = folder.path().join("other.db");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
        let before = fs::read(&other).unwrap();
        assert!(matches!(Store::open(&other), Err(StoreError::Damaged { .. })));
        assert_eq!(fs::read(&other).unwrap(), before);
    }

    /// Catches: a reader that sees half of what another writes meanwhile, and one that never lets go.
    #[test]
    fn what_is_read_together_is_of_one_moment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        let (reader, mut writer) =
            (Store::open_or_create(&path).unwrap(), Store::open_or_create(&path).unwrap());
        let suites = |store: &Store| store.suites().unwrap().len();
        let found: Result<(usize, usize), StoreError> = reader.reading(|| {
            let before = suites(&reader);
            writer.save_suite(restage_model::NewSuite::of("a", "recorded", []))?;
            Ok((before, suites(&reader)))
        });
        assert_eq!(found.unwrap(), (0, 0));
        assert_eq!(suites(&reader), 1);
        let failed: Result<(), StoreError> = reader.reading(|| Err(StoreError::Missing(path.clone())));
        assert!(matches!(failed, Err(StoreError::Missing(_))));
        let again: Result<usize, StoreError> = reader.reading(|| Ok(suites(&reader)));
        assert_eq!(again.unwrap(), 1);
    }
}
