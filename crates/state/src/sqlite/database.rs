//! One SQLite file of the application, and what is remembered of it between operations.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use super::connection::{self, PATIENCE};
use super::{backup, pages, rebuild};
use crate::attributes::{Attributes, Stamp};
use crate::error::{Error, Result};
use crate::manifest::{DatabaseRecord, Pages};
use crate::report::{Difference, DifferenceKind, RestoreReport, SaveReport};
use crate::snapshot_store::{SnapshotStore, TreeId};

/// A SQLite file; its connection stays open between operations, idle and without locks that would hinder
/// the application, because only one and the same connection can tell that nothing was committed.
pub(crate) struct Database {
    path: PathBuf,
    patience: Duration,
    live: Option<Live>,
    seen: Option<Seen>,
}

struct Live {
    connection: Connection,
    /// The file that was opened; the application may put another in its place.
    device: u64,
    inode: u64,
    has_page_table: bool,
}

/// The content the file had when it was last looked at, and what proves that it still has it.
struct Seen {
    data_version: i64,
    /// Guards against a file overwritten in place by something that is not SQLite.
    stamp: Stamp,
    generation: u64,
    tree: TreeId,
    page_size: u32,
    count: u32,
    wal: bool,
    schema: Option<String>,
}

impl Database {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, patience: PATIENCE, live: None, seen: None }
    }

    pub(crate) fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
        self.live = None;
        self.seen = None;
    }

    /// Whether this very file is open, and a database still.
    pub(crate) fn is_open(&self, metadata: &Metadata) -> bool {
        let stamp = Stamp::of(metadata);
        let same = |live: &&Live| (live.device, live.inode) == (stamp.device, stamp.inode);
        let live = self.live.as_ref().filter(same).filter(|_| metadata.len() > 0);
        live.is_some_and(|live| pages::data_version(&live.connection).is_ok())
    }

    /// Keeps the pages the snapshot store does not have.
    pub(crate) fn save(
        &mut self,
        store: &mut SnapshotStore,
        report: &mut SaveReport,
    ) -> Result<DatabaseRecord> {
        let Some(metadata) = self.metadata()? else { return Ok(DatabaseRecord::Absent) };
        let attributes = Attributes::of(&metadata);
        if metadata.len() == 0 {
            return Ok(DatabaseRecord::Empty(attributes));
        }
        let stored = store.stored_chunks();
        self.connect(&metadata)?;
        if !self.is_as_seen(store, &metadata)? {
            let seen = self.look(store, &metadata)?;
            report.examined_pages += u64::from(seen.count);
            self.seen = Some(seen);
        }
        let Some(seen) = &self.seen else { return Ok(DatabaseRecord::Empty(attributes)) };
        report.stored_pages += store.stored_chunks() - stored;
        report.bytes += u64::from(seen.page_size) * u64::from(seen.count);
        Ok(DatabaseRecord::Pages(Pages {
            attributes,
            page_size: seen.page_size,
            count: seen.count,
            tree: seen.tree,
            wal: seen.wal,
            schema: seen.schema.clone(),
        }))
    }

    /// Writes back the pages that differ.
    pub(crate) fn restore(
        &mut self,
        store: &mut SnapshotStore,
        record: &DatabaseRecord,
        report: &mut RestoreReport,
    ) -> Result<()> {
        match record {
            DatabaseRecord::Absent => self.remove(report),
            DatabaseRecord::Empty(attributes) => self.empty(*attributes, report),
            DatabaseRecord::Pages(snapshot) => self.restore_pages(store, snapshot, report),
        }
    }

    /// Adds this file's path if a restore would change it.
    pub(crate) fn compare(
        &mut self,
        store: &mut SnapshotStore,
        record: &DatabaseRecord,
        found: &mut Vec<Difference>,
    ) -> Result<()> {
        let metadata = self.metadata()?;
        let kind = match (record, &metadata) {
            (DatabaseRecord::Absent, None) => return Ok(()),
            (DatabaseRecord::Absent, Some(_)) => DifferenceKind::Added,
            (_, None) => DifferenceKind::Removed,
            (DatabaseRecord::Empty(attributes), Some(metadata)) => {
                if !attributes.differ(Attributes::of(metadata)) && self.has_nothing(metadata)? {
                    return Ok(());
                }
                DifferenceKind::Changed
            }
            (DatabaseRecord::Pages(snapshot), Some(metadata)) => {
                if !snapshot.attributes.differ(Attributes::of(metadata))
                    && self.has_pages(store, snapshot, metadata)?
                {
                    return Ok(());
                }
                DifferenceKind::Changed
            }
        };
        found.push(Difference { path: self.path.clone(), kind });
        Ok(())
    }

    /// Removes the file and what SQLite keeps beside it.
    pub(crate) fn remove(&mut self, report: &mut RestoreReport) -> Result<()> {
        self.disconnect();
        report.removed_files += rebuild::remove_with_siblings(&self.path)?;
        Ok(())
    }

    fn empty(&mut self, attributes: Attributes, report: &mut RestoreReport) -> Result<()> {
        match self.metadata()? {
            None => {
                rebuild::create_empty(&self.path)?;
                report.written_files += 1;
            }
            Some(metadata) if self.has_nothing(&metadata)? => {}
            Some(metadata) => {
                let patience = self.patience;
                let path = self.path.clone();
                backup::empty(&mut self.connect(&metadata)?.connection, &path, patience)?;
                self.disconnect();
                report.written_pages += 1;
            }
        }
        attributes.put(&self.path)?;
        Ok(())
    }

    fn restore_pages(
        &mut self,
        store: &mut SnapshotStore,
        snapshot: &Pages,
        report: &mut RestoreReport,
    ) -> Result<()> {
        let size = u64::from(snapshot.page_size);
        let Some(metadata) = self.metadata()? else {
            self.disconnect();
            rebuild::rebuild(&self.path, store, snapshot)?;
            report.written_pages += u64::from(snapshot.count);
            report.written_bytes += u64::from(snapshot.count) * size;
            return Ok(());
        };
        let path = self.path.clone();
        let patience = self.patience;
        let live = self.connect(&metadata)?;
        if metadata.len() == 0 {
            let chosen = live.connection.pragma_update(None, "page_size", snapshot.page_size);
            chosen.map_err(connection::fail(&path, patience))?;
        }
        // Any read makes the connection notice a page size that the application changed.
        let now = pages::data_version(&live.connection)
            .and_then(|_| pages::page_size(&live.connection))
            .map_err(connection::fail(&path, patience))?;
        if !live.has_page_table || now != snapshot.page_size {
            backup::write(&mut live.connection, &path, patience, store, snapshot)?;
            self.disconnect();
            report.written_pages += u64::from(snapshot.count);
            report.written_bytes += u64::from(snapshot.count) * size;
        } else if !self.is_as_seen(store, &metadata)?
            || self.seen.as_ref().is_none_or(|seen| seen.tree != snapshot.tree)
        {
            let written = self.write_differing(store, snapshot, report)?;
            report.written_pages += written;
            report.written_bytes += written * size;
        }
        snapshot.attributes.put(&self.path)?;
        // Setting attributes changes the stamp; the pages are as they were.
        if let (Some(metadata), Some(seen)) = (self.metadata()?, &mut self.seen) {
            seen.stamp = Stamp::of(&metadata);
        }
        Ok(())
    }

    /// One exclusive transaction: compare all pages, write those that differ. Pages that were read by the save
    /// just before are not read again.
    fn write_differing(
        &mut self,
        store: &mut SnapshotStore,
        snapshot: &Pages,
        report: &mut RestoreReport,
    ) -> Result<u64> {
        let Some(metadata) = self.metadata()? else { return Ok(0) };
        let seen = if self.is_as_seen(store, &metadata)? { self.seen.take() } else { None };
        self.seen = None;
        let fail = connection::fail(&self.path, self.patience);
        let chunks = store.chunks(snapshot.tree)?;
        let known = seen.map(|seen| Ok((seen.data_version, store.chunks(seen.tree)?))).transpose()?;
        let connection = &self.connect(&metadata)?.connection;
        connection.execute_batch("BEGIN EXCLUSIVE").map_err(&fail)?;
        let mut write = || {
            let data_version = pages::data_version(connection).map_err(&fail)?;
            let count = pages::page_count(connection).map_err(&fail)?;
            let (differing, examined) = match &known {
                Some((version, current)) if *version == data_version => {
                    (pages::differing_chunks(current, &chunks), 0)
                }
                _ => (pages::differing(connection, store, &chunks, &fail)?, count),
            };
            if differing.is_empty() && count == snapshot.count {
                connection.execute_batch("ROLLBACK").map_err(&fail)?;
                return Ok((data_version, examined, 0));
            }
            let written = pages::write(connection, store, snapshot, &chunks, &differing, &fail)?;
            connection.execute_batch("COMMIT").map_err(&fail)?;
            // The pages were written behind the back of this connection's own b-trees.
            connection.release_memory().map_err(&fail)?;
            Ok((data_version, examined, written))
        };
        let outcome = write();
        if outcome.is_err() {
            // Closing the connection undoes whatever was begun.
            self.disconnect();
        }
        let (data_version, examined, written) = outcome?;
        report.examined_pages += u64::from(examined);
        if let Some(metadata) = self.metadata()? {
            self.seen = Some(Seen {
                data_version,
                stamp: Stamp::of(&metadata),
                generation: store.generation(),
                tree: snapshot.tree,
                page_size: snapshot.page_size,
                count: snapshot.count,
                wal: self.is_wal()?,
                schema: snapshot.schema.clone(),
            });
        }
        Ok(written)
    }

    /// Reads the whole file into the snapshot store.
    fn look(&mut self, store: &mut SnapshotStore, metadata: &Metadata) -> Result<Seen> {
        self.seen = None;
        let path = self.path.clone();
        let patience = self.patience;
        let fail = connection::fail(&path, patience);
        let live = self.connect(metadata)?;
        live.connection.execute_batch("BEGIN").map_err(&fail)?;
        let mut read = || {
            let data_version = pages::data_version(&live.connection).map_err(&fail)?;
            let read = if live.has_page_table {
                pages::keep(&live.connection, store, &fail)?
            } else {
                backup::keep(&live.connection, &path, patience, store)?
            };
            Ok(Seen {
                data_version,
                stamp: Stamp::of(metadata),
                generation: store.generation(),
                tree: read.tree,
                page_size: read.page_size,
                count: read.count,
                wal: read.wal,
                schema: pages::schema_hash(&live.connection),
            })
        };
        let outcome = read();
        let ended = live.connection.execute_batch("COMMIT").map_err(&fail);
        let seen = outcome?;
        ended?;
        Ok(seen)
    }

    /// Whether the content is provably what was seen last.
    fn is_as_seen(&self, store: &SnapshotStore, metadata: &Metadata) -> Result<bool> {
        let (Some(live), Some(seen)) = (&self.live, &self.seen) else { return Ok(false) };
        if seen.generation != store.generation() || seen.stamp != Stamp::of(metadata) {
            return Ok(false);
        }
        let fail = connection::fail(&self.path, self.patience);
        Ok(pages::data_version(&live.connection).map_err(fail)? == seen.data_version)
    }

    fn has_pages(
        &mut self,
        store: &mut SnapshotStore,
        snapshot: &Pages,
        metadata: &Metadata,
    ) -> Result<bool> {
        if metadata.len() == 0 {
            return Ok(false);
        }
        self.connect(metadata)?;
        if self.is_as_seen(store, metadata)? {
            return Ok(self.seen.as_ref().is_some_and(|seen| seen.tree == snapshot.tree));
        }
        let chunks = store.chunks(snapshot.tree)?;
        let fail = connection::fail(&self.path, self.patience);
        let path = self.path.clone();
        let patience = self.patience;
        let live = self.connect(metadata)?;
        if !live.has_page_table {
            return Ok(backup::keep(&live.connection, &path, patience, store)?.tree == snapshot.tree);
        }
        let connection = &live.connection;
        connection.execute_batch("BEGIN").map_err(&fail)?;
        let mut same = || {
            Ok(pages::page_size(connection).map_err(&fail)? == snapshot.page_size
                && pages::page_count(connection).map_err(&fail)? == snapshot.count
                && pages::differing(connection, store, &chunks, &fail)?.is_empty())
        };
        let same = same();
        connection.execute_batch("COMMIT").map_err(&fail)?;
        same
    }

    /// Whether the file is empty or, to SQLite, as good as empty.
    fn has_nothing(&mut self, metadata: &Metadata) -> Result<bool> {
        if metadata.len() == 0 {
            return Ok(true);
        }
        let fail = connection::fail(&self.path, self.patience);
        let connection = &self.connect(metadata)?.connection;
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(fail)?;
        Ok(tables == 0)
    }

    fn is_wal(&self) -> Result<bool> {
        let Some(live) = &self.live else { return Ok(false) };
        let mode = live.connection.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
        Ok(mode.map_err(connection::fail(&self.path, self.patience))? == "wal")
    }

    fn metadata(&self) -> Result<Option<Metadata>> {
        present(&self.path)
    }

    fn connect(&mut self, metadata: &Metadata) -> Result<&mut Live> {
        let stamp = Stamp::of(metadata);
        if self.live.as_ref().is_some_and(|live| (live.device, live.inode) != (stamp.device, stamp.inode)) {
            self.disconnect();
        }
        let live = match self.live.take() {
            Some(live) => live,
            None => {
                self.seen = None;
                let connection = connection::open(&self.path, self.patience)?;
                let has_page_table = connection::has_page_table(&connection);
                Live { connection, device: stamp.device, inode: stamp.inode, has_page_table }
            }
        };
        Ok(self.live.insert(live))
    }

    fn disconnect(&mut self) {
        self.live = None;
        self.seen = None;
    }
}

fn present(path: &Path) -> Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(source) if source.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::io("examine", path)(source)),
    }
}
