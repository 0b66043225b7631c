//! Databases of snapshots as files that SQLite can open. A copy stays for the next comparison, which then writes
//! only the pages that differ: one session after another, that is what the session wrote.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use tempfile::NamedTempFile;

use super::schemas::Schemas;
use crate::error::{Error, Result};
use crate::manifest::{DatabaseRecord, Pages};
use crate::snapshot_store::{ChunkId, SnapshotStore};
use crate::sqlite::begin_file;

/// The copies, by side and path.
#[derive(Default)]
pub(in crate::compare) struct Copies {
    files: HashMap<(Side, String), Copy>,
    /// What those declare that were last opened, by path.
    pub(super) schemas: HashMap<String, Schemas>,
}

/// Which of the two snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::compare) enum Side {
    Expected,
    Actual,
}

/// A copy, and the pages it is made of.
pub(in crate::compare) struct Copied<'c> {
    pub(in crate::compare) file: &'c File,
    pub(in crate::compare) page_size: u32,
    pub(in crate::compare) chunks: &'c [ChunkId],
}

struct Copy {
    file: NamedTempFile,
    page_size: u32,
    chunks: Vec<ChunkId>,
}

impl Copies {
    /// Both databases in one connection: what is expected as `main`, the other as `actual`. A database that is
    /// absent or empty has no tables.
    pub(in crate::compare) fn open(
        &mut self,
        store: &mut SnapshotStore,
        path: &str,
        expected: &DatabaseRecord,
        actual: &DatabaseRecord,
    ) -> Result<Connection> {
        self.bring(store, Side::Expected, path, expected)?;
        self.bring(store, Side::Actual, path, actual)?;
        let uri = |side| {
            let copy = self.files.get(&(side, path.to_owned()));
            let path = copy.map_or_else(String::new, |copy| encoded(copy.file.path()));
            // Nobody writes to it meanwhile, so no lock and no journal is looked for.
            format!("file:{path}?mode=ro&immutable=1")
        };
        let failed = |source| Error::Database { path: path.into(), source };
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(uri(Side::Expected), flags).map_err(failed)?;
        connection.pragma_update(None, "trusted_schema", false).map_err(failed)?;
        connection.execute("ATTACH ?1 AS actual", [uri(Side::Actual)]).map_err(failed)?;
        Ok(connection)
    }

    /// The copy of one side, as it was last opened.
    pub(in crate::compare) fn copied(&self, side: Side, path: &str) -> Option<Copied<'_>> {
        let copy = self.files.get(&(side, path.to_owned()))?;
        Some(Copied { file: copy.file.as_file(), page_size: copy.page_size, chunks: &copy.chunks })
    }

    /// Makes the copy of one side what the record says.
    fn bring(
        &mut self,
        store: &mut SnapshotStore,
        side: Side,
        path: &str,
        record: &DatabaseRecord,
    ) -> Result<()> {
        let folder = store.path().parent().unwrap_or(Path::new("/")).to_owned();
        let key = (side, path.to_owned());
        if !self.files.contains_key(&key) {
            let file = tempfile::Builder::new()
                .prefix(".compared-")
                .tempfile_in(&folder)
                // Snapshots are looked at where nothing can be written, too.
                .or_else(|_| tempfile::NamedTempFile::new())
                .map_err(Error::io("make a copy of a database in", &folder))?;
            self.files.insert(key.clone(), Copy { file, page_size: 0, chunks: Vec::new() });
        }
        let Some(copy) = self.files.get_mut(&key) else { return Ok(()) };
        match record {
            DatabaseRecord::Pages(pages) => copy.write(store, pages),
            DatabaseRecord::Absent | DatabaseRecord::Empty(_) => copy.cut(0),
        }
    }
}

impl Copy {
    fn write(&mut self, store: &mut SnapshotStore, pages: &Pages) -> Result<()> {
        let chunks = store.chunks(pages.tree)?;
        let size = u64::from(pages.page_size);
        if self.page_size != pages.page_size {
            self.cut(0)?;
        }
        for (at, chunk) in chunks.iter().enumerate() {
            if self.chunks.get(at) == Some(chunk) {
                continue;
            }
            let mut page = store.chunk(*chunk)?;
            if at == 0 {
                begin_file(&mut page, false);
            }
            let written = self.file.as_file().write_all_at(&page, at as u64 * size);
            written.map_err(Error::io("write", self.file.path()))?;
        }
        self.cut(chunks.len() as u64 * size)?;
        (self.page_size, self.chunks) = (pages.page_size, chunks);
        Ok(())
    }

    fn cut(&mut self, size: u64) -> Result<()> {
        self.file.as_file().set_len(size).map_err(Error::io("cut", self.file.path()))?;
        if size == 0 {
            self.chunks.clear();
        }
        Ok(())
    }
}

/// A path as it is written in a URI.
fn encoded(path: &Path) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte);
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|b| if plain(b) { char::from(*b).to_string() } else { format!("%{b:02X}") }).collect()
}
