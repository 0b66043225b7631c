//! The log of a PostgreSQL server, as CSV: it says of each statement which database it is of.
//!
//! The log's form is the whole server's, and only a superuser may set it, and only where the server collects its log itself. What is
//! logged is set for one database alone. Both are put back as they were.

use super::connection::Connection;
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;
use crate::server::statement_log::{Attribution, LogFound, Marker, ServerLog};

const ACTION: &str = "log statements";
const READ: &str = "read the log of statements";
/// How many bytes of the log are read at once.
const PIECE: u64 = 1 << 20;

/// The log, switched on.
pub(in crate::server) struct CsvLog {
    server: Connection,
    database: String,
    /// What has to be run to put everything back; empty once it is.
    back: Vec<String>,
    /// The file that the log went to as the run began, and how long it was.
    file: String,
    from: u64,
}

pub(in crate::server) fn open_log(spec: &DatabaseSpec) -> Result<CsvLog> {
    CsvLog::open(spec)
}

impl CsvLog {
    fn open(spec: &DatabaseSpec) -> Result<Self> {
        let mut server = Connection::new(spec)?;
        let explained = |error: Error| {
            match error {
            Error::Server { database, action, said, .. } => Error::Server {
                database,
                action,
                said,
                hint: "only a superuser may have the server log its statements: let [state] name the database with such an account, or let a probe in the app see its statements".to_owned(),
            },
            other => other,
        }
        };
        let one = |server: &mut Connection, sql: &str| -> Result<String> {
            let rows = server.run(ACTION, sql).map_err(explained)?;
            Ok(rows.first().and_then(|row| row.get(0)).unwrap_or_default().to_owned())
        };
        let refuse = |said: &str, hint: &str| Error::Server {
            database: spec.shown(),
            action: ACTION.to_owned(),
            said: said.to_owned(),
            hint: hint.to_owned(),
        };
        if one(&mut server, "SHOW is_superuser")? != "on" {
            return Err(refuse(
                "the account is no superuser",
                "only a superuser may have the server log its statements: let [state] name the database with such an account, or let a probe in the app see its statements",
            ));
        }
        if one(&mut server, "SHOW logging_collector")? != "on" {
            return Err(refuse(
                "the server does not collect its log itself, so its log cannot be read",
                "set logging_collector = on in postgresql.conf and restart the server, or let a probe in the app see its statements",
            ));
        }
        let mut log =
            Self { server, database: spec.name().to_owned(), back: Vec::new(), file: String::new(), from: 0 };
        log.switch_on(&one)?;
        Ok(log)
    }

    fn switch_on(&mut self, one: &dyn Fn(&mut Connection, &str) -> Result<String>) -> Result<()> {
        let destination = one(&mut self.server, "SHOW log_destination")?;
        if !destination.contains("csvlog") {
            let own = one(
                &mut self.server,
                "SELECT setting FROM pg_file_settings WHERE name = 'log_destination' AND sourcefile LIKE '%postgresql.auto.conf' AND applied",
            )?;
            self.back.push(match own.as_str() {
                "" => "ALTER SYSTEM RESET log_destination".to_owned(),
                own => format!("ALTER SYSTEM SET log_destination = {}", quoted(own)),
            });
            self.back.push("SELECT pg_reload_conf()".to_owned());
            let both = format!("{destination},csvlog");
            self.server.run(ACTION, &format!("ALTER SYSTEM SET log_destination = {}", quoted(&both)))?;
            self.server.run(ACTION, "SELECT pg_reload_conf()")?;
        }
        let settings =
            [("log_statement", "all"), ("log_min_duration_statement", "-1"), ("log_duration", "off")];
        for (name, value) in settings {
            let sql = format!(
                "SELECT substr(s, {}) FROM pg_db_role_setting r JOIN pg_database d ON d.oid = r.setdatabase, unnest(r.setconfig) s \
                 WHERE d.datname = current_database() AND r.setrole = 0 AND s LIKE '{name}=%'",
                name.len() + 2
            );
            let was = one(&mut self.server, &sql)?;
            let database = name_of(&self.database);
            self.back.push(match was.as_str() {
                "" => format!("ALTER DATABASE {database} RESET {name}"),
                was => format!("ALTER DATABASE {database} SET {name} = {}", quoted(was)),
            });
            self.server.run(ACTION, &format!("ALTER DATABASE {database} SET {name} = {}", quoted(value)))?;
        }
        // The server looks at its settings when it comes to it.
        for _ in 0..200 {
            self.file = one(&mut self.server, "SELECT coalesce(pg_current_logfile('csvlog'), '')")?;
            if !self.file.is_empty() {
                break;
            }
            self.server.run(ACTION, "SELECT pg_sleep(0.01)")?;
        }
        if self.file.is_empty() {
            let said = "the server did not begin a log as CSV within 2 s";
            let hint = "see the server's own log; log_directory must be writable";
            return Err(self.error(ACTION, said, hint));
        }
        self.from = self.size()?;
        Ok(())
    }

    fn size(&mut self) -> Result<u64> {
        let sql = format!("SELECT size FROM pg_stat_file({}, true)", quoted(&self.file));
        let rows = self.server.run(READ, &sql)?;
        let size = rows.first().and_then(|row| row.get(0)).and_then(|size| size.parse().ok());
        size.ok_or_else(|| {
            let said = format!("the file {} is gone: it was rotated or removed during the run", self.file);
            self.error(READ, &said, "leave the server's log alone during a run")
        })
    }

    fn error(&self, action: &str, said: &str, hint: &str) -> Error {
        Error::Server {
            database: self.server.shown().to_owned(),
            action: action.to_owned(),
            said: said.to_owned(),
            hint: hint.to_owned(),
        }
    }

    /// Reads a file of the log to its end.
    fn read_file(&mut self, from: u64, to: u64, take: &mut dyn FnMut(&[String])) -> Result<()> {
        let mut reader = CsvReader::default();
        let mut at = from;
        while at < to {
            let length = PIECE.min(to - at);
            let sql =
                format!("SELECT encode(pg_read_binary_file({}, {at}, {length}), 'hex')", quoted(&self.file));
            let rows = self.server.run(READ, &sql)?;
            let bytes = rows.first().and_then(|row| row.get(0)).and_then(from_hex).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            at += bytes.len() as u64;
            reader.feed(&bytes, take);
        }
        Ok(())
    }
}

impl ServerLog for CsvLog {
    fn read(&mut self, each: &mut dyn FnMut(&str, String)) -> Result<LogFound> {
        let mut attribution = Attribution::default();
        // The collector writes on its own: this marker is the last of it.
        let end = format!("restage end {:016x}", fastrand::u64(..));
        // A statement is logged by what is set as it comes.
        self.server.run(READ, "SET log_statement = 'all'")?;
        self.server.run(READ, &format!("SELECT {}", quoted(&end)))?;
        let (mut ended, mut from, database) = (false, self.from, self.database.clone());
        for _ in 0..200 {
            let to = self.size()?;
            self.read_file(from, to, &mut |fields| {
                let field = |place: usize| fields.get(place).map_or("", String::as_str);
                let message = field(13);
                ended |= message.contains(&end) && field(2) == database;
                if let Some(text) = statement(message) {
                    attribution.statement(field(2), &with_values(text, field(14)), each);
                }
            })?;
            from = to;
            if ended {
                break;
            }
            let current = self.server.run(READ, "SELECT coalesce(pg_current_logfile('csvlog'), '')")?;
            let current = current.first().and_then(|row| row.get(0)).unwrap_or_default().to_owned();
            if current != self.file && !current.is_empty() && self.size()? == to {
                // It was rotated: it goes on in another file.
                (self.file, from) = (current, 0);
                continue;
            }
            self.server.run(READ, "SELECT pg_sleep(0.01)")?;
        }
        if !ended {
            let said = "it does not come to its end: it was rotated or switched off during the run";
            return Err(self.error(READ, said, "leave the server's log alone during a run"));
        }
        Ok(attribution.found)
    }

    fn put_back(&mut self) -> Result<()> {
        let mut failed = Ok(());
        for sql in std::mem::take(&mut self.back).into_iter().rev() {
            if let Err(error) = self.server.run("put the log of statements back", &sql) {
                failed = Err(error);
            }
        }
        // What is reloaded must be what was reset.
        self.server.run("put the log of statements back", "SELECT pg_reload_conf()")?;
        failed
    }
}

/// Sends markers to one database.
pub(in crate::server) struct LogMarker {
    connection: Connection,
}

impl LogMarker {
    pub(in crate::server) fn open(spec: &DatabaseSpec) -> Result<Self> {
        let mut connection = Connection::new(spec)?;
        // A copy's database is made later than the log is switched on; it goes with the run.
        let database = name_of(spec.name());
        connection.run(
            ACTION,
            &format!("ALTER DATABASE {database} SET log_statement = 'all'; SET log_statement = 'all'"),
        )?;
        Ok(Self { connection })
    }
}

impl Marker for LogMarker {
    fn send(&mut self, text: &str) -> Result<()> {
        self.connection.run("mark the log of statements", &format!("SELECT {}", quoted(text))).map(drop)
    }
}

/// The statement that a line of the log tells of: `statement: …`, `execute <unnamed>: …`.
fn statement(message: &str) -> Option<&str> {
    if let Some(text) = message.strip_prefix("statement: ") {
        return Some(text);
    }
    message.strip_prefix("execute ").and_then(|rest| Some(rest.split_once(": ")?.1))
}

/// The values that were bound, in the place of `$1`, `$2`: so that two statements that differ by them do.
fn with_values(text: &str, detail: &str) -> String {
    // With a capital from version 16 on.
    let list = detail.strip_prefix("parameters: ").or_else(|| detail.strip_prefix("Parameters: "));
    let Some(list) = list else { return text.to_owned() };
    let values = parameters(list);
    let mut out = String::with_capacity(text.len() + list.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[at + 1..at + 1 + digits].parse::<usize>().ok();
        out.push_str(&rest[..at]);
        match number.and_then(|number| values.get(number.checked_sub(1)?)) {
            Some(value) => out.push_str(value),
            None => out.push_str(&rest[at..at + 1 + digits]),
        }
        rest = &rest[at + 1 + digits..];
    }
    out + rest
}

/// `$1 = 'a', $2 = NULL`, value by value.
fn parameters(list: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = list;
    while let Some((_, after)) = rest.split_once(" = ") {
        let end = if after.starts_with('\'') {
            let mut at = 1;
            let bytes = after.as_bytes();
            while at < bytes.len() && !(bytes[at] == b'\'' && bytes.get(at + 1) != Some(&b'\'')) {
                at += if bytes[at] == b'\'' { 2 } else { 1 };
            }
            (at + 1).min(after.len())
        } else {
            after.find(", $").unwrap_or(after.len())
        };
        values.push(after[..end].to_owned());
        rest = &after[end..];
    }
    values
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn name_of(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let pair = |pair: &[u8]| Some((value(*pair.first()?)? << 4 | value(*pair.get(1)?)?) as u8);
    digits.as_bytes().chunks(2).map(pair).collect()
}

/// Reads CSV piece by piece: fields may hold line breaks.
#[derive(Default)]
struct CsvReader {
    fields: Vec<String>,
    field: Vec<u8>,
    quoted: bool,
    /// Whether the last byte was a quotation mark inside of a quoted field: it ends the field, or is doubled.
    mark: bool,
}

impl CsvReader {
    fn feed(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[String])) {
        for &byte in bytes {
            if self.quoted {
                match (self.mark, byte) {
                    (false, b'"') => self.mark = true,
                    (false, byte) => self.field.push(byte),
                    (true, b'"') => {
                        self.field.push(b'"');
                        self.mark = false;
                    }
                    (true, byte) => {
                        (self.quoted, self.mark) = (false, false);
                        self.outside(byte, take);
                    }
                }
            } else {
                self.outside(byte, take);
            }
        }
    }

    fn outside(&mut self, byte: u8, take: &mut dyn FnMut(&[String])) {
        match byte {
            b'"' => self.quoted = true,
            b',' | b'\n' => {
                self.fields.push(String::from_utf8_lossy(&std::mem::take(&mut self.field)).into_owned());
                if byte == b'\n' {
                    take(&self.fields);
                    self.fields.clear();
                }
            }
            byte => self.field.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_log_are_read_whatever_they_are_cut_into() {
        let text = b"a,\"b \"\"c\"\"\nd\",e\n1,,\"\"\n";
        for size in [1, 3, 100] {
            let mut lines = Vec::new();
            let mut reader = CsvReader::default();
            for piece in text.chunks(size) {
                reader.feed(piece, &mut |fields| lines.push(fields.join("|")));
            }
            assert_eq!(lines, ["a|b \"c\"\nd|e", "1||"], "{size}");
        }
    }

    #[test]
    fn bound_values_take_their_places() {
        let text = "INSERT INTO t VALUES ($1, $2, $10)";
        let told = with_values(text, "parameters: $1 = 'it''s, $2 = x', $2 = NULL");
        assert_eq!(told, "INSERT INTO t VALUES ('it''s, $2 = x', NULL, $10)");
        assert_eq!(with_values("SELECT $$x$$", ""), "SELECT $$x$$");
        assert_eq!(statement("execute <unnamed>: SELECT 1"), Some("SELECT 1"));
        assert_eq!(statement("duration: 3 ms"), None);
    }
}
