//! The address of a database, with what stands for a part of it filled in, so that a password need not be written down.
//!
//! `${NAME}` is a variable of the environment, `${FILE:NAME}` a value in a file of the application: `.env`, `wp-config.php`,
//! `config/database.yml`, settings of Django.

use std::path::Path;

use crate::detect::{encoded, normalised, value_in};
use crate::error::SettingError;

/// An address as it is used. Files are below `root`.
pub(super) fn filled_in(root: &Path, text: &str) -> Result<String, SettingError> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else {
            return Err(SettingError::new(format!("`${{` without `}}` in `{text}`")));
        };
        out.push_str(before);
        match name.rsplit_once(':') {
            Some((file, name)) => {
                let value = value_in(root, file, name).map_err(|error| {
                    SettingError::new(error)
                        .or_hint("${FILE:NAME} is a value in a file of the application, ${NAME} one of the environment")
                })?;
                // A file of the application has it as it is, and not as a part of an address.
                let whole = before.is_empty() && after.is_empty() && out.is_empty();
                out.push_str(&if whole { normalised(&value) } else { encoded(&value) });
            }
            None => {
                let value = std::env::var(name).map_err(|_| {
                    SettingError::new(format!("the environment has no {name}, which [state] asks for"))
                        .or_hint(format!("export {name}=… first"))
                })?;
                let whole = before.is_empty() && after.is_empty() && out.is_empty();
                out.push_str(&if whole { normalised(&value) } else { value });
            }
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a password with signs that mean something in an address; a name that is nowhere, told without a remedy.
    #[test]
    fn values_come_from_the_applications_own_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(".env", "URL=mysql2://u:p@h/x?pool=5\nPASSWORD='a@b/c'\n");
        write("wp-config.php", "<?php define('DB_PASSWORD', 's3:cret');");
        write("config/database.yml", "development:\n  password: yes#1\n");
        write("site/settings.py", "DATABASES = {'default': {'PASSWORD': 'x y'}}");
        for (text, expected) in [
            ("${.env:URL}", "mysql://u:p@h/x"),
            ("mysql://u:${.env:PASSWORD}@h/x", "mysql://u:a%40b%2Fc@h/x"),
            ("mysql://u:${wp-config.php:DB_PASSWORD}@h/x", "mysql://u:s3%3Acret@h/x"),
            ("mysql://u:${config/database.yml:development.password}@h/x", "mysql://u:yes%231@h/x"),
            ("mysql://u:${site/settings.py:PASSWORD}@h/x", "mysql://u:x%20y@h/x"),
            ("mysql://h/x", "mysql://h/x"),
        ] {
            assert_eq!(filled_in(folder.path(), text).unwrap(), expected);
        }
        for text in ["${.env:NO}", "${no.env:X}", "${RESTAGE_NO_SUCH_VARIABLE}", "${x"] {
            let told =
                filled_in(folder.path(), text).unwrap_err().in_file(Path::new("restage.toml")).to_string();
            assert!(told.contains("hint:") || text == "${x", "{told}");
        }
    }
}
