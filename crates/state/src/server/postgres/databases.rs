//! Making and removing a database, for copies.

use super::connection::Connection;
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;

/// Makes the database that the address names, empty.
pub(in crate::server) fn create(spec: &DatabaseSpec) -> Result<()> {
    let sql = format!("CREATE DATABASE {}", quoted(spec.name()));
    on_server(spec, "make the database", &sql)
}

/// Removes the database that the address names, also while someone is connected to it.
pub(in crate::server) fn drop_database(spec: &DatabaseSpec) -> Result<()> {
    let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", quoted(spec.name()));
    on_server(spec, "remove the database", &sql)
}

/// Runs a statement in a database that every server has.
fn on_server(spec: &DatabaseSpec, action: &str, sql: &str) -> Result<()> {
    let mut last = None;
    for maintenance in ["postgres", "template1"] {
        let mut connection = Connection::new(spec)?.to_database(maintenance);
        match connection.run(action, sql) {
            Ok(_) => return Ok(()),
            Err(error @ Error::ServerAway { .. }) => last = last.or(Some(error)),
            Err(Error::Server { database, action, said, .. }) => {
                let hint = "let the account make databases: ALTER ROLE … CREATEDB";
                return Err(Error::Server { database, action, said, hint: hint.to_owned() });
            }
            Err(error) => return Err(error),
        }
    }
    last.map_or(Ok(()), Err)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
