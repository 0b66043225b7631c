//! The names under which hooks keep what they saved.

use std::collections::HashSet;

use super::Depot;
use crate::error::Result;
use crate::manifest::PartRecord;

/// Made where a hook is used, so that a depot without one stays as it is.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS hook_save(name TEXT PRIMARY KEY) WITHOUT ROWID";

impl Depot {
    /// Notes that a hook has saved something under this name.
    pub(crate) fn keep_hook_save(&mut self, name: &str) -> Result<()> {
        self.connection.execute_batch(TABLE).map_err(self.fail())?;
        self.connection.execute("INSERT INTO hook_save VALUES (?1)", [name]).map_err(self.fail())?;
        Ok(())
    }

    /// The names that no snapshot has any more.
    pub(crate) fn unused_hook_saves(&mut self) -> Result<Vec<String>> {
        self.read(|depot| {
            let there = "SELECT 1 FROM sqlite_schema WHERE name = 'hook_save'";
            let there = depot.connection.prepare(there).and_then(|mut select| select.exists([]));
            if !there.map_err(depot.fail())? {
                return Ok(Vec::new());
            }
            let mut used = HashSet::new();
            for snapshot in depot.snapshots()? {
                for part in depot.manifest(&snapshot.name)?.parts {
                    if let PartRecord::Hook { name } = part.record {
                        used.insert(name);
                    }
                }
            }
            let all: Vec<String> = depot
                .connection
                .prepare("SELECT name FROM hook_save ORDER BY name")
                .and_then(|mut select| select.query_map([], |row| row.get(0))?.collect())
                .map_err(depot.fail())?;
            Ok(all.into_iter().filter(|name| !used.contains(name)).collect())
        })
    }

    /// Forgets a name.
    pub(crate) fn forget_hook_save(&mut self, name: &str) -> Result<()> {
        self.connection.execute("DELETE FROM hook_save WHERE name = ?1", [name]).map_err(self.fail())?;
        Ok(())
    }
}
