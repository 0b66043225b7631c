//! An advisory lock in a database, for who works on it from elsewhere. It is held by a connection of its own, and gone with it.

use super::address::{DatabaseSpec, ServerKind};
use super::mariadb::MariaDbLock;
use super::postgres::PostgresLock;
use crate::error::Result;
use crate::lock::Holder;

/// A lock in one database.
pub(crate) trait DatabaseLock: Send {
    /// The database's address, without its password.
    fn shown(&self) -> String;

    /// What the server says that it is, whatever name it was reached by.
    fn identity(&mut self) -> Result<String>;

    /// Takes the lock; who has it, where somebody else does. One that is held stays so, and one that was lost with its connection
    /// is taken again.
    fn take(&mut self) -> Result<Option<String>>;

    /// Lets go of it.
    fn release(&mut self);
}

/// The lock of a database, not taken yet.
pub(crate) fn database_lock(spec: &DatabaseSpec, me: &Holder) -> Result<Box<dyn DatabaseLock>> {
    Ok(match spec.kind {
        ServerKind::Postgres => Box::new(PostgresLock::new(spec, me)?),
        ServerKind::Mariadb => Box::new(MariaDbLock::new(spec)?),
    })
}
