//! Databases of PHP applications: the files that they keep their settings in, whatever they call them.

use std::path::Path;

use restage_state::ServerKind;

use super::application::Application;
use super::database::{Field, Fields, FoundDatabase, by_fields};
use super::php;
use super::setting::{Named, Setting};

/// Where applications keep their settings, the first that is there counts.
const FILES: &[&str] = &[
    "wp-config.php",
    "config.php",
    "config/config.php",
    "configuration.php",
    "LocalSettings.php",
    "sites/default/settings.php",
    "application/config/database.php",
    "app/config/database.php",
    "includes/config.php",
    "include/config.php",
    "inc/config.php",
    "lib/config.php",
    "src/config.php",
    "config/database.php",
    "config/db.php",
    "db.php",
    "public/config.php",
];

/// Every database that the settings name.
pub(crate) fn find(application: &Application<'_>) -> Vec<Result<FoundDatabase, String>> {
    let mut notes = Vec::new();
    for file in FILES {
        let Some(text) = application.read(file) else { continue };
        match of_file(application, file, &text) {
            Some(Ok(found)) => {
                let missing = if found.password.is_none() { missing(application, &text) } else { None };
                let note = missing.map(|missing| {
                    Err(format!("{file} takes in {missing}, which is not there: what it says of the database is not known"))
                });
                return std::iter::once(Ok(found)).chain(note).collect();
            }
            Some(Err(note)) => notes.push(Err(note)),
            None if *file == "wp-config.php" || *file == "config.php" => {
                notes.push(Err(format!("{file} was seen, and names no database that could be read")));
            }
            None => {}
        }
    }
    if notes.is_empty() && application.folder.join("wp-config-sample.php").is_file() {
        notes.push(Err(
            "WordPress has no wp-config.php yet: install it first, then run `restage init --force`"
                .to_owned(),
        ));
    }
    notes
}

/// Where WordPress keeps what is uploaded, when it is told another place.
pub(crate) fn wordpress_content(application: &Application<'_>) -> Option<String> {
    let text = application.read("wp-config.php")?;
    let mut settings = included(application, &text)
        .into_iter()
        .flat_map(|(_, text)| php::settings(&text))
        .collect::<Vec<_>>();
    settings.extend(php::settings(&text));
    settings
        .into_iter()
        .find(|named| named.name == "WP_CONTENT_DIR")
        .and_then(|named| named.setting.literal())
}

fn of_file(application: &Application<'_>, file: &str, text: &str) -> Option<Result<FoundDatabase, String>> {
    for (name, text) in included(application, text) {
        let found = of_text(application, &name, &text);
        if found.is_some() {
            return found;
        }
    }
    of_text(application, file, text)
}

/// A file that a file takes in by its whole path, and that is not there.
fn missing(application: &Application<'_>, text: &str) -> Option<String> {
    let whole = |name: &String| {
        let path = Path::new(name);
        path.is_absolute()
            && path.components().count() > 2
            && path.extension().is_some_and(|extension| extension == "php")
    };
    let there = |name: &String| {
        Path::new(name).exists() || application.folder.join(name.trim_start_matches('/')).exists()
    };
    php::texts(text).into_iter().filter(whole).find(|name| !there(name))
}

/// The files that a file takes in, as far as their names are texts.
fn included(application: &Application<'_>, text: &str) -> Vec<(String, String)> {
    let names = php::texts(text).into_iter().filter(|name| {
        let path = Path::new(name);
        path.extension().is_some_and(|extension| extension == "php") && !path.ends_with("wp-settings.php")
    });
    let mut read: Vec<(String, String)> = Vec::new();
    for name in names {
        let name = if Path::new(&name).is_absolute()
            && application.folder.join(name.trim_start_matches('/')).is_file()
        {
            // `__DIR__ . '/local.php'`
            name.trim_start_matches('/').to_owned()
        } else {
            name
        };
        if read.len() < 5
            && !read.iter().any(|(known, _)| *known == name)
            && let Some(text) = application.read(&name)
        {
            read.push((name, text));
        }
    }
    read
}

fn of_text(application: &Application<'_>, file: &str, text: &str) -> Option<Result<FoundDatabase, String>> {
    let settings = php::settings(text);
    let field = |names: &[&str]| {
        // The first that is not empty: what is defined once stays so.
        let is_one = |named: &&Named| {
            let name = named.name.to_ascii_lowercase();
            names.contains(&name.as_str()) && named.setting != Setting::Literal(String::new())
        };
        let named = settings.iter().find(is_one)?;
        Some(Field { name: named.name.clone(), setting: named.setting.clone() })
    };
    let kind = field(&[
        "dbtype",
        "db_type",
        "dbms",
        "dbdriver",
        "db_driver",
        "wgdbtype",
        "db_connection",
        "driver",
        "db_adapter",
    ]);
    let clear = Fields {
        name: field(&[
            "db_name",
            "dbname",
            "db_database",
            "wgdbname",
            "mysql_database",
            "database_name",
            "db_base",
        ]),
        host: field(&[
            "db_host",
            "dbhost",
            "db_server",
            "wgdbserver",
            "db_hostname",
            "mysql_host",
            "database_host",
        ]),
        port: field(&["db_port", "dbport", "wgdbport", "database_port"]),
        user: field(&["db_user", "dbuser", "db_username", "wgdbuser", "mysql_user", "database_user"]),
        password: field(&[
            "db_password",
            "dbpass",
            "dbpasswd",
            "dbpassword",
            "db_pass",
            "db_passwd",
            "wgdbpassword",
            "mysql_password",
            "database_password",
        ]),
        socket: field(&["dbsocket", "db_socket"]),
        kind: kind.clone(),
    };
    let fields = if clear.name.is_some() {
        clear
    } else {
        // Names that may mean something else, unless they stand together.
        let plain = Fields {
            name: field(&["database", "db"]),
            host: field(&["host", "hostname", "server"]),
            port: field(&["port"]),
            user: field(&["username", "user"]),
            password: field(&["password", "pass", "passwd"]),
            socket: field(&["socket", "unix_socket"]),
            kind,
        };
        if plain.name.is_some() && plain.user.is_some() {
            plain
        } else {
            return of_source_name(application, file, text);
        }
    };
    Some(by_fields(application, file, &fields, Some(ServerKind::Mariadb)))
}

/// `mysql:host=localhost;dbname=shop`, as PDO is given it.
fn of_source_name(
    application: &Application<'_>,
    file: &str,
    text: &str,
) -> Option<Result<FoundDatabase, String>> {
    let (kind, rest) = php::texts(text).into_iter().find_map(|text| {
        let (kind, rest) = text.split_once(':')?;
        matches!(kind, "mysql" | "pgsql" | "sqlite").then(|| (kind.to_owned(), rest.to_owned()))
    })?;
    let literal = |name: &str, value: &str| Field {
        name: name.to_owned(),
        setting: Setting::Literal(value.to_owned()),
    };
    if kind == "sqlite" {
        let fields = Fields {
            kind: Some(literal("kind", "sqlite")),
            name: Some(literal("file", &rest)),
            ..Fields::default()
        };
        return Some(by_fields(application, file, &fields, None));
    }
    let part = |name: &str| {
        let pair = rest.split(';').filter_map(|pair| pair.split_once('=')).find(|(n, _)| n.trim() == name)?;
        Some(literal(name, pair.1.trim()))
    };
    let settings = php::settings(text);
    let named = |names: &[&str]| {
        let named =
            settings.iter().find(|named| names.contains(&named.name.to_ascii_lowercase().as_str()))?;
        Some(Field { name: named.name.clone(), setting: named.setting.clone() })
    };
    let fields = Fields {
        kind: Some(literal("kind", &kind)),
        host: part("host"),
        port: part("port"),
        name: part("dbname"),
        user: part("user").or_else(|| named(&["user", "username", "dbuser", "db_user"])),
        password: named(&["password", "pass", "dbpass", "db_pass", "db_password"]),
        socket: part("unix_socket"),
    };
    Some(by_fields(application, file, &fields, None))
}
