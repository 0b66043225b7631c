//! Making and removing a database, for copies.

use postgres::SimpleQueryRow;

use super::connection::Connection;
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;

/// Makes the database that the address names, empty, with the encoding and the sorting of the one it is a copy of.
pub(in crate::server) fn create(spec: &DatabaseSpec) -> Result<()> {
    let like = format!(
        "SELECT pg_encoding_to_char(encoding), datcollate, datctype FROM pg_database WHERE datname = {}",
        literal(&spec.label)
    );
    let like = on_server(spec, "read how the database sorts", &like)?;
    let like = like.first().map_or_else(String::new, |row| {
        let at = |place| literal(row.get(place).unwrap_or_default());
        format!(" TEMPLATE template0 ENCODING {} LC_COLLATE {} LC_CTYPE {}", at(0), at(1), at(2))
    });
    let sql = format!("CREATE DATABASE {}{like}", quoted(spec.name()));
    on_server(spec, "make the database", &sql).map(|_| ())
}

/// Removes the database that the address names, also while someone is connected to it.
pub(in crate::server) fn drop_database(spec: &DatabaseSpec) -> Result<()> {
    let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", quoted(spec.name()));
    on_server(spec, "remove the database", &sql).map(|_| ())
}

/// Runs a statement in a database that every server has.
fn on_server(spec: &DatabaseSpec, action: &str, sql: &str) -> Result<Vec<SimpleQueryRow>> {
    let mut last = None;
    for maintenance in ["postgres", "template1"] {
        let mut connection = Connection::new(spec)?.to_database(maintenance);
        match connection.run(action, sql) {
            Ok(rows) => return Ok(rows),
            Err(error @ Error::ServerAway { .. }) => last = last.or(Some(error)),
            Err(Error::Server { database, action, said, .. }) => {
                let hint = "let the account make databases: ALTER ROLE … CREATEDB";
                return Err(Error::Server { database, action, said, hint: hint.to_owned() });
            }
            Err(error) => return Err(error),
        }
    }
    last.map_or(Ok(Vec::new()), Err)
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
