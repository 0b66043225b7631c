//! A lock that a connection of restage's own holds in a database: advisory, so that it is in nobody's way but restage's.

use super::connection::Connection;
use crate::error::{Error, Result};
use crate::lock::Holder;
use crate::server::DatabaseLock;
use crate::server::address::DatabaseSpec;

/// The lock's number: `restage` in ASCII. It is a number of one database, and others choose theirs otherwise.
const KEY: i64 = 0x0072_6573_7461_6765;

/// Who has it. Who it is, is in the connection's name, where the account may see that.
const WHO: &str = "SELECT a.application_name, a.usename, a.client_addr, a.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid \
    WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
    AND (l.classid::int8 << 32 | l.objid::int8) = {key} AND l.objsubid = 1";

/// The longest name that a connection can have.
const LONGEST_NAME: usize = 63;

/// A lock in a PostgreSQL database.
pub(in crate::server) struct PostgresLock {
    connection: Connection,
    /// The connection that took it.
    taken: Option<u64>,
}

impl PostgresLock {
    pub(in crate::server) fn new(spec: &DatabaseSpec, me: &Holder) -> Result<Self> {
        let name = format!("{} (process {})", me.command, me.pid);
        let name: String = name.chars().filter(char::is_ascii).take(LONGEST_NAME).collect();
        Ok(Self { connection: Connection::new(spec)?.called(&name), taken: None })
    }

    fn ask(&mut self, sql: &str) -> Result<Vec<Vec<String>>> {
        let rows = self.connection.run("lock the database", sql)?;
        let text = |row: &postgres::SimpleQueryRow, place| row.get(place).unwrap_or_default().to_owned();
        Ok(rows.iter().map(|row| (0..row.len()).map(|place| text(row, place)).collect()).collect())
    }
}

impl DatabaseLock for PostgresLock {
    fn shown(&self) -> String {
        self.connection.shown().to_owned()
    }

    fn identity(&mut self) -> Result<String> {
        let name = "SELECT oid, current_database() FROM pg_database WHERE datname = current_database()";
        let server = match self.ask("SELECT system_identifier FROM pg_control_system()") {
            // Not every account is told.
            Err(Error::Server { .. }) => self.ask("SELECT inet_server_addr(), inet_server_port()")?,
            told => told?,
        };
        let told: Vec<String> = server.into_iter().chain(self.ask(name)?).flatten().collect();
        Ok(format!("postgres {}", told.join(" ")))
    }

    fn take(&mut self) -> Result<Option<String>> {
        if self.connection.is_open() && self.taken == Some(self.connection.number()) {
            return Ok(None);
        }
        // A server may be set to end connections that do nothing.
        match self.ask("SET idle_session_timeout = 0") {
            Ok(_) | Err(Error::Server { .. }) => {}
            Err(error) => return Err(error),
        }
        let got = self.ask(&format!("SELECT pg_try_advisory_lock({KEY})"))?;
        if got.first().and_then(|row| row.first()).is_some_and(|got| got == "t") {
            self.taken = Some(self.connection.number());
            return Ok(None);
        }
        let who = self.ask(&WHO.replace("{key}", &KEY.to_string()))?;
        Ok(Some(match who.first().map(Vec::as_slice) {
            Some([name, user, address, _]) if !name.is_empty() => format!("`{name}` of {user}@{address}"),
            Some([_, user, address, pid]) => format!("another restage of {user}@{address} (backend {pid})"),
            _ => "another restage".to_owned(),
        }))
    }

    fn release(&mut self) {
        if self.connection.is_open() && self.taken.take().is_some() {
            // Where this fails, the connection is gone, and the lock with it.
            let _ = self.ask(&format!("SELECT pg_advisory_unlock({KEY})"));
        }
    }
}
