//! Pages through SQLite's page table, `sqlite_dbpage`.
//!
//! The table's writes go through SQLite's pager: within the transaction, under its locks, into its journal
//! or log. A row inserted past the end makes the file longer; a row of NULL cuts the file before that page
//! when the transaction commits, and must be the last row written.

use rusqlite::{Connection, Error as SqliteError};

use super::header;
use crate::error::{Error, Result};
use crate::manifest::Pages;
use crate::snapshot_store::{ChunkId, SnapshotStore, TreeId, TreeWriter};

/// SQLite never stores anything in the page that holds this offset: locks live there.
const PENDING_BYTE: u32 = 0x4000_0000;

/// What a read of all pages found.
pub(super) struct ReadPages {
    pub(super) page_size: u32,
    pub(super) count: u32,
    pub(super) tree: TreeId,
    pub(super) wal: bool,
}

pub(super) fn page_size(connection: &Connection) -> Result<u32, SqliteError> {
    connection.query_row("PRAGMA page_size", [], |row| row.get(0))
}

pub(super) fn page_count(connection: &Connection) -> Result<u32, SqliteError> {
    connection.prepare_cached("PRAGMA page_count")?.query_row([], |row| row.get(0))
}

/// Changes when another connection has committed something; needs this same connection throughout.
pub(super) fn data_version(connection: &Connection) -> Result<i64, SqliteError> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

/// Keeps every page in the snapshot store. Called in a read transaction of `connection`.
pub(super) fn keep(
    connection: &Connection,
    store: &mut SnapshotStore,
    fail: &dyn Fn(SqliteError) -> Error,
) -> Result<ReadPages> {
    let page_size = page_size(connection).map_err(fail)?;
    let count = page_count(connection).map_err(fail)?;
    let mut wal = false;
    let mut tree = TreeWriter::default();
    each_page(connection, fail, &mut |number, page| {
        let chunk = if number == 1 {
            wal = header::is_wal(page);
            let mut first = page.to_vec();
            header::normalise(&mut first, count);
            store.keep_chunk(&first)?
        } else {
            store.keep_chunk(page)?
        };
        tree.push(store, chunk)
    })?;
    Ok(ReadPages { page_size, count, tree: tree.finish(store)?, wal })
}

/// The numbers of the pages that are not the snapshot's. Called in a transaction of `connection`.
pub(super) fn differing(
    connection: &Connection,
    store: &mut SnapshotStore,
    chunks: &[ChunkId],
    fail: &dyn Fn(SqliteError) -> Error,
) -> Result<Vec<u32>> {
    let current = page_count(connection).map_err(fail)?;
    let mut differing = Vec::new();
    each_page(connection, fail, &mut |number, page| {
        let Some(chunk) = chunks.get(number as usize - 1) else { return Ok(()) };
        let same = if number == 1 {
            let mut first = page.to_vec();
            header::normalise(&mut first, current);
            // The page count has its own comparison.
            current as usize == chunks.len() && store.is_chunk(*chunk, &first)?
        } else {
            store.is_chunk(*chunk, page)?
        };
        if !same {
            differing.push(number);
        }
        Ok(())
    })?;
    differing.extend(current + 1..=chunks.len() as u32);
    Ok(differing)
}

/// The numbers of the pages of the snapshot that are not among the current ones.
pub(super) fn differing_chunks(current: &[ChunkId], chunks: &[ChunkId]) -> Vec<u32> {
    let differs = |(at, chunk): (usize, &ChunkId)| {
        (current.get(at) != Some(chunk)).then(|| u32::try_from(at + 1).unwrap_or(u32::MAX))
    };
    chunks.iter().enumerate().filter_map(differs).collect()
}

/// Writes the given pages of the snapshot and cuts what is past its end; returns how many pages were
/// written. Called in an exclusive transaction of `connection`, of a database with the same page size.
pub(super) fn write(
    connection: &Connection,
    store: &mut SnapshotStore,
    snapshot: &Pages,
    chunks: &[ChunkId],
    numbers: &[u32],
    fail: &dyn Fn(SqliteError) -> Error,
) -> Result<u64> {
    let current_count = page_count(connection).map_err(fail)?;
    let current: Vec<u8> = connection
        .query_row("SELECT data FROM sqlite_dbpage WHERE pgno = 1", [], |row| row.get(0))
        .map_err(fail)?;
    let other_schema = snapshot.schema.is_none() || schema_hash(connection) != snapshot.schema;
    if header::vacuums_on_commit(&current) {
        // Our commit must not move pages that it did not see being freed. The setting itself comes back
        // with page 1.
        connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL").map_err(fail)?;
    }
    let mut insert =
        connection.prepare_cached("INSERT INTO sqlite_dbpage(pgno, data) VALUES (?1, ?2)").map_err(fail)?;
    let pending = PENDING_BYTE / snapshot.page_size + 1;
    let mut written = 1;
    for number in numbers.iter().filter(|number| **number != 1 && **number != pending) {
        let page = store.chunk(chunks[*number as usize - 1])?;
        insert.execute((number, &page)).map_err(fail)?;
        written += 1;
    }
    let mut first = store.chunk(chunks[0])?;
    header::revive(&mut first, &current);
    insert.execute((1, &first)).map_err(fail)?;
    if current_count > snapshot.count {
        insert.execute((snapshot.count + 1, rusqlite::types::Null)).map_err(fail)?;
    }
    if other_schema {
        // Only now: with another number, the statements above would have this connection read the schema
        // through its own, outdated, b-trees.
        let number = header::schema_cookie(&current).wrapping_add(1);
        connection.pragma_update(None, "schema_version", number).map_err(fail)?;
    }
    Ok(written)
}

/// What the application's connections have parsed and may go on using: tables, indexes, their roots. None
/// when the schema cannot be read, which then counts as different.
pub(super) fn schema_hash(connection: &Connection) -> Option<String> {
    let hash = || {
        let mut hasher = blake3::Hasher::new();
        let mut select = connection
            .prepare_cached("SELECT rowid || x'00' || type || x'00' || name || x'00' || tbl_name || x'00' || rootpage || x'00' || ifnull(sql, '') FROM sqlite_schema ORDER BY rowid")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(0)?.as_bytes().unwrap_or_default();
            hasher.update(&bytes.len().to_le_bytes()).update(bytes);
        }
        // Encoding and schema format are read together with the schema.
        let first: Vec<u8> =
            connection.query_row("SELECT data FROM sqlite_dbpage WHERE pgno = 1", [], |row| row.get(0))?;
        hasher.update(&first[44..48]).update(&first[56..60]);
        Ok::<_, SqliteError>(hasher.finalize().to_hex().to_string())
    };
    hash().ok()
}

fn each_page(
    connection: &Connection,
    fail: &dyn Fn(SqliteError) -> Error,
    visit: &mut dyn FnMut(u32, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut select = connection.prepare_cached("SELECT pgno, data FROM sqlite_dbpage").map_err(fail)?;
    let mut rows = select.query([]).map_err(fail)?;
    while let Some(row) = rows.next().map_err(fail)? {
        let number = row.get(0).map_err(fail)?;
        let page = row.get_ref(1).map_err(fail)?;
        visit(number, page.as_blob().map_err(|error| fail(error.into()))?)?;
    }
    Ok(())
}
