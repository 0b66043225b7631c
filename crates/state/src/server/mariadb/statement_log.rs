//! The general log of a MariaDB or MySQL server, as a table.
//!
//! It is the server's own, of all its databases: what is of others is passed over. It is switched on for the run, beside where it goes
//! already, and then put back as it was.

use std::collections::HashMap;

use super::change_tracking::NOTES;
use super::connection::Connection;
use super::schema::text;
use super::sql::quoted;
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;
use crate::server::statement_log::{Attribution, LogFound, Marker, ServerLog};

const ACTION: &str = "log statements";

/// The general log, switched on.
pub(in crate::server) struct GeneralLog {
    server: Connection,
    /// What it was: whether it was on, and where it went; none once it is put back.
    before: Option<(String, String)>,
    /// Whether its table was empty: then it is emptied again.
    was_empty: bool,
    /// What stands in the log where this run begins.
    begin: String,
    /// The databases of connections that there were before.
    connected: HashMap<String, String>,
}

impl GeneralLog {
    pub(in crate::server) fn open(spec: &DatabaseSpec) -> Result<Self> {
        let mut server = Connection::new(spec)?;
        server.connect()?;
        let mysql = server.mysql;
        let explained = |error: Error| match error {
            Error::Server { database, action, said, .. } => {
                let right = if mysql { "SYSTEM_VARIABLES_ADMIN" } else { "SUPER" };
                let hint = format!(
                    "GRANT {right} ON *.* and GRANT SELECT, DROP ON mysql.general_log TO the account in the address, or let a probe in the app see its statements"
                );
                Error::Server { database, action, said, hint }
            }
            other => other,
        };
        let told =
            server.ask(ACTION, "SELECT @@GLOBAL.general_log, @@GLOBAL.log_output").map_err(explained)?;
        let (was_on, output) = told.first().map(|line| (text(line, 0), text(line, 1))).unwrap_or_default();
        let rows = server.ask(ACTION, "SELECT 1 FROM mysql.general_log LIMIT 1").map_err(explained)?;
        let was_empty = rows.is_empty();
        let threads = "SELECT ID, DB FROM information_schema.PROCESSLIST WHERE DB IS NOT NULL";
        let connected = server.ask(ACTION, threads).map_err(explained)?;
        let connected = connected.iter().map(|line| (text(line, 0), text(line, 1))).collect();
        let places: Vec<&str> = output
            .split(',')
            .filter(|place| !matches!(*place, "TABLE" | "NONE" | ""))
            .chain(["TABLE"])
            .collect();
        let set = format!("SET GLOBAL log_output = {}", quoted(&places.join(",")));
        server.run(ACTION, &set).map_err(explained)?;
        let begin = format!("DO 'restage log {:016x}'", fastrand::u64(..));
        let mut log = Self { server, before: Some((was_on, output)), was_empty, begin, connected };
        // From here on, what was switched is put back.
        log.server.run(ACTION, "SET GLOBAL general_log = ON").map_err(explained)?;
        let begin = log.begin.clone();
        log.server.run(ACTION, &begin)?;
        Ok(log)
    }
}

impl ServerLog for GeneralLog {
    fn read(&mut self, each: &mut dyn FnMut(&str, String)) -> Result<LogFound> {
        self.server.connect()?;
        let on = self.server.ask(ACTION, "SELECT @@GLOBAL.general_log, @@GLOBAL.log_output")?;
        let still = on.first().is_some_and(|line| text(line, 0) == "1" && text(line, 1).contains("TABLE"));
        let mut databases = std::mem::take(&mut self.connected);
        let mut attribution = Attribution::default();
        let mut begun = false;
        let begin = self.begin.clone();
        let sql = "SELECT thread_id, command_type, argument FROM mysql.general_log";
        self.server.each("read the log of statements", sql, &mut |row| {
            let at = |place| super::connection::text_at(&row, place).unwrap_or_default();
            let (thread, command, argument) = (at(0), at(1), at(2));
            begun |= argument == begin;
            if !begun {
                return Ok(());
            }
            match command.as_str() {
                "Connect" | "Change user" => match database_of(&argument) {
                    Some(database) => drop(databases.insert(thread, database.to_owned())),
                    None => drop(databases.remove(&thread)),
                },
                "Init DB" => drop(databases.insert(thread, argument)),
                "Query" | "Execute" => {
                    if let Some(database) = used(&argument) {
                        databases.insert(thread, database);
                    } else if !is_of_restage(&argument)
                        && let Some(database) = databases.get(&thread)
                    {
                        attribution.statement(database, &argument, each);
                    }
                }
                _ => {}
            }
            Ok(())
        })?;
        let missing = match (begun, still) {
            (true, true) => return Ok(attribution.found),
            (false, _) => {
                "its beginning is gone: the table mysql.general_log was emptied or rotated during the run"
            }
            (true, false) => "it was switched off during the run",
        };
        Err(self.server.error(
            "read the log of statements",
            missing,
            "leave the server's general log alone during a run",
        ))
    }

    fn put_back(&mut self) -> Result<()> {
        let Some((was_on, output)) = self.before.take() else { return Ok(()) };
        self.server.connect()?;
        let on = if was_on == "1" { "ON" } else { "OFF" };
        self.server.run("put the log of statements back", &format!("SET GLOBAL general_log = {on}"))?;
        let set = format!("SET GLOBAL log_output = {}", quoted(&output));
        self.server.run("put the log of statements back", &set)?;
        if self.was_empty {
            // It holds what users typed.
            self.server.run("empty the log of statements", "TRUNCATE TABLE mysql.general_log")?;
        }
        Ok(())
    }
}

/// Sends markers to one database.
pub(in crate::server) struct LogMarker {
    connection: Connection,
}

impl LogMarker {
    pub(in crate::server) fn open(spec: &DatabaseSpec) -> Result<Self> {
        let mut connection = Connection::new(spec)?;
        connection.connect()?;
        Ok(Self { connection })
    }
}

impl Marker for LogMarker {
    fn send(&mut self, text: &str) -> Result<()> {
        self.connection.run("mark the log of statements", &format!("DO {}", quoted(text)))
    }
}

/// What restage's own triggers write is logged as if the application had sent it.
fn is_of_restage(statement: &str) -> bool {
    // The other table of notes begins with the same name.
    statement.strip_prefix("INSERT INTO ").is_some_and(|rest| rest.trim_start_matches('`').starts_with(NOTES))
}

/// The database that a connection is made to: `shop@localhost on shop using TCP/IP`; none where it names none.
fn database_of(connect: &str) -> Option<&str> {
    let (_, after) = connect.rsplit_once(" on ")?;
    let database = after.rsplit_once(" using ").map_or(after, |(database, _)| database);
    Some(database.trim()).filter(|database| !database.is_empty())
}

/// The database that a connection turns to: `USE shop`.
fn used(statement: &str) -> Option<String> {
    let (verb, rest) = statement.trim().split_once(char::is_whitespace)?;
    let name = rest.trim().trim_end_matches(';').trim();
    let name = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')).unwrap_or(name);
    (verb.eq_ignore_ascii_case("use") && !name.contains(char::is_whitespace)).then(|| name.replace("``", "`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_database_a_connection_is_to() {
        assert_eq!(database_of("shop@localhost on shop using TCP/IP"), Some("shop"));
        assert_eq!(database_of("shop@localhost on  using Socket"), None);
        assert_eq!(used("use `my shop`"), None);
        assert_eq!(used("USE `shop`;").as_deref(), Some("shop"));
        assert_eq!(used("UPDATE t SET a = 1"), None);
        assert!(is_of_restage("INSERT INTO restage_notes VALUES (0, '1')"));
        assert!(!is_of_restage("INSERT INTO notes VALUES ('restage_notes')"));
    }
}
