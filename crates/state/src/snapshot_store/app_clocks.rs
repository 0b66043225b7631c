//! How far the app's clock was off when a snapshot was saved.

use rusqlite::OptionalExtension;

use super::SnapshotStore;
use crate::error::Result;

/// Made where a clock is off, so that a snapshot store without one stays as it is.
const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS app_clock(name TEXT PRIMARY KEY, ahead INTEGER NOT NULL) WITHOUT ROWID";

impl SnapshotStore {
    /// Notes that the app's clock was so many seconds ahead when a snapshot was saved.
    pub fn set_clock_ahead(&mut self, name: &str, seconds: i64) -> Result<()> {
        if seconds == 0 {
            return Ok(());
        }
        self.connection.execute_batch(TABLE).map_err(self.fail())?;
        self.connection
            .execute("INSERT OR REPLACE INTO app_clock VALUES (?1, ?2)", (name, seconds))
            .map_err(self.fail())?;
        Ok(())
    }

    /// How many seconds the app's clock was ahead when a snapshot was saved.
    pub(crate) fn clock_ahead(&self, name: &str) -> Result<i64> {
        if !self.has_clocks()? {
            return Ok(0);
        }
        let select = "SELECT ahead FROM app_clock WHERE name = ?1";
        let found = self.connection.query_row(select, [name], |row| row.get(0)).optional();
        Ok(found.map_err(self.fail())?.unwrap_or(0))
    }

    /// Forgets the clock of a snapshot that is removed.
    pub(super) fn forget_clock(&mut self, name: &str) -> Result<()> {
        if self.has_clocks()? {
            self.connection.execute("DELETE FROM app_clock WHERE name = ?1", [name]).map_err(self.fail())?;
        }
        Ok(())
    }

    fn has_clocks(&self) -> Result<bool> {
        let there = "SELECT 1 FROM sqlite_schema WHERE name = 'app_clock'";
        self.connection.prepare_cached(there).and_then(|mut select| select.exists([])).map_err(self.fail())
    }
}
