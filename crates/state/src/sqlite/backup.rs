//! SQLite's online backup: the way in and out where the page table cannot go — a SQLite built without it,
//! a page size that changed, a database to be emptied. It copies every page, in one transaction of the
//! target.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::{connection, header, pages, rebuild};
use crate::error::{Error, Result};
use crate::manifest::Pages;
use crate::snapshot_store::{SnapshotStore, TreeWriter};

/// Keeps every page of a database in the snapshot store, by way of a copy beside the snapshot store.
pub(super) fn keep(
    live: &Connection,
    path: &Path,
    patience: Duration,
    store: &mut SnapshotStore,
) -> Result<pages::ReadPages> {
    let failed = connection::fail(path, patience);
    let wal = is_wal(live).map_err(&failed)?;
    let copy = copy_file(store)?;
    let mut target = Connection::open(copy.path()).map_err(&failed)?;
    copy_all(live, &mut target, path, patience)?;
    // The bytes are to be in the file itself, not in a log beside it.
    target.execute_batch("PRAGMA journal_mode = DELETE").map_err(&failed)?;
    let page_size = pages::page_size(&target).map_err(&failed)?;
    let count = pages::page_count(&target).map_err(&failed)?;
    drop(target);

    let mut file = File::open(copy.path()).map_err(Error::io("read", copy.path()))?;
    let mut page = vec![0; page_size as usize];
    let mut tree = TreeWriter::default();
    for number in 1..=count {
        match file.read_exact(&mut page) {
            Ok(()) => {}
            Err(source) if source.kind() == ErrorKind::UnexpectedEof => break,
            Err(source) => return Err(Error::io("read", copy.path())(source)),
        }
        if number == 1 {
            header::normalise(&mut page, count);
        }
        let chunk = store.keep_chunk(&page)?;
        tree.push(store, chunk)?;
    }
    Ok(pages::ReadPages { page_size, count, tree: tree.finish(store)?, wal })
}

/// Makes the live database the snapshot's, page by page.
pub(super) fn write(
    live: &mut Connection,
    path: &Path,
    patience: Duration,
    store: &mut SnapshotStore,
    snapshot: &Pages,
) -> Result<()> {
    let failed = connection::fail(path, patience);
    let copy = copy_file(store)?;
    rebuild::write_pages(copy.as_file(), copy.path(), store, snapshot, false)?;
    let source = Connection::open(copy.path()).map_err(&failed)?;
    let wal = is_wal(live).map_err(&failed)?;
    let now = pages::page_size(live).map_err(&failed)?;
    if !wal || now == snapshot.page_size {
        return copy_all(&source, live, path, patience);
    }
    // A log has one page size; leaving WAL mode takes being alone.
    let alone = live.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get::<_, String>(0));
    if !alone.is_ok_and(|mode| mode == "delete") {
        return Err(Error::PageSize { path: path.to_owned(), now, then: snapshot.page_size });
    }
    copy_all(&source, live, path, patience)?;
    live.execute_batch("PRAGMA journal_mode = WAL").map_err(&failed)
}

/// Makes the live database one without tables. Its file keeps one page: connections stay valid, and to
/// SQLite it is as good as empty.
pub(super) fn empty(live: &mut Connection, path: &Path, patience: Duration) -> Result<()> {
    let failed = connection::fail(path, patience);
    let nothing = Connection::open_in_memory().map_err(&failed)?;
    let page_size = pages::page_size(live).map_err(&failed)?;
    nothing.pragma_update(None, "page_size", page_size).map_err(&failed)?;
    copy_all(&nothing, live, path, patience)
}

fn copy_all(from: &Connection, to: &mut Connection, path: &Path, patience: Duration) -> Result<()> {
    let failed = connection::fail(path, patience);
    let step = Backup::new(from, to).and_then(|backup| backup.step(-1)).map_err(&failed)?;
    match step {
        StepResult::Done => Ok(()),
        _ => Err(Error::DatabaseBusy { path: path.to_owned(), waited: patience }),
    }
}

fn is_wal(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("PRAGMA journal_mode", [], |row| Ok(row.get::<_, String>(0)? == "wal"))
}

fn copy_file(store: &SnapshotStore) -> Result<tempfile::NamedTempFile> {
    let folder = store.path().parent().unwrap_or(Path::new("/"));
    tempfile::Builder::new()
        .prefix(".copy-")
        .tempfile_in(folder)
        .map_err(Error::io("make a copy of a database in", folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Attributes;

    #[test]
    fn backup_and_page_table_keep_the_same_and_either_restores() {
        for mode in ["wal", "delete"] {
            let folder = tempfile::tempdir().unwrap();
            let mut store = SnapshotStore::open(&folder.path().join("store.db")).unwrap();
            let path = folder.path().join("app.db");
            let app = Connection::open(&path).unwrap();
            app.pragma_update(None, "journal_mode", mode).unwrap();
            app.execute_batch("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)").unwrap();
            let mut ours = connection::open(&path, Duration::ZERO).unwrap();
            let fail = connection::fail(&path, Duration::ZERO);
            let (by_backup, by_pages) = store
                .write(|store| {
                    let by_backup = keep(&ours, &path, Duration::ZERO, store)?;
                    ours.execute_batch("BEGIN").map_err(&fail)?;
                    let by_pages = pages::keep(&ours, store, &fail)?;
                    ours.execute_batch("COMMIT").map_err(&fail)?;
                    Ok((by_backup, by_pages))
                })
                .unwrap();
            assert_eq!(by_backup.tree, by_pages.tree);
            assert_eq!(by_backup.wal, mode == "wal");

            app.execute_batch("CREATE TABLE u AS SELECT * FROM t; DROP TABLE t").unwrap();
            let snapshot = Pages {
                attributes: Attributes { mode: 0o600, uid: 0, gid: 0 },
                page_size: by_backup.page_size,
                count: by_backup.count,
                tree: by_backup.tree,
                wal: by_backup.wal,
                schema: None,
            };
            write(&mut ours, &path, Duration::ZERO, &mut store, &snapshot).unwrap();
            let sum: i64 = app.query_row("SELECT sum(x) FROM t", [], |row| row.get(0)).unwrap();
            assert_eq!(sum, 3);
            let kept: String = app.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
            assert_eq!(kept, mode);
        }
    }
}
