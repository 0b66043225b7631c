//! An application's folder and its environment: what a setting comes to there, and how it is referred to.

use std::path::Path;

use super::database::Field;
use super::dotenv;
use super::setting::Setting;

/// Files of environment variables, the one that counts most first.
const ENV_FILES: &[&str] = &[".env.local", ".env.development.local", ".env.development", ".env"];
/// The most that is read of a file.
const LONGEST: u64 = 1 << 20;

/// An application's folder and its environment.
pub(crate) struct Application<'a> {
    pub(crate) folder: &'a Path,
    environment: &'a dyn Fn(&str) -> Option<String>,
    /// What its .env files say.
    pub(crate) env_files: Vec<(&'static str, Vec<(String, String)>)>,
}

/// What a setting comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// Its value, where that is known.
    pub(crate) value: Option<String>,
    /// How `restage.toml` refers to it: `NAME` of the environment, or `FILE:NAME`.
    pub(crate) reference: Option<String>,
    /// Where it was found, for people.
    pub(crate) place: String,
}

impl<'a> Application<'a> {
    pub(crate) fn new(folder: &'a Path, environment: &'a dyn Fn(&str) -> Option<String>) -> Self {
        let read = |name: &&'static str| Some((*name, dotenv::parse(&read(&folder.join(name))?)));
        Self { folder, environment, env_files: ENV_FILES.iter().filter_map(read).collect() }
    }

    /// A file of the application, where it is there and not too long.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        read(&self.folder.join(name))
    }

    /// What a setting comes to that a file has under a name.
    pub(crate) fn resolve(&self, file: &str, name: &str, setting: &Setting) -> Resolved {
        match setting {
            Setting::Literal(text) => Resolved {
                value: Some(text.clone()),
                reference: Some(format!("{file}:{name}")),
                place: format!("{name} in {file}"),
            },
            Setting::Environment { name: variable, default } => {
                if let Some(value) = (self.environment)(variable) {
                    let place = format!("{variable} in the environment");
                    return Resolved { value: Some(value), reference: Some(variable.clone()), place };
                }
                if let Some((file, value)) = self.in_env_file(variable) {
                    return Resolved {
                        value: Some(value.to_owned()),
                        reference: Some(format!("{file}:{variable}")),
                        place: format!("{variable} in {file}"),
                    };
                }
                match default {
                    Some(default) => {
                        Resolved { value: Some(default.clone()), reference: None, place: file.to_owned() }
                    }
                    None => {
                        Resolved { value: None, reference: Some(variable.clone()), place: file.to_owned() }
                    }
                }
            }
        }
    }

    /// The name in the environment that a field comes from, where it comes from one.
    pub(crate) fn variable(&self, file: &str, field: &Field) -> Option<String> {
        match &field.setting {
            Setting::Environment { name, .. } => Some(name.clone()),
            Setting::Literal(_) => file.starts_with(".env").then(|| field.name.clone()),
        }
    }

    fn in_env_file(&self, variable: &str) -> Option<(&'static str, &str)> {
        self.env_files.iter().find_map(|(file, pairs)| {
            let (_, value) = pairs.iter().rev().find(|(name, _)| name == variable)?;
            Some((*file, value.as_str()))
        })
    }
}

fn read(path: &Path) -> Option<String> {
    let size = std::fs::metadata(path).ok().filter(|metadata| metadata.is_file())?.len();
    if size > LONGEST {
        return None;
    }
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
