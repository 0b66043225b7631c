//! A listed folder as a part of the state: saving and comparing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::content;
use super::listing::{read_listing, write_listing};
use super::scan::{Found, Kind, scan};
use crate::attributes::{Attributes, Stamp};
use crate::error::{Error, Result};
use crate::manifest::{Content, DatabaseRecord, Entry, Modified, Node, PartRecord, RawPath};
use crate::part::Part;
use crate::report::{Difference, DifferenceKind, RestoreReport, SaveReport};
use crate::snapshot_store::SnapshotStore;
use crate::sqlite::{Database, PATIENCE};

/// One folder, named in the spec, and what is remembered of its files between operations.
pub(crate) struct FolderPart {
    label: PathBuf,
    pub(super) root: PathBuf,
    /// Absolute paths inside the folder that are not part of it: the snapshot store, SQLite files listed apart.
    excluded: HashSet<PathBuf>,
    patience: Duration,
    /// The SQLite files met in the folder.
    pub(super) databases: HashMap<PathBuf, Database>,
    remembered: HashMap<PathBuf, Remembered>,
}

/// The content a file had when it was last read.
struct Remembered {
    stamp: Stamp,
    /// When it was looked at, in seconds since 1970.
    at: i64,
    generation: u64,
    content: Content,
}

impl FolderPart {
    pub(crate) fn new(label: PathBuf, root: PathBuf, excluded: HashSet<PathBuf>) -> Self {
        Self {
            label,
            root,
            excluded,
            patience: PATIENCE,
            databases: HashMap::new(),
            remembered: HashMap::new(),
        }
    }

    /// What is in the folder now, or none when there is no folder.
    pub(super) fn scan(&mut self, store: &SnapshotStore) -> Result<Option<Vec<Found>>> {
        let known = |path: &Path, metadata: &Metadata| {
            let is_plain = self.known(store, path, metadata).map(|_| false);
            is_plain.or_else(|| self.databases.get(path)?.is_open(metadata).then_some(true))
        };
        let found = scan(&self.root, &self.excluded, self.patience, &known)?;
        let present: HashMap<&Path, Kind> =
            found.iter().flatten().map(|found| (found.path.as_path(), found.kind)).collect();
        self.databases.retain(|path, _| present.get(path.as_path()) == Some(&Kind::Database));
        self.remembered.retain(|path, _| present.get(path.as_path()) == Some(&Kind::File));
        Ok(found)
    }

    /// The content of a file, where its stamp proves that it is the one read before.
    pub(super) fn known(&self, store: &SnapshotStore, path: &Path, metadata: &Metadata) -> Option<Content> {
        let remembered = self.remembered.get(path)?;
        let proven = remembered.generation == store.generation()
            && remembered.stamp == Stamp::of(metadata)
            && remembered.stamp.is_settled(remembered.at);
        proven.then_some(remembered.content)
    }

    /// Notes that a file with this metadata, taken before it was read at time `at`, has this content.
    pub(super) fn remember(&mut self, store: &SnapshotStore, found: &Found, at: i64, content: Content) {
        let remembered =
            Remembered { stamp: Stamp::of(&found.metadata), at, generation: store.generation(), content };
        self.remembered.insert(found.path.clone(), remembered);
    }

    pub(super) fn database(&mut self, path: &Path) -> &mut Database {
        let (root, patience) = (&self.root, self.patience);
        self.databases.entry(path.to_owned()).or_insert_with(|| {
            let mut database = Database::new(root.join(path));
            database.set_patience(patience);
            database
        })
    }

    /// The content of a file found, read if it must be.
    fn keep_file(
        &mut self,
        store: &mut SnapshotStore,
        found: &Found,
        at: i64,
        report: &mut SaveReport,
    ) -> Result<(u64, Content)> {
        if let Some(content) = self.known(store, &found.path, &found.metadata) {
            return Ok((found.metadata.len(), content));
        }
        let stored = store.stored_chunks();
        let (size, content) = content::keep(&self.root.join(&found.path), store)?;
        report.read_files += 1;
        report.stored_chunks += store.stored_chunks() - stored;
        if size == found.metadata.len() {
            self.remember(store, found, at, content);
        }
        Ok((size, content))
    }

    /// Whether what was found is not as in the snapshot, times aside.
    fn differs(&mut self, store: &mut SnapshotStore, found: &Found, node: &Node, at: i64) -> Result<bool> {
        let now = Attributes::of(&found.metadata);
        let path = self.root.join(&found.path);
        let differs = match (node, found.kind) {
            (Node::Directory { attributes }, Kind::Directory) => attributes.differ(now),
            (Node::Symlink { target, .. }, Kind::Symlink) => read_link(&path)? != target.to_path_buf(),
            (Node::File { attributes, size, content, .. }, Kind::File) => {
                attributes.differ(now)
                    || *size != found.metadata.len()
                    || !self.has_content(store, found, *content, at)?
            }
            (Node::File { attributes, size: 0, .. }, Kind::Database) => {
                self.database_differs(store, found, &DatabaseRecord::Empty(*attributes))?
            }
            (Node::Database(record), Kind::Database) => self.database_differs(store, found, record)?,
            _ => true,
        };
        Ok(differs)
    }

    fn database_differs(
        &mut self,
        store: &mut SnapshotStore,
        found: &Found,
        record: &DatabaseRecord,
    ) -> Result<bool> {
        let mut differences = Vec::new();
        self.database(&found.path).compare(store, record, &mut differences)?;
        Ok(!differences.is_empty())
    }

    /// Whether a file, of the right size, has this content.
    fn has_content(
        &mut self,
        store: &mut SnapshotStore,
        found: &Found,
        content: Content,
        at: i64,
    ) -> Result<bool> {
        if let Some(known) = self.known(store, &found.path, &found.metadata) {
            return Ok(known == content);
        }
        let (numbers, _) = content::differing(&self.root.join(&found.path), store, content)?;
        if numbers.is_empty() {
            self.remember(store, found, at, content);
        }
        Ok(numbers.is_empty())
    }
}

impl Part for FolderPart {
    fn kind(&self) -> &'static str {
        "folder"
    }

    fn label(&self) -> &PathBuf {
        &self.label
    }

    fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
        self.databases.clear();
    }

    fn save(&mut self, store: &mut SnapshotStore, report: &mut SaveReport) -> Result<PartRecord> {
        let at = seconds_now();
        let Some(all) = self.scan(store)? else { return Ok(PartRecord::Folder { listing: None }) };
        let mut entries = Vec::with_capacity(all.len());
        for found in &all {
            let attributes = Attributes::of(&found.metadata);
            let modified = Modified::of(&found.metadata);
            let node = match found.kind {
                Kind::Special => continue,
                Kind::Directory => Node::Directory { attributes },
                Kind::Symlink => {
                    let target = RawPath::from(read_link(&self.root.join(&found.path))?.as_path());
                    Node::Symlink { attributes, modified, target }
                }
                Kind::File => {
                    let (size, content) = match self.keep_file(store, found, at, report) {
                        Ok(kept) => kept,
                        // Removed since the scan, as an application's housekeeping does.
                        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => continue,
                        Err(other) => return Err(other),
                    };
                    report.bytes += size;
                    Node::File { attributes, modified, size, content }
                }
                Kind::Database => Node::Database(self.database(&found.path).save(store, report)?),
            };
            report.examined_files += 1;
            entries.push(Entry { path: RawPath::from(found.path.as_path()), node });
        }
        Ok(PartRecord::Folder { listing: Some(write_listing(store, &entries)?) })
    }

    fn restore(
        &mut self,
        store: &mut SnapshotStore,
        record: &PartRecord,
        report: &mut RestoreReport,
    ) -> Result<()> {
        match target(store, record)? {
            Some(target) => self.restore_entries(store, &target, report),
            None => self.restore_absence(store, report),
        }
    }

    fn compare(
        &mut self,
        store: &mut SnapshotStore,
        record: &PartRecord,
        found: &mut Vec<Difference>,
    ) -> Result<()> {
        let at = seconds_now();
        let mut target = target(store, record)?.unwrap_or_default();
        for now in self.scan(store)?.unwrap_or_default() {
            if now.kind == Kind::Special {
                continue;
            }
            let kind = match target.remove(&now.path) {
                None => DifferenceKind::Added,
                Some(node) if self.differs(store, &now, &node, at)? => DifferenceKind::Changed,
                Some(_) => continue,
            };
            found.push(Difference { path: self.root.join(&now.path), kind });
        }
        let gone = target.into_keys().map(|path| self.root.join(path));
        found.extend(gone.map(|path| Difference { path, kind: DifferenceKind::Removed }));
        Ok(())
    }
}

/// The snapshot's entries by path, parents before children; none when the folder was absent.
fn target(store: &mut SnapshotStore, record: &PartRecord) -> Result<Option<BTreeMap<PathBuf, Node>>> {
    match record {
        PartRecord::Folder { listing: None } => Ok(None),
        PartRecord::Folder { listing: Some(listing) } => {
            let entries = read_listing(store, *listing)?;
            Ok(Some(entries.into_iter().map(|entry| (entry.path.to_path_buf(), entry.node)).collect()))
        }
        other => unreachable!("a {} record for a folder: State matches kinds", other.kind()),
    }
}

pub(super) fn read_link(path: &Path) -> Result<PathBuf> {
    fs::read_link(path).map_err(Error::io("read the link", path))
}

pub(super) fn seconds_now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as i64
}
