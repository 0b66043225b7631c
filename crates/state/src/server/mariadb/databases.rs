//! Making and removing a database, for copies.

use super::connection::Connection;
use super::sql::{name, quoted};
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;

/// Makes the database that the address names, empty.
pub(in crate::server) fn create(spec: &DatabaseSpec) -> Result<()> {
    on_server(spec, "make the database", &format!("CREATE DATABASE {}", name(spec.name())))
}

/// Removes the database that the address names.
pub(in crate::server) fn drop_database(spec: &DatabaseSpec) -> Result<()> {
    on_server(spec, "remove the database", &format!("DROP DATABASE IF EXISTS {}", name(spec.name())))
}

/// Whether there is a database of this name.
pub(in crate::server) fn exists(spec: &DatabaseSpec) -> Result<bool> {
    let sql =
        format!("SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = {}", quoted(spec.name()));
    Ok(!Connection::to_server(spec)?.ask("look for the database", &sql)?.is_empty())
}

fn on_server(spec: &DatabaseSpec, action: &str, sql: &str) -> Result<()> {
    let mut server = Connection::to_server(spec)?;
    server.run(action, sql).map_err(|error| match error {
        Error::Server { database, action, said, .. } if said.contains("denied") => {
            // The database is not there yet: its name is a pattern in the grant.
            let pattern = name(&spec.name().replace('_', "\\_"));
            let hint = format!("GRANT ALL PRIVILEGES ON {pattern}.* TO the account in the address");
            Error::Server { database, action, said, hint }
        }
        other => other,
    })
}
