//! Snapshots by name.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::OptionalExtension;
use serde::Serialize;

use super::SnapshotStore;
use crate::error::{Error, Result};
use crate::manifest::{Manifest, PartRecord, RawPath};

/// What is known of a snapshot without restoring it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SnapshotInfo {
    /// Its name, unique in the snapshot store.
    pub name: String,
    /// When it was saved.
    pub created: SystemTime,
    /// How many parts it has.
    pub parts: u64,
    /// Size of the state, in bytes.
    pub size: u64,
    /// What it added to the snapshot store, compressed, in bytes.
    pub stored: u64,
}

impl SnapshotStore {
    /// All snapshots, oldest first.
    pub fn snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        let mut select = self
            .connection
            .prepare_cached("SELECT name, created, parts, size, stored FROM snapshot ORDER BY id")
            .map_err(self.fail())?;
        let rows = select
            .query_map([], |row| {
                Ok(SnapshotInfo {
                    name: row.get(0)?,
                    created: UNIX_EPOCH + Duration::from_millis(row.get(1)?),
                    parts: row.get(2)?,
                    size: row.get(3)?,
                    stored: row.get(4)?,
                })
            })
            .map_err(self.fail())?;
        rows.collect::<Result<_, _>>().map_err(self.fail())
    }

    /// Whether there is a snapshot of this name.
    pub fn exists(&self, name: &str) -> Result<bool> {
        self.connection
            .prepare_cached("SELECT 1 FROM snapshot WHERE name = ?1")
            .and_then(|mut select| select.exists([name]))
            .map_err(self.fail())
    }

    /// Removes a snapshot; [`SnapshotStore::collect_garbage`] then frees what only it needed.
    pub fn remove(&mut self, name: &str) -> Result<()> {
        if self.drop_snapshot(name)? { Ok(()) } else { Err(self.no_snapshot(name)) }
    }

    /// When a snapshot was saved, in seconds since 1970.
    pub(crate) fn saved_at(&self, name: &str) -> Result<i64> {
        let found = self
            .connection
            .query_row("SELECT created / 1000 FROM snapshot WHERE name = ?1", [name], |row| row.get(0))
            .optional()
            .map_err(self.fail())?;
        found.ok_or_else(|| self.no_snapshot(name))
    }

    /// Takes over when a snapshot was saved, and how far the app's clock was off then, to its copy.
    pub(super) fn set_saved_at(&mut self, name: &str, (at, ahead): (i64, i64)) -> Result<()> {
        self.connection
            .execute("UPDATE snapshot SET created = ?2 * 1000 WHERE name = ?1", (name, at))
            .map_err(self.fail())?;
        self.set_clock_ahead(name, ahead)
    }

    pub(crate) fn drop_snapshot(&mut self, name: &str) -> Result<bool> {
        let removed = self
            .connection
            .prepare_cached("DELETE FROM snapshot WHERE name = ?1")
            .and_then(|mut delete| delete.execute([name]));
        let removed = removed.map_err(self.fail())? > 0;
        self.forget_clock(name)?;
        Ok(removed)
    }

    pub(crate) fn keep_manifest(&mut self, name: &str, manifest: &Manifest, size: u64) -> Result<()> {
        let json = serde_json::to_vec(manifest).map_err(|error| self.damaged(error.to_string()))?;
        let packed = self.packer.pack(&json);
        self.stored_bytes += packed.len() as u64;
        let created = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        self.connection
            .prepare_cached("INSERT INTO snapshot(name, created, parts, size, stored, manifest) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            .and_then(|mut insert| {
                insert.execute((name, created as i64, manifest.parts.len(), size, self.stored_bytes, &packed))
            })
            .map_err(self.fail())?;
        Ok(())
    }

    pub(crate) fn manifest(&mut self, name: &str) -> Result<Manifest> {
        let packed: Option<Vec<u8>> = self
            .connection
            .prepare_cached("SELECT manifest FROM snapshot WHERE name = ?1")
            .and_then(|mut select| select.query_row([name], |row| row.get(0)).optional())
            .map_err(self.fail())?;
        let packed = packed.ok_or_else(|| self.no_snapshot(name))?;
        let json = self.packer.unpack(&packed);
        let manifest = json.and_then(|json| serde_json::from_slice(&json).ok());
        manifest.ok_or_else(|| self.damaged(format!("snapshot `{name}` cannot be read")))
    }

    /// What the latest snapshot has of a part, if it has that part.
    pub(crate) fn latest_record(&mut self, label: &Path, kind: &str) -> Result<Option<PartRecord>> {
        let latest: Option<String> = self
            .connection
            .query_row("SELECT name FROM snapshot ORDER BY id DESC LIMIT 1", [], |row| row.get(0))
            .optional()
            .map_err(self.fail())?;
        let Some(latest) = latest else { return Ok(None) };
        let label = RawPath::from(label);
        let parts = self.manifest(&latest)?.parts.into_iter();
        Ok(parts
            .map(|one| (one.label, one.record))
            .find(|(l, r)| *l == label && r.kind() == kind)
            .map(|(_, r)| r))
    }

    fn no_snapshot(&self, name: &str) -> Error {
        let known = self.snapshots().unwrap_or_default().into_iter().map(|snapshot| snapshot.name).collect();
        Error::NoSnapshot { name: name.to_owned(), known }
    }
}
