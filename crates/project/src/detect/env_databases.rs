//! Databases that `.env` files and the environment name: an address in one, or host, name and so on under names with one
//! beginning.

use restage_state::ServerKind;

use super::application::Application;
use super::database::{Field, Fields, FoundDatabase, by_address, by_fields, is_address};
use super::setting::Setting;

/// How names begin that belong together, and which kind of database they mean where they do not say.
const FAMILIES: &[(&str, Option<ServerKind>)] = &[
    ("DB_", None),
    ("DATABASE_", None),
    ("POSTGRES_", Some(ServerKind::Postgres)),
    ("POSTGRESQL_", Some(ServerKind::Postgres)),
    ("PG", Some(ServerKind::Postgres)),
    ("MYSQL_", Some(ServerKind::Mariadb)),
    ("MARIADB_", Some(ServerKind::Mariadb)),
];

/// The address in one that most frameworks know.
const ADDRESS: &str = "DATABASE_URL";

/// The database of `DATABASE_URL`, where that is set.
pub(crate) fn of_address(application: &Application<'_>) -> Option<Result<FoundDatabase, String>> {
    let setting = Setting::Environment { name: ADDRESS.to_owned(), default: None };
    let resolved = application.resolve(".env", ADDRESS, &setting);
    resolved.value.filter(|value| is_address(value))?;
    Some(by_address(application, ".env", ADDRESS, &setting))
}

/// Every database that `.env` files name.
pub(crate) fn of_files(application: &Application<'_>) -> Vec<Result<FoundDatabase, String>> {
    let variable = |name: &str| Setting::Environment { name: name.to_owned(), default: None };
    let mut found: Vec<Result<FoundDatabase, String>> = of_address(application).into_iter().collect();
    for (file, pairs) in &application.env_files {
        for (name, value) in pairs.iter().filter(|(name, value)| name != ADDRESS && is_address(value)) {
            // A store of what can be lost.
            if !value.starts_with("redis") {
                found.push(by_address(application, file, name, &variable(name)));
            }
        }
        if !found.iter().any(Result::is_ok) {
            found.extend(FAMILIES.iter().filter_map(|family| of_family(application, file, pairs, *family)));
        }
    }
    found
}

fn of_family(
    application: &Application<'_>,
    file: &str,
    pairs: &[(String, String)],
    (beginning, kind): (&str, Option<ServerKind>),
) -> Option<Result<FoundDatabase, String>> {
    let field = |names: &[&str]| {
        names.iter().find_map(|name| {
            let name = format!("{beginning}{name}");
            let known = pairs.iter().any(|(n, value)| *n == name && !value.is_empty());
            known.then(|| Field { setting: Setting::Environment { name: name.clone(), default: None }, name })
        })
    };
    let mut fields = Fields {
        kind: field(&["CONNECTION", "CLIENT", "ENGINE", "TYPE", "DRIVER", "DIALECT", "ADAPTER"]),
        host: field(&["HOST", "HOSTNAME", "SERVER"]),
        port: field(&["PORT"]),
        name: field(&["DATABASE", "NAME", "DB", "DBNAME"]),
        user: field(&["USERNAME", "USER"]),
        password: field(&["PASSWORD", "PASS", "PASSWD"]),
        socket: field(&["SOCKET"]),
    };
    let value = |field: &Option<Field>| {
        let field = field.as_ref()?;
        application.resolve(file, &field.name, &field.setting).value
    };
    if value(&fields.kind).is_some_and(|kind| kind.to_ascii_lowercase().contains("sqlite")) {
        let laravel = application.folder.join("artisan").is_file().then(|| Field {
            name: "database".to_owned(),
            setting: Setting::Literal("database/database.sqlite".to_owned()),
        });
        fields.name = field(&["FILENAME", "FILE", "STORAGE", "PATH"]).or(fields.name).or(laravel);
    } else if fields.name.is_none() {
        return None;
    }
    let by_port = match value(&fields.port).as_deref() {
        Some("5432") => Some(ServerKind::Postgres),
        Some("3306") => Some(ServerKind::Mariadb),
        _ => None,
    };
    Some(by_fields(application, file, &fields, kind.or(by_port)))
}
