//! The names under which hooks keep what they saved.

use std::collections::HashSet;

use super::SnapshotStore;
use crate::error::Result;
use crate::manifest::PartRecord;

/// Made where a hook is used, so that a snapshot store without one stays as it is.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS hook_save(name TEXT PRIMARY KEY) WITHOUT ROWID";

impl SnapshotStore {
    /// Notes that a hook has saved something under this name.
    pub(crate) fn keep_hook_save(&mut self, name: &str) -> Result<()> {
        self.connection.execute_batch(TABLE).map_err(self.fail())?;
        self.connection.execute("INSERT INTO hook_save VALUES (?1)", [name]).map_err(self.fail())?;
        Ok(())
    }

    /// The names that no snapshot has any more.
    pub(crate) fn unused_hook_saves(&mut self) -> Result<Vec<String>> {
        self.read(|store| {
            let there = "SELECT 1 FROM sqlite_schema WHERE name = 'hook_save'";
            let there = store.connection.prepare(there).and_then(|mut select| select.exists([]));
            if !there.map_err(store.fail())? {
                return Ok(Vec::new());
            }
            let mut used = HashSet::new();
            for snapshot in store.snapshots()? {
                for part in store.manifest(&snapshot.name)?.parts {
                    if let PartRecord::Hook { name } = part.record {
                        used.insert(name);
                    }
                }
            }
            let all: Vec<String> = store
                .connection
                .prepare("SELECT name FROM hook_save ORDER BY name")
                .and_then(|mut select| select.query_map([], |row| row.get(0))?.collect())
                .map_err(store.fail())?;
            Ok(all.into_iter().filter(|name| !used.contains(name)).collect())
        })
    }

    /// Forgets a name.
    pub(crate) fn forget_hook_save(&mut self, name: &str) -> Result<()> {
        self.connection.execute("DELETE FROM hook_save WHERE name = ?1", [name]).map_err(self.fail())?;
        Ok(())
    }
}
