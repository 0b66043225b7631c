//! What every kind of part can do. A database server joins by implementing [`Part`] and adding its record
//! to `manifest::PartRecord`.

use std::path::PathBuf;
use std::time::Duration;

use crate::error::Result;
use crate::manifest::PartRecord;
use crate::report::{Difference, RestoreReport, SaveReport};
use crate::snapshot_store::SnapshotStore;

/// One part of the state: a folder, a SQLite file, a database on a server, what a hook keeps.
pub(crate) trait Part: Send {
    /// `folder`, `sqlite`, `postgres`, `mariadb` or `hook`, as [`PartRecord::kind`].
    fn kind(&self) -> &'static str;

    /// The path by which a snapshot names this part; relative to the spec's base where it is under it. A database on
    /// a server goes by its name.
    fn label(&self) -> &PathBuf;

    /// How long to wait for the application's locks.
    fn set_patience(&mut self, patience: Duration);

    /// Stores what the snapshot store does not have yet. Called within a write transaction of the snapshot store.
    fn save(&mut self, store: &mut SnapshotStore, report: &mut SaveReport) -> Result<PartRecord>;

    /// Writes back what differs. Called within a read transaction of the snapshot store.
    fn restore(
        &mut self,
        store: &mut SnapshotStore,
        record: &PartRecord,
        report: &mut RestoreReport,
    ) -> Result<()>;

    /// Waits until what was restored would survive a crash of what keeps it.
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    /// Removes everything of restage's own from what it is about; what that was, where there may be something.
    fn detach(&mut self) -> Result<Option<String>> {
        Ok(None)
    }

    /// Adds what a restore would change, times aside.
    fn compare(
        &mut self,
        store: &mut SnapshotStore,
        record: &PartRecord,
        found: &mut Vec<Difference>,
    ) -> Result<()>;
}
