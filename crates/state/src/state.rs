//! The state as a whole: its parts saved, restored and compared together.

use std::time::{Duration, Instant};

use crate::copy::StateCopy;
use crate::error::{Error, Result};
use crate::manifest::{LabelledRecord, Manifest, PartRecord, RawPath};
use crate::part::Part;
use crate::report::{Difference, RestoreReport, SaveReport};
use crate::snapshot_store::SnapshotStore;
use crate::spec::StateSpec;

/// What an application persists, with the snapshot store its snapshots are kept in.
pub struct State {
    parts: Vec<Box<dyn Part>>,
    store: SnapshotStore,
    spec: StateSpec,
}

impl State {
    /// Makes the parts of `spec`; nothing of the application is touched yet.
    pub fn open(spec: &StateSpec, store: SnapshotStore) -> Result<State> {
        Self::open_copy(spec, &StateCopy::default(), store)
    }

    /// The same of a copy of the application: a snapshot of one can be restored into any other.
    pub fn open_copy(spec: &StateSpec, copy: &StateCopy, store: SnapshotStore) -> Result<State> {
        let parts = spec.parts(store.path(), copy)?;
        Ok(State { parts, store, spec: spec.clone() })
    }

    /// What it was opened for.
    pub fn spec(&self) -> &StateSpec {
        &self.spec
    }

    /// The snapshot store.
    pub fn snapshot_store(&self) -> &SnapshotStore {
        &self.store
    }

    /// The snapshot store, for removing snapshots and collecting garbage.
    pub fn snapshot_store_mut(&mut self) -> &mut SnapshotStore {
        &mut self.store
    }

    /// Makes the state what it was when the snapshot was saved, also where a database server is killed the moment after; then the
    /// snapshot is needed no longer, and is removed.
    pub fn put_back(&mut self, name: &str) -> Result<RestoreReport> {
        let mut report = self.restore(name)?;
        let flush = |parts: &mut Vec<Box<dyn Part>>| parts.iter_mut().try_for_each(|part| part.flush());
        match flush(&mut self.parts) {
            // The server was killed in between, and may have lost what was just written.
            Err(Error::ServerAway { .. }) => {
                report = self.restore(name)?;
                flush(&mut self.parts)?;
            }
            flushed => flushed?,
        }
        self.store.remove(name)?;
        Ok(report)
    }

    /// Removes everything of restage's own from the databases, whose names are returned. It is made again when next saved.
    pub fn detach(&mut self) -> Result<Vec<String>> {
        let detached = self.parts.iter_mut().map(|part| part.detach());
        Ok(detached.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// How long to wait for locks the application holds; 10 seconds unless set.
    pub fn set_patience(&mut self, patience: Duration) {
        self.parts.iter_mut().for_each(|part| part.set_patience(patience));
    }

    /// Saves the state as a new snapshot.
    pub fn save(&mut self, name: &str) -> Result<SaveReport> {
        self.save_as(name, false)
    }

    /// Saves the state as a snapshot, in place of one that may have the name already.
    pub fn replace(&mut self, name: &str) -> Result<SaveReport> {
        self.save_as(name, true)
    }

    /// Makes the state what it was when the snapshot was saved.
    pub fn restore(&mut self, name: &str) -> Result<RestoreReport> {
        let started = Instant::now();
        let mut report = RestoreReport { parts: self.parts.len(), ..RestoreReport::default() };
        let parts = &mut self.parts;
        self.store.read(|store| {
            let records = matched(parts, store, name)?;
            // What has to go goes first: a folder can only be removed once a database listed in it is.
            for going in [true, false] {
                let pairs = parts.iter_mut().zip(&records);
                for (part, record) in pairs.filter(|(_, record)| record.is_absent_database() == going) {
                    part.restore(store, record, &mut report)?;
                }
            }
            Ok(())
        })?;
        report.duration = started.elapsed();
        Ok(report)
    }

    /// Where the state is not as in the snapshot, in order of path; modification times do not count.
    pub fn differences(&mut self, name: &str) -> Result<Vec<Difference>> {
        let mut found = Vec::new();
        let parts = &mut self.parts;
        self.store.read(|store| {
            let records = matched(parts, store, name)?;
            for (part, record) in parts.iter_mut().zip(&records) {
                part.compare(store, record, &mut found)?;
            }
            Ok(())
        })?;
        found.sort();
        Ok(found)
    }

    /// Whether the state is as in the snapshot, modification times aside.
    pub fn equals(&mut self, name: &str) -> Result<bool> {
        Ok(self.differences(name)?.is_empty())
    }

    fn save_as(&mut self, name: &str, replace: bool) -> Result<SaveReport> {
        let started = Instant::now();
        let mut report = SaveReport { parts: self.parts.len(), ..SaveReport::default() };
        let parts = &mut self.parts;
        self.store.write(|store| {
            if replace {
                store.drop_snapshot(name)?;
            } else if store.exists(name)? {
                return Err(Error::SnapshotExists { name: name.to_owned() });
            }
            let mut manifest = Manifest { parts: Vec::with_capacity(parts.len()) };
            for part in parts.iter_mut() {
                let record = part.save(store, &mut report)?;
                manifest.parts.push(LabelledRecord { label: RawPath::from(part.label().as_path()), record });
            }
            store.keep_manifest(name, &manifest, report.bytes)
        })?;
        report.stored_bytes = self.store.stored_bytes();
        report.duration = started.elapsed();
        Ok(report)
    }
}

/// The snapshot's records in the order of the parts, if they are of the same parts.
fn matched(parts: &[Box<dyn Part>], store: &mut SnapshotStore, name: &str) -> Result<Vec<PartRecord>> {
    let mut saved = store.manifest(name)?.parts;
    let mut records = Vec::with_capacity(parts.len());
    let mut only_configured = Vec::new();
    for part in parts {
        let label = RawPath::from(part.label().as_path());
        match saved.iter().position(|one| one.label == label && one.record.kind() == part.kind()) {
            Some(position) => records.push(saved.remove(position).record),
            None => only_configured.push(format!("{} {}", part.kind(), part.label().display())),
        }
    }
    if saved.is_empty() && only_configured.is_empty() {
        return Ok(records);
    }
    let only_saved = saved
        .iter()
        .map(|one| format!("{} {}", one.record.kind(), one.label.to_path_buf().display()))
        .collect();
    Err(Error::OtherParts { name: name.to_owned(), only_saved, only_configured })
}
