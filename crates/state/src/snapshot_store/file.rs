//! The snapshot store's file: opening, format version, transactions.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::chunks::{ChunkId, Hash};
use super::pack::Packer;
use crate::error::{Error, Result};

/// Marks the file as ours, for us and for file(1).
const APPLICATION_ID: i64 = 0x7253_7441;
const FORMAT: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE chunk(id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE leaf(id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, chunks BLOB NOT NULL);
CREATE TABLE tree(id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, leaves BLOB NOT NULL);
CREATE TABLE snapshot(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL, -- milliseconds since 1970
    parts INTEGER NOT NULL,
    size INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    manifest BLOB NOT NULL
);
CREATE TABLE collection(count INTEGER NOT NULL);
INSERT INTO collection VALUES (0);
";

/// A file of snapshots.
pub struct SnapshotStore {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    pub(super) packer: Packer,
    /// Chunks known to be in the file, so that an unchanged page costs no query.
    pub(super) known: HashMap<Hash, ChunkId>,
    /// The file's count of garbage collections when `known` was learnt.
    pub(super) collections: i64,
    /// Raised whenever ids seen before may be gone.
    pub(super) generation: u64,
    /// How many transactions were undone: what they handed out may be handed out again.
    undone: u64,
    /// Bytes and chunks added in this transaction.
    pub(super) stored_bytes: u64,
    pub(super) stored_chunks: u64,
    /// The folder of a copy that it works on, where it can only be read so.
    _copy: Option<tempfile::TempDir>,
}

impl SnapshotStore {
    /// Opens the snapshot store at `path`, making it (readable by this user alone) where there is none.
    pub fn open(path: &Path) -> Result<SnapshotStore> {
        create_private(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let failed = |source| failure(path, source);
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(Duration::from_secs(30)).map_err(failed)?;
        prepare(&connection, path)?;
        let path = fs::canonicalize(path).map_err(Error::io("find", path))?;
        Ok(Self::of(connection, path))
    }

    /// Opens the snapshot store at `path` to look at it, also where neither it nor anything beside it can be written.
    pub fn open_to_read(path: &Path) -> Result<SnapshotStore> {
        let opened = Self::open(path);
        let Err(Error::SnapshotStore { source, .. }) = &opened else { return opened };
        let refused = [
            rusqlite::ErrorCode::ReadOnly,
            rusqlite::ErrorCode::CannotOpen,
            rusqlite::ErrorCode::PermissionDenied,
        ];
        if !source.sqlite_error_code().is_some_and(|code| refused.contains(&code)) {
            return opened;
        }
        let failed = |source| failure(path, source);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = None;
        let readable = |connection: Connection| check(&connection, path).map(|_| connection);
        let connection = match Connection::open_with_flags(path, flags).map_err(failed).and_then(readable) {
            Ok(connection) => connection,
            // Nobody can write it, and there is nothing beside it: it is as it is.
            Err(_) if fs::metadata(beside(path)).map_or(true, |log| log.len() == 0) => {
                let uri = format!("file:{}?immutable=1", uri_path(path));
                let flags = flags | OpenFlags::SQLITE_OPEN_URI;
                Connection::open_with_flags(uri, flags).map_err(failed).and_then(readable)?
            }
            // What a killed process left beside it can only be read with rights to write.
            Err(_) => {
                let folder = tempfile::tempdir().map_err(Error::io("make a folder for a copy of", path))?;
                let file = folder.path().join("snapshots.db");
                for (from, to) in [(path.to_owned(), file.clone()), (beside(path), beside(&file))] {
                    fs::copy(&from, to).map_err(Error::io("copy", &from))?;
                }
                copy = Some(folder);
                Connection::open(&file).map_err(failed).and_then(readable)?
            }
        };
        Ok(SnapshotStore { _copy: copy, ..SnapshotStore::of(connection, path.to_owned()) })
    }

    fn of(connection: Connection, path: PathBuf) -> Self {
        connection.set_prepared_statement_cache_capacity(32);
        SnapshotStore {
            connection,
            path,
            packer: Packer::default(),
            known: HashMap::new(),
            collections: 0,
            generation: 0,
            undone: 0,
            stored_bytes: 0,
            stored_chunks: 0,
            _copy: None,
        }
    }

    /// Where the snapshot store is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until all that was kept is on the disk.
    pub fn sync(&self) -> Result<()> {
        for path in [beside(&self.path), self.path.clone()] {
            match fs::File::open(&path).and_then(|file| file.sync_all()) {
                Err(source) if source.kind() != ErrorKind::NotFound => {
                    return Err(Error::io("write to the disk", &path)(source));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Runs `work` in a write transaction: all of it is kept, or nothing.
    pub(crate) fn write<T>(&mut self, work: impl FnOnce(&mut SnapshotStore) -> Result<T>) -> Result<T> {
        self.transaction("BEGIN IMMEDIATE", work)
    }

    /// Runs `work` in a read transaction, so that no other process collects what it is about to read.
    pub(crate) fn read<T>(&mut self, work: impl FnOnce(&mut SnapshotStore) -> Result<T>) -> Result<T> {
        self.transaction("BEGIN", work)
    }

    /// Changes whenever ids handed out before may be gone.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Changes whenever ids handed out before may mean something else.
    pub(crate) fn undone(&self) -> u64 {
        self.undone
    }

    /// Bytes added since the transaction began.
    pub(crate) fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// Chunks added since the transaction began.
    pub(crate) fn stored_chunks(&self) -> u64 {
        self.stored_chunks
    }

    pub(super) fn fail(&self) -> impl Fn(rusqlite::Error) -> Error + use<> {
        let path = self.path.clone();
        move |source| failure(&path, source)
    }

    pub(super) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::SnapshotStoreDamaged { path: self.path.clone(), what: what.into() }
    }

    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.generation += 1;
    }

    fn transaction<T>(
        &mut self,
        begin: &str,
        work: impl FnOnce(&mut SnapshotStore) -> Result<T>,
    ) -> Result<T> {
        self.connection.execute_batch(begin).map_err(self.fail())?;
        (self.stored_bytes, self.stored_chunks) = (0, 0);
        let outcome = self.notice_collections().and_then(|()| work(self)).and_then(|value| {
            self.connection.execute_batch("COMMIT").map_err(self.fail())?;
            Ok(value)
        });
        if outcome.is_err() {
            // What was learnt in a transaction that is undone is not true.
            self.forget();
            self.undone += 1;
            if !self.connection.is_autocommit() {
                // The failure that brought us here is the one to tell of.
                let _ = self.connection.execute_batch("ROLLBACK");
            }
        }
        outcome
    }

    fn notice_collections(&mut self) -> Result<()> {
        let count = self
            .connection
            .prepare_cached("SELECT count FROM collection")
            .and_then(|mut select| select.query_row([], |row| row.get(0)))
            .map_err(self.fail())?;
        if count != self.collections {
            self.collections = count;
            self.forget();
        }
        Ok(())
    }
}

fn failure(path: &Path, source: rusqlite::Error) -> Error {
    match source.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => Error::NotASnapshotStore { path: path.to_owned() },
        _ => Error::SnapshotStore { path: path.to_owned(), source },
    }
}

/// Snapshots hold what the application holds, passwords included: nobody else may read them.
fn create_private(path: &Path) -> Result<()> {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(Error::io("make the folder", parent))?;
    }
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(source) if source.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(source) => Err(Error::io("make the snapshot store", path)(source)),
    }
}

/// Checks the format; whether the file is new.
fn check(connection: &Connection, path: &Path) -> Result<bool> {
    let failed = |source| failure(path, source);
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(failed);
    if number("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Ok(true);
    }
    let found = number("PRAGMA user_version")?;
    if number("PRAGMA application_id")? != APPLICATION_ID {
        return Err(Error::NotASnapshotStore { path: path.to_owned() });
    }
    if found > FORMAT {
        return Err(Error::SnapshotStoreNewer { path: path.to_owned(), found, known: FORMAT });
    }
    Ok(false)
}

/// The write-ahead log of a database.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// A path as SQLite reads it in a URI.
fn uri_path(path: &Path) -> String {
    let text = path.display().to_string();
    text.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

/// Checks the format before anything is written, and makes the tables of a new file.
fn prepare(connection: &Connection, path: &Path) -> Result<()> {
    let failed = |source| failure(path, source);
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(failed);
    let new = check(connection, path)?;
    if new {
        // Both hold only when set before the first table; two processes may race to make it, hence the
        // second look inside the transaction.
        connection
            .execute_batch("PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;")
            .map_err(failed)?;
    }
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;").map_err(failed)?;
    if new {
        connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
        if number("SELECT count(*) FROM sqlite_schema")? == 0 {
            connection.execute_batch(SCHEMA).map_err(failed)?;
            connection.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
            connection.pragma_update(None, "user_version", FORMAT).map_err(failed)?;
        }
        connection.execute_batch("COMMIT").map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_new_snapshot_store_is_private_and_opens_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/store.db");
        drop(SnapshotStore::open(&path).unwrap());
        drop(SnapshotStore::open(&path).unwrap());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_newer_format_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        drop(SnapshotStore::open(&path).unwrap());
        Connection::open(&path).unwrap().pragma_update(None, "user_version", FORMAT + 1).unwrap();
        let before = fs::read(&path).unwrap();
        let error = SnapshotStore::open(&path).err().unwrap();
        assert!(matches!(error, Error::SnapshotStoreNewer { found: 2, known: 1, .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let garbage = folder.path().join("garbage");
        fs::write(&garbage, b"no database at all, ".repeat(100)).unwrap();
        assert!(matches!(SnapshotStore::open(&garbage).err().unwrap(), Error::NotASnapshotStore { .. }));
        let foreign = folder.path().join("foreign.db");
        Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t(x)").unwrap();
        assert!(matches!(SnapshotStore::open(&foreign).err().unwrap(), Error::NotASnapshotStore { .. }));
    }

    #[test]
    fn a_failed_write_leaves_nothing_and_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SnapshotStore::open(&folder.path().join("store.db")).unwrap();
        let failed: Result<()> = store.write(|store| {
            store.keep_chunk(b"page")?;
            Err(store.damaged("on purpose"))
        });
        assert!(failed.is_err());
        let id = store.write(|store| store.keep_chunk(b"page")).unwrap();
        assert_eq!(store.read(|store| store.chunk(id)).unwrap(), b"page");
    }
}
