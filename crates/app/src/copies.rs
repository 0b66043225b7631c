//! Copies of the application, each with a state of its own, so that sessions can be replayed side by side.

use std::fs;
use std::path::{Path, PathBuf};

use restage_state::{DatabaseSpec, StateCopy, StateSpec};

use crate::app_spec::AppSpec;
use crate::copy_folder::{copy_tree, make_like};
use crate::error::AppError;
use crate::launch::{Launch, private_mounts_work};
use crate::layout::{Layout, real};
use crate::placeholders::tells_database;

/// The folder of copies, in restage's own.
const FOLDER: &str = "copies";
/// The file in it that lists the databases of copies.
const DATABASES: &str = "databases";
/// No more than this is copied for one copy, beside what snapshots put there.
const LARGEST: u64 = 4 << 30;

/// Where copies are made. They are removed with it.
#[derive(Debug)]
pub struct Copies {
    folder: PathBuf,
    own_folder: PathBuf,
    layout: Layout,
    /// The databases of all copies, which are made and removed with the states of these.
    databases: Vec<DatabaseSpec>,
}

/// Copies that all worked on one database would undo each other's work.
fn refuse_what_is_shared(app: &AppSpec, state: Option<&StateSpec>) -> Result<(), AppError> {
    if state.is_some_and(|state| state.hook.is_some()) {
        return Err(AppError::NoCopy(
            "--jobs gives each copy of the app a state of its own, and what a hook keeps cannot be copied\n  hint: replay one session at a time, with --jobs 1".to_owned(),
        ));
    }
    let databases = state.map(|state| state.databases.as_slice()).unwrap_or_default();
    let texts = || std::iter::once(&app.command).chain(app.env.values());
    let untold = databases
        .iter()
        .enumerate()
        .find(|(place, database)| !texts().any(|text| tells_database(text, database.name(), *place == 0)));
    let Some((place, database)) = untold else { return Ok(()) };
    let name = database.name();
    let placeholder = if place == 0 { "{database}".to_owned() } else { format!("{{database:{name}}}") };
    Err(AppError::NoCopy(format!(
        "--jobs gives each copy of the app a database of its own, and the app `{}` is not told which for `{name}`\n  hint: let it take the name from its environment, and say so in restage.toml: [app] env = {{ DB_NAME = \"{placeholder}\" }} (it is `{name}` for the first, and `{name}_restage_2` for the second)",
        app.name
    )))
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
    /// Finds out how an app can be copied so many times, itself included; nothing is copied yet. `own_folder` is restage's own.
    pub fn plan(
        app: &AppSpec,
        state: Option<&StateSpec>,
        own_folder: &Path,
        copies: u16,
    ) -> Result<Self, AppError> {
        refuse_what_is_shared(app, state)?;
        let own_folder = real(own_folder);
        let folder = own_folder.join(FOLDER);
        let failed = |source| AppError::Write { path: folder.clone(), source };
        // Of a replay that was killed.
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        fs::create_dir_all(&folder).map_err(failed)?;
        // Before there are any: whoever finds the folder knows what to remove.
        let of_state = state.iter().flat_map(|state| &state.databases);
        let databases: Vec<DatabaseSpec> = of_state
            .flat_map(|database| {
                let name = |number| StateCopy { number, moved: Vec::new() }.database(database.name());
                (2..=copies).map(move |number| database.named(&name(number)))
            })
            .collect();
        let listed: String = databases.iter().map(|database| format!("{}\n", database.name())).collect();
        fs::write(folder.join(DATABASES), listed).map_err(failed)?;
        let places = state.map(StateSpec::places).transpose()?.unwrap_or_default();
        let layout = Layout::of(app, places, private_mounts_work(&folder))?;
        Ok(Self { folder, own_folder, layout, databases })
    }

    /// Whether a replay that was killed has left copies behind.
    pub fn left_behind(own_folder: &Path) -> bool {
        real(own_folder).join(FOLDER).exists()
    }

    /// Removes the copies that a replay which was killed has left behind, with their databases, whose names are returned.
    pub fn remove_left_behind(own_folder: &Path, state: &StateSpec) -> Result<Vec<String>, AppError> {
        let folder = real(own_folder).join(FOLDER);
        let failed = |source| AppError::Write { path: folder.clone(), source };
        let listed = fs::read_to_string(folder.join(DATABASES)).unwrap_or_default();
        let mut removed = Vec::new();
        for name in listed.lines() {
            let is_copy =
                |label: &str| name.strip_prefix(label).is_some_and(|rest| rest.starts_with("_restage_"));
            let database = state.databases.iter().find(|database| is_copy(database.name()));
            if let Some(copy) = database.map(|database| database.named(name))
                && copy.remove_copy()?
            {
                removed.push(name.to_owned());
            }
        }
        fs::remove_dir_all(&folder).map_err(failed)?;
        Ok(removed)
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
        // Where a server went away, its databases are still there: then the list of them stays, and the next command that uses the
        // state removes them. What else is left is removed before the next copies are made.
        let gone = self.databases.iter().all(|database| database.remove_copy().is_ok());
        if gone {
            let _ = fs::remove_dir_all(&self.folder);
            return;
        }
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name() != DATABASES {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}
