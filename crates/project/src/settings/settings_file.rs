//! `restage.toml` as a text that commands add rules to. All else in it stays as people wrote it.

use std::path::{Path, PathBuf};

use super::config::{Config, FILE};
use super::new_rule::NewRule;
use crate::error::ProjectError;
use crate::project::Project;
use crate::toml_text;

/// The text of a project's `restage.toml`, to be changed.
#[derive(Clone, Debug)]
pub struct SettingsFile {
    path: PathBuf,
    text: String,
}

impl SettingsFile {
    /// Reads it; an error where the project has none.
    pub fn read(project: &Project) -> Result<Self, ProjectError> {
        if !project.configured {
            return Err(ProjectError::NoSettings(project.root.clone()));
        }
        let path = project.root.join(FILE);
        Ok(Self { text: toml_text::read(&path)?, path })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a rule, and returns what the file then says. What could not be read back is an error.
    pub fn add(&mut self, rule: &NewRule) -> Result<Config, ProjectError> {
        self.text = rule.put_into(&self.text).map_err(|e| e.in_file(&self.path))?;
        Config::parse(&self.path, &self.text)
    }

    /// Writes it, whole or not at all.
    pub fn write(&self) -> Result<(), ProjectError> {
        toml_text::write(&self.path, &self.text)
    }
}
