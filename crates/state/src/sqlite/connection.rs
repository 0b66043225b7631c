//! Our own connection to a database of the application.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::{Error, Result};

/// How long to wait for the application's locks, unless told otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Opens an existing database for reading and writing pages.
pub(super) fn open(path: &Path, patience: Duration) -> Result<Connection> {
    let opened = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(patience)?;
        // A build of SQLite may default to it, and it makes the page table read-only.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
        // Safe against a crash of any process, in WAL mode without waiting for the disk.
        connection.execute_batch("PRAGMA synchronous = NORMAL")?;
        Ok(connection)
    };
    opened().map_err(fail(path, patience))
}

/// SQLite's errors, with the file they are about.
pub(super) fn fail(path: &Path, waited: Duration) -> impl Fn(rusqlite::Error) -> Error + use<> {
    let path = path.to_owned();
    move |source| {
        let path = path.clone();
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::DatabaseBusy { path, waited },
            Some(ErrorCode::NotADatabase) => Error::NotADatabase { path },
            _ => Error::Database { path, source },
        }
    }
}

/// Whether this SQLite was built with the page table.
pub(super) fn has_page_table(connection: &Connection) -> bool {
    connection.prepare("SELECT data FROM sqlite_dbpage LIMIT 0").is_ok()
}

/// Whether a file is a SQLite database. Asks SQLite, and only where the size allows for one, as no other
/// may open a database of a live connection in this process.
pub(crate) fn is_database(path: &Path, size: u64, patience: Duration) -> Result<bool> {
    if size < 512 || !size.is_multiple_of(512) {
        return Ok(false);
    }
    let asked = open(path, patience).and_then(|connection| {
        connection
            .query_row("PRAGMA schema_version", [], |row| row.get::<_, i64>(0))
            .map_err(fail(path, patience))
    });
    match asked {
        Ok(_) => Ok(true),
        Err(Error::NotADatabase { .. }) => Ok(false),
        Err(other) => Err(other),
    }
}
