//! Probes are put into an app's environment, each copy of the app with a facts file of its own.
//!
//! What they need is in restage's own folder, readable by its owner alone, and goes with the run.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use restage_app::{AppSpec, Launch};
use restage_facts::{ProbeSetting, Want, probes};

use crate::facts::asked::FactsAsked;

/// The folder of it in restage's own.
const FOLDER: &str = "facts";
/// The facts file in the folder of a copy.
const FILE: &str = "facts.jsonl";

/// What an app was given. It is removed when dropped; the app must have ended.
#[derive(Debug)]
pub(crate) struct Equipment {
    folder: PathBuf,
    /// The facts file, as restage sees it.
    pub(crate) file: PathBuf,
}

impl Equipment {
    /// Writes the probes, and puts them into the environment that an app is to be started with.
    pub(crate) fn put_into(
        app: &mut AppSpec,
        launch: &Launch,
        own_folder: &Path,
        asked: &FactsAsked,
    ) -> Result<Self, std::io::Error> {
        let own_folder = own_folder.canonicalize()?;
        // As the app sees it: a copy may have another folder in the place of restage's.
        let inside = own_folder.join(FOLDER).join(launch.copy.number.to_string());
        let folder = outside(&inside, launch);
        if folder.exists() {
            // Of a replay that was killed.
            fs::remove_dir_all(&folder)?;
        }
        private_folder(&folder)?;
        let equipment = Self { file: folder.join(FILE), folder };
        private_file(&equipment.file, "")?;
        let file = text(&inside.join(FILE));
        let roots = match asked.folders.as_slice() {
            [] => vec![text(&real(&app.dir))],
            folders => folders.iter().map(|folder| text(&real(&launch.copy.place(&real(folder))))).collect(),
        };
        let mut inherited: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        inherited.extend(app.env.clone());
        let want: Vec<&str> = asked.want.iter().copied().map(Want::name).collect();
        let variables = [
            ("RESTAGE_FACTS", file.clone()),
            ("RESTAGE_FACTS_WANT", want.join(",")),
            ("RESTAGE_FACTS_ROOT", roots.join(":")),
        ];
        app.env.extend(variables.map(|(name, value)| (name.to_owned(), value)));
        for probe in probes() {
            private_folder(&equipment.folder.join(probe.name))?;
            for (name, content) in probe.files {
                let path = equipment.folder.join(probe.name).join(name);
                path.parent().map_or(Ok(()), private_folder)?;
                private_file(&path, content)?;
            }
            let setting = ProbeSetting {
                folder: text(&inside.join(probe.name)),
                facts: file.clone(),
                want: asked.want.clone(),
                roots: roots.clone(),
                inherited: inherited.clone(),
            };
            let variables = (probe.environment)(&setting);
            // Two languages may share one: LD_PRELOAD, PATH.
            inherited.extend(variables.clone());
            app.env.extend(variables);
        }
        Ok(equipment)
    }
}

impl Drop for Equipment {
    fn drop(&mut self) {
        // What is left over is removed before the next.
        let _ = fs::remove_dir_all(&self.folder);
        if let Some(all) = self.folder.parent() {
            let _ = fs::remove_dir(all);
        }
    }
}

/// Where a path that the app sees is, as restage sees it.
fn outside(inside: &Path, launch: &Launch) -> PathBuf {
    let below =
        launch.mounts.iter().find_map(|(what, over)| Some(what.join(inside.strip_prefix(over).ok()?)));
    below.unwrap_or_else(|| inside.to_owned())
}

fn private_folder(path: &Path) -> Result<(), std::io::Error> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn private_file(path: &Path, content: &str) -> Result<(), std::io::Error> {
    // A probe may stand before the language's own program.
    let mode = if content.starts_with("#!") { 0o700 } else { 0o600 };
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(content.as_bytes())
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
