//! `[redact]`: what is secret, and where a replay gets the secrets of existing accounts.

use std::path::{Path, PathBuf};

use restage_redact::{RuleError, Rules};
use serde::Deserialize;

use crate::error::{ProjectError, SettingError};

/// Names a file of secrets, beside the one that `[redact]` names.
const SECRETS: &str = "RESTAGE_SECRETS";

/// `[redact]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct RedactConfig {
    /// Stores everything as it is.
    pub off: bool,
    /// Further names of parameters, fields, cookies, header fields and JSON members whose values are secret.
    names: Vec<String>,
    /// Further values that are: regular expressions.
    patterns: Vec<String>,
    /// Names and values that are no secrets.
    keep: Vec<String>,
    /// Where the secrets of existing accounts are.
    secrets: SecretsConfig,
}

/// `[redact] secrets`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SecretsConfig {
    /// A file of lines NAME=value.
    file: Option<PathBuf>,
    /// Names of the environment.
    env: Vec<String>,
}

impl RedactConfig {
    /// What is secret.
    pub fn rules(&self) -> Result<Rules, RuleError> {
        Rules::new(&self.names, &self.patterns, &self.keep)
    }

    /// The secrets of existing accounts, which stand-ins are replaced by before they are sent.
    pub fn secrets(&self, root: &Path, store: &Path) -> Result<Vec<String>, ProjectError> {
        let mut secrets = Vec::new();
        for name in &self.secrets.env {
            secrets.push(std::env::var(name).map_err(|_| ProjectError::MissingVariable {
                name: name.clone(),
                asked_by: "[redact] secrets",
            })?);
        }
        let listed = self.secrets.file.as_ref().map(|file| root.join(file));
        let files = listed.into_iter().chain(std::env::var_os(SECRETS).map(PathBuf::from));
        for file in files {
            if store
                .parent()
                .filter(|folder| folder.ends_with(".restage"))
                .is_some_and(|folder| std::path::absolute(&file).is_ok_and(|file| file.starts_with(folder)))
            {
                return Err(ProjectError::SecretsBesideStore(file));
            }
            secrets.extend(read_secrets(&file)?);
        }
        secrets.retain(|secret| !secret.is_empty());
        Ok(secrets)
    }
}

fn read_secrets(file: &Path) -> Result<Vec<String>, ProjectError> {
    let text = std::fs::read_to_string(file)
        .map_err(|source| ProjectError::SecretsFile { path: file.to_owned(), source })?;
    let mut secrets = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((_, value)) = line.strip_prefix("export ").unwrap_or(line).split_once('=') else {
            let error =
                SettingError::new("expected NAME=value").in_section(format_args!("line {}", number + 1));
            return Err(error.in_file(file));
        };
        secrets.push(unquoted(value.trim()).to_owned());
    }
    Ok(secrets)
}

fn unquoted(value: &str) -> &str {
    let inside = |mark: char| value.strip_prefix(mark).and_then(|value| value.strip_suffix(mark));
    inside('"').or_else(|| inside('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a value with a sign of its own, a quoted one, a line that says nothing.
    #[test]
    fn secrets_are_read_as_shells_write_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secrets");
        std::fs::write(&file, "# accounts\nADMIN=a=b\nexport ANNA=\"hunter 2\"\n\n").unwrap();
        assert_eq!(read_secrets(&file).unwrap(), ["a=b", "hunter 2"]);
        std::fs::write(&file, "A=1\noops\n").unwrap();
        assert!(read_secrets(&file).unwrap_err().to_string().contains("in line 2: expected NAME=value"));
    }
}
