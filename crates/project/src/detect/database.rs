//! A database that an application's settings name, as `[state]` is told of it.

use std::path::{Path, PathBuf};

use restage_state::ServerKind;

use super::application::{Application, Resolved};
use super::setting::Setting;

/// Where PostgreSQL listens on this machine, when no host is named.
const SOCKET_FOLDER: &str = "%2Fvar%2Frun%2Fpostgresql";

/// A database that an application's settings name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDatabase {
    /// What it is.
    pub kind: FoundKind,
    /// Where it was found: `DATABASE_URL in .env`.
    pub from: String,
    /// Where its password is, and what has to be done about that.
    pub password: Option<String>,
    /// The name that the application takes the database's name from in its environment.
    pub variable: Option<String>,
}

/// Which kind of database, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundKind {
    /// A SQLite file, relative to the application's folder.
    Sqlite(PathBuf),
    /// A database on a server.
    Server {
        /// Which protocol it speaks.
        kind: ServerKind,
        /// The address for `[state]`.
        address: String,
        /// The address for people, without its password.
        shown: String,
    },
}

impl FoundDatabase {
    /// What is said of it.
    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let shown = match &mut self.kind {
            FoundKind::Sqlite(_) => None,
            FoundKind::Server { shown, .. } => Some(shown),
        };
        std::iter::once(&mut self.from).chain(&mut self.password).chain(&mut self.variable).chain(shown)
    }

    /// The database for people, without its password.
    pub fn shown(&self) -> String {
        match &self.kind {
            FoundKind::Sqlite(path) => path.display().to_string(),
            FoundKind::Server { shown, .. } => shown.clone(),
        }
    }
}

/// What settings say of a database, field by field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) kind: Option<Field>,
    pub(crate) host: Option<Field>,
    pub(crate) port: Option<Field>,
    pub(crate) name: Option<Field>,
    pub(crate) user: Option<Field>,
    pub(crate) password: Option<Field>,
    pub(crate) socket: Option<Field>,
}

/// A setting, and the name that it is referred to by in its file.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) setting: Setting,
}

/// The kinds of databases that settings name.
enum Engine {
    Sqlite,
    Server(ServerKind),
    Other(String),
}

impl Engine {
    fn of(text: &str) -> Self {
        let text = text.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if has(&["sqlite"]) || text == "file" {
            Self::Sqlite
        } else if has(&["postg", "pgsql", "psycopg"]) || text == "pg" {
            Self::Server(ServerKind::Postgres)
        } else if has(&["mysql", "maria", "trilogy"]) {
            Self::Server(ServerKind::Mariadb)
        } else {
            Self::Other(text)
        }
    }
}

/// Whether a text is the address of a database, of whatever kind.
pub(crate) fn is_address(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let known = ["mongodb", "redis", "sqlserver", "mssql", "oracle", "cockroachdb", "libsql", "couchdb"];
    match Engine::of(scheme) {
        Engine::Other(scheme) => known.iter().any(|k| scheme.starts_with(k)) && text.contains("://"),
        Engine::Sqlite => text.contains("://") || scheme == "file" || scheme == "sqlite",
        Engine::Server(_) => text.contains("://"),
    }
}

/// A database by its address in one. `from` is the file that the setting is in, `name` what it is called there.
pub(crate) fn by_address(
    application: &Application<'_>,
    from: &str,
    name: &str,
    setting: &Setting,
) -> Result<FoundDatabase, String> {
    let resolved = application.resolve(from, name, setting);
    let place = resolved.place.clone();
    let Some(value) = &resolved.value else {
        return Err(format!(
            "{from} takes its database from {}, which neither the environment nor a .env file has: set [state] in restage.toml",
            resolved.reference.as_deref().unwrap_or(name)
        ));
    };
    let scheme = value.split(':').next().unwrap_or_default();
    let kind = match Engine::of(scheme) {
        Engine::Sqlite => {
            let path = sqlite_path(application, value);
            let Some(path) = path else {
                return Err(format!("{place} is a database in memory, which ends with the application"));
            };
            return Ok(FoundDatabase {
                kind: FoundKind::Sqlite(path),
                from: place,
                password: None,
                variable: None,
            });
        }
        Engine::Server(kind) => kind,
        Engine::Other(other) => return Err(unknown(&place, &other)),
    };
    let normal = normalised(value);
    let shown = without_password(&normal);
    let (address, password) = match (password_in(&normal), &resolved.reference) {
        (None, _) => (normal.clone(), None),
        (Some(_), Some(reference)) => {
            (format!("${{{reference}}}"), Some("its password stays there".to_owned()))
        }
        // A text in the middle of a program, which no name leads to.
        (Some((start, end)), None) => (
            format!("{}${{DB_PASSWORD}}{}", &normal[..start], &normal[end..]),
            Some(format!("its password is in {from}: `export DB_PASSWORD=…` before restage runs")),
        ),
    };
    Ok(FoundDatabase {
        kind: FoundKind::Server { kind, address, shown },
        from: place,
        password,
        variable: None,
    })
}

/// A database by what settings say of it, field by field; `default` is what it is where they do not say.
pub(crate) fn by_fields(
    application: &Application<'_>,
    from: &str,
    fields: &Fields,
    default: Option<ServerKind>,
) -> Result<FoundDatabase, String> {
    let resolve = |field: &Option<Field>| -> Option<Resolved> {
        field.as_ref().map(|field| application.resolve(from, &field.name, &field.setting))
    };
    let text = |field: &Option<Field>| {
        resolve(field).and_then(|resolved| resolved.value).filter(|value| !value.trim().is_empty())
    };
    let engine = match (text(&fields.kind), default) {
        (Some(kind), _) => Engine::of(&kind),
        (None, Some(kind)) => Engine::Server(kind),
        (None, None) => {
            return Err(format!(
                "{from} names a database, and not of which kind: set [state] in restage.toml"
            ));
        }
    };
    let Some(name) = text(&fields.name) else {
        let variable = fields
            .name
            .as_ref()
            .and_then(|field| application.resolve(from, &field.name, &field.setting).reference);
        return Err(match variable {
            Some(variable) => format!(
                "{from} takes the name of its database from {variable}, which neither the environment nor a .env file has: set [state] in restage.toml"
            ),
            None => format!(
                "{from} was seen, and names no database that could be read: set [state] in restage.toml"
            ),
        });
    };
    let kind = match engine {
        Engine::Sqlite => {
            let Some(path) = sqlite_path(application, &name) else {
                return Err(format!("{from} names a database in memory, which ends with the application"));
            };
            return Ok(FoundDatabase {
                kind: FoundKind::Sqlite(path),
                from: from.to_owned(),
                password: None,
                variable: None,
            });
        }
        Engine::Server(kind) => kind,
        Engine::Other(other) => return Err(unknown(from, &other)),
    };
    let mut socket = text(&fields.socket);
    let mut port = text(&fields.port);
    let mut host = text(&fields.host).unwrap_or_default();
    // `localhost:3307`, `localhost:/run/mysqld.sock`
    if !host.starts_with('[')
        && host.matches(':').count() == 1
        && let Some((before, after)) = host.clone().split_once(':')
    {
        if after.starts_with('/') {
            socket = Some(after.to_owned());
        } else if after.bytes().all(|b| b.is_ascii_digit()) && !after.is_empty() {
            port = Some(after.to_owned());
        }
        host = before.to_owned();
    } else if host.starts_with('/') {
        socket = Some(std::mem::take(&mut host));
    }
    let host = match (kind, host.as_str(), &socket) {
        (ServerKind::Postgres, _, Some(folder)) => encoded(folder),
        (ServerKind::Postgres, "", None) => SOCKET_FOLDER.to_owned(),
        (ServerKind::Mariadb, "", _) => "127.0.0.1".to_owned(),
        _ => host.clone(),
    };
    let port = port
        .filter(|port| port.bytes().all(|b| b.is_ascii_digit()))
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    let user = text(&fields.user).map(|user| encoded(&user)).unwrap_or_default();
    let (secret, password) = password_of(from, resolve(&fields.password));
    let at = if user.is_empty() && secret.is_empty() { "" } else { "@" };
    let scheme = if kind == ServerKind::Postgres { "postgres" } else { "mysql" };
    let query = match (kind, &socket) {
        (ServerKind::Mariadb, Some(socket)) => format!("?socket={socket}"),
        _ => String::new(),
    };
    let name = encoded(&name);
    let address = format!("{scheme}://{user}{secret}{at}{host}{port}/{name}{query}");
    let shown_host = host.replace("%2F", "/");
    let shown =
        format!("{scheme}://{user}{}{shown_host}{port}/{name}", if user.is_empty() { "" } else { "@" });
    let variable = fields.name.as_ref().and_then(|field| application.variable(from, field));
    Ok(FoundDatabase {
        kind: FoundKind::Server { kind, address, shown },
        from: from.to_owned(),
        password,
        variable,
    })
}

/// The password as an address has it, and what is said of it.
fn password_of(from: &str, password: Option<Resolved>) -> (String, Option<String>) {
    let Some(password) = password else { return (String::new(), None) };
    match (&password.value, &password.reference) {
        (Some(value), _) if value.is_empty() => (String::new(), None),
        (_, Some(reference)) => (format!(":${{{reference}}}"), Some(kept(from, reference))),
        (_, None) => (
            ":${DB_PASSWORD}".to_owned(),
            Some(format!("its password is in {from}: `export DB_PASSWORD=…` before restage runs")),
        ),
    }
}

/// Where a password stays.
fn kept(from: &str, reference: &str) -> String {
    match reference.rsplit_once(':') {
        Some((file, name)) if file == from => format!("its password stays there ({name})"),
        Some((file, name)) => format!("its password stays in {file} ({name})"),
        None => format!("its password is taken from {reference} in the environment"),
    }
}

fn unknown(place: &str, kind: &str) -> String {
    format!(
        "{place} names a database of the kind `{kind}`, which restage cannot put back by itself: see `hook` in [state]"
    )
}

/// An address as restage's own drivers read it: other programs have other schemes, and parameters for themselves.
pub(crate) fn normalised(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (scheme, known): (&str, &[&str]) = match Engine::of(scheme) {
        Engine::Server(ServerKind::Postgres) => {
            ("postgres", &["sslmode", "host", "port", "user", "password", "options"])
        }
        Engine::Server(ServerKind::Mariadb) => ("mysql", &["socket"]),
        Engine::Sqlite | Engine::Other(_) => return address.to_owned(),
    };
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| pair.split_once('=').is_some_and(|(name, _)| known.contains(&name)))
        .collect();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("{scheme}://{rest}{query}")
}

/// Where the password stands in an address, where it has one.
fn password_in(address: &str) -> Option<(usize, usize)> {
    let host = address.find("://")? + 3;
    let end = address[host..].find(['/', '?']).map_or(address.len(), |at| host + at);
    let at = host + address[host..end].rfind('@')?;
    let colon = host + address[host..at].find(':')?;
    (at > colon + 1).then_some((colon + 1, at))
}

fn without_password(address: &str) -> String {
    let address = match password_in(address) {
        Some((start, end)) => format!("{}{}", &address[..start - 1], &address[end..]),
        None => address.to_owned(),
    };
    address.split('?').next().unwrap_or_default().to_owned()
}

/// The file of a SQLite database, relative to the application's folder where it lies in it; none where it is in memory.
fn sqlite_path(application: &Application<'_>, value: &str) -> Option<PathBuf> {
    let path = value.split('?').next().unwrap_or_default();
    let path = match path.split_once(':') {
        // `sqlite:///relative`, `sqlite:////absolute`
        Some((scheme, rest)) if scheme.starts_with("sqlite") => {
            let rest = rest.strip_prefix("//").unwrap_or(rest);
            let relative = rest.strip_prefix('/').filter(|_| value.contains("://"));
            relative.unwrap_or(rest)
        }
        Some(("file", rest)) => rest.trim_start_matches("//"),
        _ => path,
    };
    let path = path.replace("%kernel.project_dir%/", "");
    let path = path.trim_start_matches("./");
    if path.is_empty() || path.contains(":memory:") {
        return None;
    }
    let below = Path::new(path).strip_prefix(application.folder).unwrap_or(Path::new(path));
    // Prisma's are relative to its own folder.
    let prisma = Path::new("prisma").join(below);
    let is_prisma = value.starts_with("file:") && application.folder.join("prisma/schema.prisma").is_file();
    Some(if is_prisma && below.is_relative() { prisma } else { below.to_owned() })
}

/// A part of an address, with what has a meaning there escaped.
pub(crate) fn encoded(part: &str) -> String {
    part.bytes()
        .map(|b| match b {
            b if b.is_ascii_alphanumeric() || b"-._~".contains(&b) => char::from(b).to_string(),
            b => format!("%{b:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: an address that only one framework's driver reads, and a password that is shown.
    #[test]
    fn addresses_are_made_plain() {
        for (given, expected, shown) in [
            ("mysql2://u:p@h/db?pool=5", "mysql://u:p@h/db", "mysql://u@h/db"),
            ("postgresql+psycopg2://u:p%40@h:5/db", "postgres://u:p%40@h:5/db", "postgres://u@h:5/db"),
            ("postgis://h/db?sslmode=disable&schema=x", "postgres://h/db?sslmode=disable", "postgres://h/db"),
        ] {
            assert_eq!(normalised(given), expected);
            assert_eq!(without_password(expected), shown);
        }
        assert!(
            is_address("sqlite:db.sqlite3") && is_address("mongodb+srv://h/x") && !is_address("http://h/")
        );
        assert!(!is_address("postgres") && !is_address("16:9"));
    }
}
