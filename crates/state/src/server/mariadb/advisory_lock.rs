//! A lock that a connection of restage's own holds on a server, by the database's name: in nobody's way but restage's.

use super::connection::Connection;
use super::schema::text;
use super::sql::quoted;
use crate::error::Result;
use crate::server::DatabaseLock;
use crate::server::address::DatabaseSpec;

const ACTION: &str = "lock the database";

/// A lock for a MariaDB or MySQL database.
pub(in crate::server) struct MariaDbLock {
    server: Connection,
    shown: String,
    /// The lock's name, quoted. Names are the whole server's, and at most 64 characters long.
    name: String,
}

impl MariaDbLock {
    pub(in crate::server) fn new(spec: &DatabaseSpec) -> Result<Self> {
        let hash = blake3::hash(spec.name().as_bytes()).to_hex();
        let name = quoted(&format!("restage {}", &hash.as_str()[..32]));
        Ok(Self { server: Connection::new(spec)?, shown: spec.shown(), name })
    }

    fn is_one(&mut self, sql: &str) -> Result<bool> {
        let lines = self.server.ask(ACTION, sql)?;
        Ok(lines.first().is_some_and(|line| text(line, 0) == "1"))
    }
}

impl DatabaseLock for MariaDbLock {
    fn shown(&self) -> String {
        self.shown.clone()
    }

    fn identity(&mut self) -> Result<String> {
        self.server.connect()?;
        let lines = self.server.ask(ACTION, "SELECT @@hostname, @@datadir, @@port, DATABASE()")?;
        let told: Vec<String> = lines.iter().flatten().flatten().cloned().collect();
        Ok(format!("mariadb {}", told.join(" ")))
    }

    fn take(&mut self) -> Result<Option<String>> {
        self.server.connect()?;
        let name = self.name.clone();
        if self.is_one(&format!("SELECT IS_USED_LOCK({name}) = CONNECTION_ID()"))?
            || self.is_one(&format!("SELECT GET_LOCK({name}, 0)"))?
        {
            return Ok(None);
        }
        let sql = format!(
            "SELECT USER, HOST, ID FROM information_schema.PROCESSLIST WHERE ID = IS_USED_LOCK({name})"
        );
        let who = self.server.ask(ACTION, &sql)?;
        Ok(Some(who.first().map_or_else(
            || "another restage".to_owned(),
            |line| {
                format!(
                    "another restage of {}@{} (connection {})",
                    text(line, 0),
                    text(line, 1),
                    text(line, 2)
                )
            },
        )))
    }

    fn release(&mut self) {
        // Where this fails, the connection is gone, and the lock with it.
        let _ = self.server.run(ACTION, &format!("DO RELEASE_LOCK({})", self.name));
    }
}
