//! Databases of a Django project: the settings that `manage.py` names, and those beside them.

use super::application::Application;
use super::database::{Field, Fields, FoundDatabase, by_address, by_fields};
use super::python::{self, DjangoDatabase};

/// Files of settings in a folder of them, in the order in which they are looked at.
const IN_FOLDER: &[&str] = &[
    "__init__.py",
    "local.py",
    "dev.py",
    "development.py",
    "base.py",
    "common.py",
    "defaults.py",
    "production.py",
];

/// Every database that the settings name.
pub(crate) fn find(application: &Application<'_>) -> Vec<Result<FoundDatabase, String>> {
    let Some(manage) = application.read("manage.py") else { return Vec::new() };
    let Some(module) = python::settings_module(&manage) else {
        return vec![Err(
            "manage.py names no settings that could be read: set [state] in restage.toml".to_owned()
        )];
    };
    let base = module.replace('.', "/");
    let folder = IN_FOLDER.iter().map(|name| format!("{base}/{name}"));
    // `settings.local` takes over from `settings.base`.
    let siblings = base.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let beside =
        siblings.iter().flat_map(|folder| IN_FOLDER.iter().map(move |name| format!("{folder}/{name}")));
    let mut seen = None;
    for file in std::iter::once(format!("{base}.py")).chain(folder).chain(beside) {
        let Some(text) = application.read(&file) else { continue };
        let found = python::databases(&text);
        if !found.is_empty() {
            return of_file(application, &file, &found);
        }
        seen = seen.or(Some(file));
    }
    let seen = seen.unwrap_or_else(|| format!("{base}.py"));
    vec![Err(format!("{seen} has no DATABASES that could be read: set [state] in restage.toml"))]
}

fn of_file(
    application: &Application<'_>,
    file: &str,
    found: &[DjangoDatabase],
) -> Vec<Result<FoundDatabase, String>> {
    let mut all: Vec<(&str, Result<FoundDatabase, String>)> = Vec::new();
    for database in found {
        let result = match &database.address {
            Some(setting) => by_address(application, file, "DATABASES", setting),
            None if database.settings.is_empty() => Err(format!(
                "{file} makes its database `{}` in a way that could not be read: set [state] in restage.toml",
                database.alias
            )),
            None => by_fields(application, file, &fields(database), None),
        };
        // Settings that choose between two in an `if` name both: the first that is known counts.
        match all.iter_mut().find(|(alias, _)| *alias == database.alias) {
            Some((_, known)) if known.is_err() && result.is_ok() => *known = result,
            Some(_) => {}
            None => all.push((&database.alias, result)),
        }
    }
    all.into_iter().map(|(_, result)| result).collect()
}

fn fields(database: &DjangoDatabase) -> Fields {
    let field = |name: &str| {
        let named = database.settings.iter().find(|named| named.name == name)?;
        Some(Field { name: name.to_owned(), setting: named.setting.clone() })
    };
    Fields {
        kind: field("ENGINE"),
        host: field("HOST"),
        port: field("PORT"),
        name: field("NAME"),
        user: field("USER"),
        password: field("PASSWORD"),
        socket: None,
    }
}
