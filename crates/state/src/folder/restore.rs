//! Writing a folder back: first what is too much goes, then what is missing or different comes, then the
//! directories get their permissions. Interrupted anywhere, the next restore does the rest.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::content;
use super::part::{FolderPart, read_link, seconds_now};
use super::scan::{Found, Kind};
use crate::attributes::Attributes;
use crate::error::{Error, Result};
use crate::manifest::{DatabaseRecord, Modified, Node};
use crate::report::RestoreReport;
use crate::snapshot_store::SnapshotStore;

type Target = BTreeMap<PathBuf, Node>;

/// What every entry's restore needs.
struct Work<'a> {
    store: &'a mut SnapshotStore,
    /// When the folder was scanned, in seconds since 1970.
    at: i64,
    opened: Opened,
    report: &'a mut RestoreReport,
}

impl FolderPart {
    /// Makes the folder hold exactly the snapshot's entries.
    pub(super) fn restore_entries(
        &mut self,
        store: &mut SnapshotStore,
        target: &Target,
        report: &mut RestoreReport,
    ) -> Result<()> {
        let at = seconds_now();
        let found = self.scan(store)?.unwrap_or_default();
        report.examined_files += found.len() as u64;
        let mut opened = Opened::default();
        self.remove_superfluous(&found, target, &mut opened, report)?;
        let current: BTreeMap<&Path, &Found> = found
            .iter()
            .filter(|found| is_kept(found, target))
            .map(|found| (found.path.as_path(), found))
            .collect();
        let mut work = Work { store, at, opened, report };
        for (path, node) in target {
            let now = current.get(path.as_path()).copied();
            self.restore_entry(&mut work, path, node, now)?;
        }
        let Work { opened, report, .. } = work;
        for (path, node) in target.iter().rev() {
            if let Node::Directory { attributes } = node {
                let path = self.root.join(path);
                let changed = attributes.put(&path)?;
                report.written_files += u64::from(changed && !opened.paths.contains(&path));
            }
        }
        Ok(())
    }

    /// Makes the folder not be there.
    pub(super) fn restore_absence(
        &mut self,
        store: &SnapshotStore,
        report: &mut RestoreReport,
    ) -> Result<()> {
        if self.root.is_symlink() {
            // The link appeared; what it points to is not ours.
            report.removed_files += 1;
            return fs::remove_file(&self.root).map_err(Error::io("remove", &self.root));
        }
        let found = self.scan(store)?.unwrap_or_default();
        report.examined_files += found.len() as u64;
        self.remove_superfluous(&found, &Target::new(), &mut Opened::default(), report)
    }

    /// Removes, children before parents, what the snapshot lacks or has as something else.
    fn remove_superfluous(
        &mut self,
        found: &[Found],
        target: &Target,
        opened: &mut Opened,
        report: &mut RestoreReport,
    ) -> Result<()> {
        for superfluous in found.iter().rev().filter(|found| !is_kept(found, target)) {
            let path = self.root.join(&superfluous.path);
            if !superfluous.path.as_os_str().is_empty() {
                opened.open_parent(&path)?;
            }
            let removed = match superfluous.kind {
                Kind::Directory => fs::remove_dir(&path),
                Kind::Database => {
                    self.database(&superfluous.path).remove(report)?;
                    self.databases.remove(&superfluous.path);
                    continue;
                }
                Kind::File | Kind::Symlink | Kind::Special => fs::remove_file(&path),
            };
            match removed {
                Ok(()) => report.removed_files += 1,
                Err(source) if source.kind() == ErrorKind::NotFound => {}
                // It holds what is excluded from this folder, such as the snapshot store.
                Err(source) if source.kind() == ErrorKind::DirectoryNotEmpty => {}
                Err(source) => return Err(Error::io("remove", &path)(source)),
            }
        }
        Ok(())
    }

    /// Makes one path what it was; `now` is what is there and can be kept.
    fn restore_entry(
        &mut self,
        work: &mut Work<'_>,
        path: &Path,
        node: &Node,
        now: Option<&Found>,
    ) -> Result<()> {
        let Work { store, at, opened, report } = work;
        let full = self.root.join(path);
        if now.is_none() && !path.as_os_str().is_empty() {
            opened.open_parent(&full)?;
        }
        match (node, now) {
            (Node::Directory { .. }, Some(_)) => {}
            (Node::Directory { .. }, None) => {
                fs::create_dir_all(&full).map_err(Error::io("make the folder", &full))?;
                report.written_files += 1;
            }
            (Node::Database(record), _) => self.database(path).restore(store, record, report)?,
            // The application has opened a database and not written to it, at the time.
            (Node::File { attributes, .. }, Some(now)) if now.kind == Kind::Database => {
                self.database(path).restore(store, &DatabaseRecord::Empty(*attributes), report)?;
            }
            (Node::File { attributes, modified, size, content }, now) => {
                let proven = now.and_then(|now| self.known(store, path, &now.metadata));
                let written = match now {
                    Some(now) if proven == Some(*content) && now.metadata.len() == *size => None,
                    Some(_) => content::patch(&full, store, *content, *size)?,
                    None => Some(content::create(&full, store, *content)?),
                };
                report.written_bytes += written.unwrap_or(0);
                let mut changed = written.is_some();
                if attributes.put(&full)? {
                    changed = true;
                }
                if changed || now.is_none_or(|now| Modified::of(&now.metadata) != *modified) {
                    modified.put(&full)?;
                    changed = true;
                }
                report.written_files += u64::from(changed);
                if let Some(now) = now.filter(|_| !changed) {
                    self.remember(store, now, *at, *content);
                }
            }
            (Node::Symlink { attributes, modified, target }, now) => {
                let target = target.to_path_buf();
                let same = now.is_some() && read_link(&full)? == target;
                if !same {
                    if now.is_some() {
                        opened.open_parent(&full)?;
                        fs::remove_file(&full).map_err(Error::io("remove", &full))?;
                    }
                    std::os::unix::fs::symlink(&target, &full).map_err(Error::io("make the link", &full))?;
                }
                let metadata = fs::symlink_metadata(&full).map_err(Error::io("examine", &full))?;
                let owner = attributes.put_owner(&full, Attributes::of(&metadata))?;
                let time = Modified::of(&metadata) != *modified;
                if time {
                    modified.put(&full)?;
                }
                report.written_files += u64::from(!same || owner || time);
            }
        }
        Ok(())
    }
}

/// Whether what was found can become what the snapshot has by that path, without being removed first.
fn is_kept(found: &Found, target: &Target) -> bool {
    let is_directory = |path: &Path| matches!(target.get(path), Some(Node::Directory { .. }));
    match (found.kind, target.get(&found.path)) {
        (Kind::Directory, Some(Node::Directory { .. }))
        | (Kind::File, Some(Node::File { .. }))
        | (Kind::Symlink, Some(Node::Symlink { .. }))
        | (Kind::Database, Some(Node::Database(_) | Node::File { size: 0, .. })) => true,
        // Nothing written yet, or no more: SQLite fills it in place.
        (Kind::File, Some(Node::Database(_))) => found.metadata.len() == 0,
        // Not saved, so not missed either; it goes only with its directory.
        (Kind::Special, None) => found.path.parent().is_some_and(is_directory),
        _ => false,
    }
}

/// Directories whose permissions had to be widened so that their entries can be changed.
#[derive(Default)]
struct Opened {
    checked: HashSet<PathBuf>,
    paths: HashSet<PathBuf>,
}

impl Opened {
    fn open_parent(&mut self, path: &Path) -> Result<()> {
        let Some(parent) = path.parent() else { return Ok(()) };
        if !self.checked.insert(parent.to_owned()) {
            return Ok(());
        }
        let metadata = match fs::metadata(parent) {
            Ok(metadata) => metadata,
            Err(source) if source.kind() == ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(Error::io("examine", parent)(source)),
        };
        let mode = metadata.permissions().mode();
        if mode & 0o300 != 0o300 {
            fs::set_permissions(parent, fs::Permissions::from_mode(mode | 0o700))
                .map_err(Error::io("open", parent))?;
            self.paths.insert(parent.to_owned());
        }
        Ok(())
    }
}
