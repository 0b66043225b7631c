//! A store on a file system, or in a folder, that cannot be written: a copy of it is looked at.
//!
//! SQLite reads a file with a write-ahead log only where it may write beside it, or where the files beside it are there already.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::StoreError;

/// The copy's name in its folder.
pub(crate) const NAME: &str = "restage.db";
/// How many pages are copied at a time.
const PAGES: i32 = 4096;

/// A copy of a store in a folder of its own.
pub(crate) fn copy(path: &Path) -> Result<TempDir, StoreError> {
    let failed = |source| StoreError::Create { path: path.to_owned(), source };
    let folder = tempfile::Builder::new().prefix("restage-store-").tempdir().map_err(failed)?;
    let copy = folder.path().join(NAME);
    // Where another process may write to it, it is read as a whole by SQLite itself.
    if let Some(live) = readable(path) {
        let mut into = Connection::open(&copy)?;
        Backup::new(&live, &mut into)?.run_to_completion(PAGES, Duration::ZERO, None)?;
        return Ok(folder);
    }
    fs::copy(path, &copy).map_err(failed)?;
    match fs::copy(beside(path), beside(&copy)) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(failed(source)),
        _ => Ok(folder),
    }
}

/// A connection that can read it where it is.
fn readable(path: &Path) -> Option<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).ok()?;
    connection.busy_timeout(Duration::from_secs(5)).ok()?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)).ok()?;
    Some(connection)
}

/// The write-ahead log of a database.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    /// Catches: a copy that lacks what a killed process had only written to the log.
    #[test]
    fn a_copy_has_what_is_in_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        let store = Store::open_or_create(&path).unwrap();
        store.connection.execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (7)").unwrap();
        // As a process leaves it that is killed.
        let left = folder.path().join("left.db");
        fs::copy(&path, &left).unwrap();
        fs::copy(beside(&path), beside(&left)).unwrap();
        for path in [path, left] {
            let copy = copy(&path).unwrap();
            let copied = Connection::open(copy.path().join(NAME)).unwrap();
            assert_eq!(copied.query_row("SELECT x FROM mine", [], |row| row.get::<_, i64>(0)).unwrap(), 7);
        }
    }
}
