//! A listed SQLite file as a part of the state.

use std::path::PathBuf;
use std::time::Duration;

use super::Database;
use crate::depot::Depot;
use crate::error::Result;
use crate::manifest::PartRecord;
use crate::part::Part;
use crate::report::{Difference, RestoreReport, SaveReport};

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

    fn save(&mut self, depot: &mut Depot, report: &mut SaveReport) -> Result<PartRecord> {
        self.database.save(depot, report).map(PartRecord::Sqlite)
    }

    fn restore(&mut self, depot: &mut Depot, record: &PartRecord, report: &mut RestoreReport) -> Result<()> {
        match record {
            PartRecord::Sqlite(record) => self.database.restore(depot, record, report),
            other => unreachable!("a {} record for a SQLite file: State matches kinds", other.kind()),
        }
    }

    fn compare(&mut self, depot: &mut Depot, record: &PartRecord, found: &mut Vec<Difference>) -> Result<()> {
        match record {
            PartRecord::Sqlite(record) => self.database.compare(depot, record, found),
            other => unreachable!("a {} record for a SQLite file: State matches kinds", other.kind()),
        }
    }
}
