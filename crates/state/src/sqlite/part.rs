//! A listed SQLite file as a part of the state.

use std::path::PathBuf;
use std::time::Duration;

use super::Database;
use crate::error::Result;
use crate::manifest::PartRecord;
use crate::part::Part;
use crate::report::{Difference, RestoreReport, SaveReport};
use crate::snapshot_store::SnapshotStore;

/// One SQLite file, named in the spec.
pub(crate) struct SqlitePart {
    label: PathBuf,
    database: Database,
}

impl SqlitePart {
    pub(crate) fn new(label: PathBuf, path: PathBuf) -> Self {
        Self { label, database: Database::new(path) }
    }
}

impl Part for SqlitePart {
    fn kind(&self) -> &'static str {
        "sqlite"
    }

    fn label(&self) -> &PathBuf {
        &self.label
    }

    fn set_patience(&mut self, patience: Duration) {
        self.database.set_patience(patience);
    }

    fn save(&mut self, store: &mut SnapshotStore, report: &mut SaveReport) -> Result<PartRecord> {
        self.database.save(store, report).map(PartRecord::Sqlite)
    }

    fn restore(
        &mut self,
        store: &mut SnapshotStore,
        record: &PartRecord,
        report: &mut RestoreReport,
    ) -> Result<()> {
        match record {
            PartRecord::Sqlite(record) => self.database.restore(store, record, report),
            other => unreachable!("a {} record for a SQLite file: State matches kinds", other.kind()),
        }
    }

    fn compare(
        &mut self,
        store: &mut SnapshotStore,
        record: &PartRecord,
        found: &mut Vec<Difference>,
    ) -> Result<()> {
        match record {
            PartRecord::Sqlite(record) => self.database.compare(store, record, found),
            other => unreachable!("a {} record for a SQLite file: State matches kinds", other.kind()),
        }
    }
}
