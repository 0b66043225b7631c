//! Copies of the application, each with a state of its own, so that sessions can be replayed side by side.

use std::fs;
use std::path::{Path, PathBuf};

use restage_state::{StateCopy, StateSpec};

use crate::app_spec::AppSpec;
use crate::copy_folder::{copy_tree, make_like};
use crate::error::AppError;
use crate::launch::{Launch, private_mounts_work};
use crate::layout::{Layout, real};

/// No more than this is copied for one copy, beside what snapshots put there.
const LARGEST: u64 = 4 << 30;

/// Where copies are made. They are removed with it.
#[derive(Debug)]
pub struct Copies {
    folder: PathBuf,
    own_folder: PathBuf,
    layout: Layout,
}

/// Copies that all worked on one database would undo each other's work.
fn refuse_what_is_shared(app: &AppSpec, state: Option<&StateSpec>) -> Result<(), AppError> {
    if state.is_some_and(|state| state.hook.is_some()) {
        return Err(AppError::NoCopy(
            "--jobs gives each copy of the app a state of its own, and what a hook keeps cannot be copied\n  hint: replay one session at a time, with --jobs 1".to_owned(),
        ));
    }
    let told =
        app.command.contains("{database}") || app.env.values().any(|value| value.contains("{database}"));
    match state.and_then(|state| state.databases.first()) {
        Some(database) if !told => Err(AppError::NoCopy(format!(
            "--jobs gives each copy of the app a database of its own, and the app `{}` is not told which\n  hint: let it take the name from its environment, and say so in restage.toml: [app] env = {{ DB_NAME = \"{{database}}\" }} (it is `{}` for the first, and `{}_restage_2` for the second)",
            app.name,
            database.name(),
            database.name()
        ))),
        _ => Ok(()),
    }
}

/// A copy: how it is started, and where its state is.
#[derive(Clone, Debug)]
pub struct AppCopy {
    /// How it is started.
    pub spec: AppSpec,
    /// Which it is, and where its folders are.
    pub launch: Launch,
}

impl Copies {
    /// Finds out how an app can be copied; nothing is copied yet. `own_folder` is restage's own.
    pub fn plan(app: &AppSpec, state: Option<&StateSpec>, own_folder: &Path) -> Result<Self, AppError> {
        refuse_what_is_shared(app, state)?;
        let own_folder = real(own_folder);
        let folder = own_folder.join("copies");
        let failed = |source| AppError::Write { path: folder.clone(), source };
        // Of a replay that was killed.
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        fs::create_dir_all(&folder).map_err(failed)?;
        let places = state.map(StateSpec::places).transpose()?.unwrap_or_default();
        let layout = Layout::of(app, places, private_mounts_work(&folder))?;
        Ok(Self { folder, own_folder, layout })
    }

    /// Makes a copy; its number is 2 at least, since 1 is the application itself. Its state is to be restored.
    pub fn make(&self, app: &AppSpec, number: u16) -> Result<AppCopy, AppError> {
        let root = self.folder.join(number.to_string());
        let mut moved = Vec::new();
        for (index, folder) in self.layout.folders.iter().enumerate() {
            let place = root.join(index.to_string());
            self.fill(folder, &place).map_err(|source| {
                AppError::NoCopy(format!(
                    "{} cannot be copied to {}: {source}\n  hint: --jobs 1 needs no copy",
                    folder.display(),
                    place.display()
                ))
            })?;
            moved.push((folder.clone(), place));
        }
        let mut mounts: Vec<(PathBuf, PathBuf)> = Vec::new();
        let mut logs = StateCopy { number, moved: moved.clone() };
        if self.layout.mounted {
            mounts.extend(moved.iter().map(|(from, to)| (to.clone(), from.clone())));
            for (index, file) in self.layout.files.iter().enumerate() {
                let place = root.join(format!("log{index}"));
                self.make_log(file, &place)?;
                mounts.push((place.clone(), file.clone()));
                logs.moved.push((file.clone(), place));
            }
        }
        let mut spec = app.clone();
        spec.log = app.log.with_extension(format!("{number}.log"));
        spec.logs = app.logs.iter().map(|log| logs.place(&real(log))).collect();
        let copy = StateCopy { number, moved };
        if !self.layout.mounted {
            self.run_elsewhere(&mut spec, &copy);
        }
        Ok(AppCopy { spec, launch: Launch { copy, mounts } })
    }

    fn fill(&self, folder: &Path, place: &Path) -> std::io::Result<()> {
        make_like(place, &fs::metadata(folder)?)?;
        if self.layout.places.folders.iter().any(|state| state == folder) {
            return Ok(());
        }
        let skip = |path: &Path| self.layout.is_left_out(path, &self.own_folder);
        copy_tree(folder, place, &skip, &mut LARGEST.clone())
    }

    /// A log that is not there yet is made: nothing can be mounted over nothing.
    fn make_log(&self, file: &Path, place: &Path) -> Result<(), AppError> {
        for path in [file, place] {
            let failed = |source| AppError::Write { path: path.to_owned(), source };
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(failed)?;
            }
            fs::OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        }
        Ok(())
    }

    /// Without mounts the copy is at another path; where the settings name the application's, they name the copy's.
    fn run_elsewhere(&self, spec: &mut AppSpec, copy: &StateCopy) {
        spec.dir = copy.place(&real(&spec.dir));
        for (from, to) in &copy.moved {
            let (from, to) = (from.display().to_string(), to.display().to_string());
            spec.command = spec.command.replace(&from, &to);
            spec.env.values_mut().for_each(|value| *value = value.replace(&from, &to));
        }
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        // What is left is removed before the next copies are made.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
