//! A value of an application's own file, by its name there: `${.env:DB_PASSWORD}` in an address of `[state]`.

use std::path::Path;

use super::{dotenv, php, python, yaml};

/// The value that a file has under a name; why not, where it has none.
pub(crate) fn value_in(root: &Path, file: &str, name: &str) -> Result<String, String> {
    let path = root.join(file);
    let text = std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let value = match path.extension().and_then(|extension| extension.to_str()) {
        Some("php") => php::value_of(&text, name),
        Some("py") => python::value_of(&text, name),
        Some("yml" | "yaml") => yaml::parse(&text)
            .at(name)
            .and_then(yaml::Node::setting)
            .and_then(super::setting::Setting::literal),
        _ => dotenv::value(&text, name),
    };
    value.ok_or_else(|| format!("{} has no {name} that could be read", path.display()))
}
