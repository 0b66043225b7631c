//! Making and removing a database, for copies.

use super::connection::Connection;
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;

/// How the database that is copied is set up, where it is on this server: its encoding and order, and its settings.
const ORIGINAL: &str = "SELECT format(' ENCODING %L LC_COLLATE %L LC_CTYPE %L', pg_encoding_to_char(encoding), datcollate, datctype)
    || CASE to_jsonb(d)->>'datlocprovider' WHEN 'i' THEN ' LOCALE_PROVIDER icu'
      || coalesce(format(' ICU_LOCALE %L', coalesce(to_jsonb(d)->>'daticulocale', to_jsonb(d)->>'datlocale')), '') ELSE '' END, NULL
  FROM pg_database d WHERE datname = {label}
  UNION ALL SELECT split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)
  FROM pg_database d JOIN pg_db_role_setting s ON s.setdatabase = d.oid AND s.setrole = 0, unnest(s.setconfig) setting WHERE datname = {label}";

/// Settings whose value is a list of names.
const LISTS: [&str; 3] = ["search_path", "temp_tablespaces", "session_preload_libraries"];

/// Makes the database that the address names, empty, and set up like the one that snapshots call by its label.
pub(in crate::server) fn create(spec: &DatabaseSpec) -> Result<()> {
    let name = quoted(spec.name());
    on_server(spec, "make the database", |connection, action| {
        let label = format!("'{}'", spec.label.replace('\'', "''"));
        let mut like = String::new();
        let mut settings = Vec::new();
        for row in connection.run(action, &ORIGINAL.replace("{label}", &label))? {
            match (row.get(0), row.get(1)) {
                (Some(setup), None) => like = format!(" TEMPLATE template0{setup}"),
                (Some(setting), Some(value)) => {
                    let list = LISTS.contains(&setting);
                    let value =
                        if list { value.to_owned() } else { format!("'{}'", value.replace('\'', "''")) };
                    settings.push(format!("ALTER DATABASE {name} SET {setting} TO {value}"));
                }
                _ => {}
            }
        }
        connection.run(action, &alone(spec))?;
        connection.run(action, &format!("CREATE DATABASE {name}{like}"))?;
        settings.iter().try_for_each(|setting| connection.run(action, setting).map(|_| ()))
    })
}

/// Removes the database that the address names, also while someone is connected to it.
pub(in crate::server) fn drop_database(spec: &DatabaseSpec) -> Result<()> {
    let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", quoted(spec.name()));
    on_server(spec, "remove the database", |connection, action| {
        connection.run(action, &alone(spec))?;
        connection.run(action, &sql).map(|_| ())
    })
}

/// Waits until nobody else makes or removes this database, until the connection ends: the server goes on with making it where the
/// restage that asked for it was killed, and what was removed before that would be there again.
fn alone(spec: &DatabaseSpec) -> String {
    format!("SELECT pg_advisory_lock(hashtext('restage makes {}'))", spec.name().replace('\'', "''"))
}

/// Whether there is a database of this name, once nobody makes or removes it any more.
pub(in crate::server) fn exists(spec: &DatabaseSpec) -> Result<bool> {
    let name = spec.name().replace('\'', "''");
    let sql = format!("SELECT FROM pg_database WHERE datname = '{name}'");
    on_server(spec, "look for the database", |connection, action| {
        connection.run(action, &alone(spec))?;
        Ok(!connection.run(action, &sql)?.is_empty())
    })
}

/// Works in a database that every server has.
fn on_server<T>(
    spec: &DatabaseSpec,
    action: &str,
    work: impl Fn(&mut Connection, &str) -> Result<T>,
) -> Result<T> {
    let mut first = None;
    for maintenance in ["postgres", "template1"] {
        let mut connection = Connection::new(spec)?.in_database(maintenance);
        match work(&mut connection, action) {
            Ok(done) => return Ok(done),
            Err(error @ Error::ServerAway { .. }) => first = first.or(Some(error)),
            Err(Error::Server { database, action, said, .. }) => {
                let hint = "let the account make databases: ALTER ROLE … CREATEDB";
                return Err(Error::Server { database, action, said, hint: hint.to_owned() });
            }
            Err(error) => return Err(error),
        }
    }
    let said = "there is no database to connect to".to_owned();
    Err(first.unwrap_or(Error::ServerAway { database: spec.shown(), said }))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
