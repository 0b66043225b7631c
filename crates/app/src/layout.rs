//! What of an application must be its own in each copy, so that copies do not disturb each other.

use std::path::{Path, PathBuf};

use restage_state::Places;

use crate::app_spec::AppSpec;
use crate::error::AppError;

/// Which folders and files are a copy's own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Where the state is.
    pub(crate) places: Places,
    /// Folders, none inside another.
    pub(crate) folders: Vec<PathBuf>,
    /// Log files outside of them.
    pub(crate) files: Vec<PathBuf>,
    /// Whether the copies see them at the application's own paths, by private mounts. If not, the whole application is
    /// copied and runs from another place.
    pub(crate) mounted: bool,
}

impl Layout {
    /// The layout of an app's copies.
    pub(crate) fn of(app: &AppSpec, places: Places, mounted: bool) -> Result<Self, AppError> {
        let mut folders = places.folders.clone();
        for file in &places.sqlite {
            // SQLite keeps other files beside it, and makes and removes them: the folder is what must be private.
            let folder = file.parent().unwrap_or(file);
            if !folders.iter().any(|outer| folder.starts_with(outer)) {
                folders.push(folder.to_owned());
            }
        }
        let files: Vec<PathBuf> = app.logs.iter().map(|log| real(log)).collect();
        if mounted {
            Self::with_mounts(places, folders, files)
        } else {
            Self::with_moves(app, places, folders, files)
        }
    }

    fn with_mounts(places: Places, folders: Vec<PathBuf>, mut files: Vec<PathBuf>) -> Result<Self, AppError> {
        let mut own: Vec<PathBuf> = Vec::new();
        for folder in folders {
            match &places.base {
                Some(base) if base.starts_with(&folder) && *base != folder => {
                    return Err(refused(
                        &folder,
                        "holds the project and more",
                        "keep the SQLite file in a folder of its own",
                    ));
                }
                // There is nothing to mount over: the folder it is in has to be private.
                Some(base) if !folder.is_dir() && folder.starts_with(base) => own.push(base.clone()),
                _ if !folder.is_dir() => {
                    return Err(refused(
                        &folder,
                        "is not there",
                        "make it, or start the application once, which makes it",
                    ));
                }
                _ => own.push(folder),
            }
        }
        let folders = outermost(own);
        files.retain(|file| !folders.iter().any(|folder| file.starts_with(folder)));
        Ok(Self { places, folders, files, mounted: true })
    }

    fn with_moves(
        app: &AppSpec,
        places: Places,
        folders: Vec<PathBuf>,
        files: Vec<PathBuf>,
    ) -> Result<Self, AppError> {
        let Some(base) = places.base.clone() else {
            return Ok(Self { places, folders: Vec::new(), files: Vec::new(), mounted: false });
        };
        let outside = |path: &PathBuf| !path.starts_with(&base);
        let dir = real(&app.dir);
        if let Some(path) = folders.iter().chain(&files).chain([&dir]).find(|path| outside(path)) {
            return Err(refused(
                path,
                "lies outside of the project, and this system allows no private mounts (`unshare --mount`)",
                "replay one session at a time, or allow user namespaces",
            ));
        }
        Ok(Self { places, folders: vec![base], files: Vec::new(), mounted: false })
    }

    /// Whether something in a folder that is copied is not copied with it: it is put there by a snapshot, or is of no
    /// use to a copy.
    pub(crate) fn is_left_out(&self, path: &Path, own_folder: &Path) -> bool {
        let beside = |file: &Path| {
            ["-wal", "-shm", "-journal"].iter().any(|suffix| {
                let mut name = file.as_os_str().to_owned();
                name.push(suffix);
                path.as_os_str() == name
            })
        };
        path == own_folder
            || path.ends_with(".restage")
            || path.ends_with(".git")
            || self.places.folders.iter().any(|folder| folder == path)
            || self.places.sqlite.iter().any(|file| file == path || beside(file))
    }
}

/// A path without links and dots, as far as it exists.
pub(crate) fn real(path: &Path) -> PathBuf {
    let there = |path: &Path| path.canonicalize().ok();
    let below = || Some(there(path.parent()?)?.join(path.file_name()?));
    there(path).or_else(below).unwrap_or_else(|| path.to_owned())
}

fn outermost(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    folders.sort();
    let mut kept: Vec<PathBuf> = Vec::new();
    for folder in folders {
        if !kept.iter().any(|outer| folder.starts_with(outer)) {
            kept.push(folder);
        }
    }
    kept
}

fn refused(path: &Path, why: &str, remedy: &str) -> AppError {
    AppError::NoCopy(format!(
        "the application cannot be copied for --jobs: {} {why}\n  hint: {remedy}",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;
    use crate::app_spec::Restart;

    fn layout(root: &Path, folders: &[&str], sqlite: &[&str], mounted: bool) -> Result<Layout, AppError> {
        let base = root.join("app");
        let at = |paths: &[&str]| paths.iter().map(|path| base.join(path)).collect();
        let app = AppSpec {
            address: None,
            clock: crate::clock::Clock::Real,
            name: "test".to_owned(),
            command: String::new(),
            dir: base.clone(),
            env: BTreeMap::new(),
            ready: "/".to_owned(),
            ready_timeout: Duration::ZERO,
            request_timeout: Duration::ZERO,
            stop_timeout: crate::app_spec::STOP_TIMEOUT,
            grain: Duration::ZERO,
            restart: Restart::Never,
            database: None,
            log: base.join(".restage/logs/test.log"),
            logs: vec![base.join("log/error.log"), base.join("data/app.log")],
        };
        Layout::of(
            &app,
            Places { base: Some(base.clone()), folders: at(folders), sqlite: at(sqlite) },
            mounted,
        )
    }

    /// Catches: a database whose journal two copies share; a copy of somebody's whole home.
    #[test]
    fn what_must_be_private_is_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let base = root.join("app");
        for name in ["app/data/sub", "app/db", "app/log"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        let apart = layout(&root, &["data"], &["db/shop.db", "data/sub/x.db"], true).unwrap();
        assert_eq!(apart.folders, [base.join("data"), base.join("db")]);
        assert_eq!(apart.files, [base.join("log/error.log")], "the other lies in a private folder");
        let beside_the_code = layout(&root, &["data"], &["shop.db"], true).unwrap();
        assert_eq!(beside_the_code.folders, std::slice::from_ref(&base));
        let not_there_yet = layout(&root, &["uploads"], &[], true).unwrap();
        assert_eq!(not_there_yet.folders, std::slice::from_ref(&base));
        let outer =
            Places { base: Some(base.clone()), folders: Vec::new(), sqlite: vec![root.join("shop.db")] };
        let refused = Layout::with_mounts(outer, vec![root.clone()], Vec::new()).unwrap_err().to_string();
        assert!(refused.contains("holds the project") && refused.contains("hint:"), "{refused}");
        let skipped = |path: &str| beside_the_code.is_left_out(&base.join(path), &base.join(".restage"));
        for path in ["shop.db", "shop.db-wal", "shop.db-journal", "data", ".restage", ".git"] {
            assert!(skipped(path), "{path}");
        }
        assert!(!skipped("shop.dbx") && !skipped("database"));
        let moved = layout(&root, &["data"], &["db/shop.db"], false).unwrap();
        assert_eq!((moved.folders, moved.mounted), (vec![base], false));
    }
}
