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

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a rule that makes the file unreadable for the next command.
    #[test]
    fn a_rule_that_cannot_be_read_back_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        std::fs::write(&path, "[app]\ncommand = \"x\" # mine\n").unwrap();
        let project = Project::find(Some(folder.path()), None).unwrap();
        let rule = |key: &str| NewRule::Oracle { key: key.to_owned(), oracle: "Flist".to_owned() };
        let mut file = SettingsFile::read(&project).unwrap();
        assert!(file.add(&rule("/cart")).unwrap_err().to_string().contains("`/cart` is no key"));
        let mut file = SettingsFile::read(&project).unwrap();
        assert_eq!(file.add(&rule("GET /cart")).unwrap().oracle_rules().unwrap().rules.len(), 1);
        file.write().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("[app]\ncommand = \"x\" # mine\n") && text.contains("GET /cart"), "{text}");
    }
}
