//! Which parts the state has, and the parts made of it.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::copy::{Places, StateCopy};
use crate::error::{Error, Result};
use crate::folder::FolderPart;
use crate::hook::{HookPart, HookSpec};
use crate::part::Part;
use crate::server::{DatabaseSpec, ServerPart};
use crate::sqlite::{SqlitePart, sibling_paths};

/// What the application persists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateSpec {
    /// Folders, by absolute path.
    #[serde(default)]
    pub folders: Vec<PathBuf>,
    /// SQLite files, by absolute path.
    #[serde(default)]
    pub sqlite: Vec<PathBuf>,
    /// Databases on servers.
    #[serde(default)]
    pub databases: Vec<DatabaseSpec>,
    /// A program that saves and restores what else there is.
    #[serde(default)]
    pub hook: Option<HookSpec>,
    /// The application's own folder. A snapshot names the parts under it relative to it, so that it can be
    /// restored into another checkout, or another copy, of the application.
    #[serde(default)]
    pub base: Option<PathBuf>,
}

impl StateSpec {
    /// The parts, each path once: a folder inside a listed folder belongs to that one, a listed SQLite
    /// file inside a folder is taken out of it.
    /// Those of a copy lie where it has them, under the names of the application's own.
    pub(crate) fn parts(&self, store: &Path, copy: &StateCopy) -> Result<Vec<Box<dyn Part>>> {
        let Places { base, folders, sqlite } = self.places()?;
        let label = |path: &Path| {
            let below = base.as_deref().and_then(|base| path.strip_prefix(base).ok());
            below.unwrap_or(path).to_owned()
        };
        let placed: Vec<PathBuf> = sqlite.iter().map(|path| copy.place(path)).collect();
        let mut parts: Vec<Box<dyn Part>> = Vec::new();
        for folder in folders {
            let place = copy.place(&folder);
            let mut excluded: HashSet<PathBuf> = placed.iter().cloned().collect();
            excluded.extend(placed.iter().flat_map(|path| sibling_paths(path)));
            excluded.extend(store_within(store, &place)?);
            parts.push(Box::new(FolderPart::new(label(&folder), place, excluded)));
        }
        // After the folders: a listed file may lie in one that has to be made first.
        for path in sqlite {
            parts.push(Box::new(SqlitePart::new(label(&path), copy.place(&path))));
        }
        for database in &self.databases {
            // A copy's own: made when it is first restored, removed in the end.
            let own = database.named(&copy.database(database.name()));
            parts.push(Box::new(if own == *database {
                ServerPart::new(&own)?
            } else {
                ServerPart::copy(&own)?
            }));
        }
        // Last: it may look at what the others have put back.
        if let Some(hook) = &self.hook {
            let program = resolve(&hook.program)?;
            parts.push(Box::new(HookPart::new(label(&program), hook.clone())));
        }
        Ok(parts)
    }

    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.folders.is_empty() && self.sqlite.is_empty() && self.databases.is_empty() && self.hook.is_none()
    }
}

pub(crate) fn resolve_all(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut resolved = paths.iter().map(|path| resolve(path)).collect::<Result<Vec<_>>>()?;
    resolved.sort();
    resolved.dedup();
    Ok(resolved)
}

/// The path without links and dots, as far as it exists: two spellings of one place must be one part.
pub(crate) fn resolve(path: &Path) -> Result<PathBuf> {
    if !path.is_absolute() {
        return Err(Error::RelativePath { path: path.to_owned() });
    }
    let mut rest = Vec::new();
    let mut existing = path;
    loop {
        if let Ok(mut resolved) = fs::canonicalize(existing) {
            resolved.extend(rest.iter().rev());
            return Ok(resolved);
        }
        let mut components = existing.components();
        match components.next_back() {
            Some(Component::Normal(name)) => rest.push(name),
            // Dots under something that does not exist: nothing to resolve them by.
            Some(Component::ParentDir) => return Err(Error::RelativePath { path: path.to_owned() }),
            _ => return Ok(path.to_owned()),
        }
        existing = components.as_path();
    }
}

pub(crate) fn outermost(sorted: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for folder in sorted {
        if !kept.iter().any(|outer| folder.starts_with(outer)) {
            kept.push(folder);
        }
    }
    kept
}

/// What of the snapshot store lies in the folder and has to be left out of it: its `.restage` folder.
fn store_within(store: &Path, folder: &Path) -> Result<Option<PathBuf>> {
    let Ok(inside) = store.strip_prefix(folder) else { return Ok(None) };
    let mut path = folder.to_owned();
    for component in inside.parent().into_iter().flat_map(Path::components) {
        path.push(component);
        if component.as_os_str() == ".restage" {
            return Ok(Some(path));
        }
    }
    Err(Error::SnapshotStoreInFolder { store: store.to_owned(), folder: folder.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_once_and_named_relative_to_the_base() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("data/sub")).unwrap();
        let spec = StateSpec {
            folders: vec![root.join("data/sub"), root.join("data"), root.join("data/../data")],
            sqlite: vec![root.join("data/shop.db"), root.join("data/sub/../shop.db")],
            base: Some(root.clone()),
            ..StateSpec::default()
        };
        let parts = spec.parts(Path::new("/elsewhere/store.db"), &StateCopy::default()).unwrap();
        let labels: Vec<_> = parts.iter().map(|part| (part.kind(), part.label().to_str().unwrap())).collect();
        assert_eq!(labels, [("folder", "data"), ("sqlite", "data/shop.db")]);
    }

    #[test]
    fn a_relative_path_is_refused() {
        let spec = StateSpec { folders: vec!["data".into()], ..StateSpec::default() };
        assert!(matches!(
            spec.parts(Path::new("/store"), &StateCopy::default()).err().unwrap(),
            Error::RelativePath { .. }
        ));
    }

    #[test]
    fn a_snapshot_store_inside_a_folder_is_refused_unless_in_dot_restage() {
        let within = |store| store_within(Path::new(store), Path::new("/app"));
        assert_eq!(within("/store.db").unwrap(), None);
        assert_eq!(within("/app/.restage/store.db").unwrap(), Some("/app/.restage".into()));
        assert_eq!(within("/app/x/.restage/y/store.db").unwrap(), Some("/app/x/.restage".into()));
        assert!(matches!(within("/app/store.db"), Err(Error::SnapshotStoreInFolder { .. })));
    }
}
