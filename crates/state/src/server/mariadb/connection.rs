//! The connection to a server: how it is set up, and what its refusals mean.

use std::time::Duration;

use mysql::prelude::Queryable;
use mysql::{Conn, Opts, OptsBuilder, Params, Row, Value};

use super::sql::name;
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;

/// How long to wait for a server that does not answer.
const CONNECT: Duration = Duration::from_secs(10);

/// One row of the catalogue, as text.
pub(super) type Line = Vec<Option<String>>;

/// A connection to one database, or the lack of it.
pub(super) struct Connection {
    spec: DatabaseSpec,
    conn: Option<Conn>,
    patience: Duration,
    /// MySQL rather than MariaDB.
    pub(super) mysql: bool,
    /// The longest statement that the server takes, in bytes.
    pub(super) packet: usize,
    /// Whether rows of the past can be written into tables that keep their history.
    pub(super) history: bool,
}

impl Connection {
    pub(super) fn new(spec: &DatabaseSpec) -> Result<Self> {
        options(spec)?;
        let patience = Duration::from_secs(10);
        Ok(Self { spec: spec.clone(), conn: None, patience, mysql: false, packet: 1 << 20, history: false })
    }

    /// A connection to the server of a database, which need not be there.
    pub(super) fn to_server(spec: &DatabaseSpec) -> Result<Self> {
        let mut server = Self::new(spec)?;
        let without = OptsBuilder::from_opts(options(spec)?).db_name(None::<String>);
        server.conn = Some(Conn::new(without).map_err(|error| server.away(&error))?);
        server.run("set the time-outs of the session", &patience_sql(server.patience))?;
        Ok(server)
    }

    pub(super) fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
        if self.conn.is_some() {
            // Where this fails, the connection is gone, and the next one is given it.
            let _ = self.run("set the time-outs of the session", &patience_sql(patience));
        }
    }

    /// Connects, unless there is a connection that works.
    pub(super) fn connect(&mut self) -> Result<()> {
        if self.conn.as_mut().is_some_and(|conn| conn.ping().is_ok()) {
            return Ok(());
        }
        self.conn = None;
        self.conn = Some(Conn::new(options(&self.spec)?).map_err(|error| self.away(&error))?);
        let version = self.ask("ask for the version", "SELECT VERSION(), @@max_allowed_packet")?;
        let said =
            |place: usize| version.first().and_then(|line| line.get(place)?.clone()).unwrap_or_default();
        self.mysql = !said(0).to_lowercase().contains("mariadb");
        self.packet = said(1).parse().unwrap_or(1 << 20);
        // This connection is restage's own: what it writes is neither noted, nor seen by the application's triggers.
        self.run(
            "set up the session",
            "SET @restage_restoring = 1, time_zone = '+00:00', foreign_key_checks = 0, \
             sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION', \
             sql_quote_show_create = 1, group_concat_max_len = 1048576, net_write_timeout = 3600, wait_timeout = 31536000",
        )?;
        self.run("set up the session", "SET NAMES utf8mb4")?;
        self.run("set up the session", "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")?;
        if self.mysql {
            self.run("set up the session", "SET information_schema_stats_expiry = 0")?;
        } else {
            self.run("set up the session", "SET check_constraint_checks = 0, max_statement_time = 0")?;
            self.history = self.run("set up the session", "SET system_versioning_insert_history = 1").is_ok();
        }
        self.run("set the time-outs of the session", &patience_sql(self.patience))
    }

    /// Runs a statement.
    pub(super) fn run(&mut self, action: &str, sql: &str) -> Result<()> {
        let outcome = self.live()?.query_drop(sql);
        outcome.map_err(|error| self.refused(action, error))
    }

    /// Runs a statement with values, for what is too long to be written into it.
    pub(super) fn run_with(&mut self, action: &str, sql: &str, values: Vec<Value>) -> Result<()> {
        let outcome = self.live()?.exec_drop(sql, Params::Positional(values));
        outcome.map_err(|error| self.refused(action, error))
    }

    /// The answer to a question about the catalogue.
    pub(super) fn ask(&mut self, action: &str, sql: &str) -> Result<Vec<Line>> {
        let mut lines = Vec::new();
        self.each(action, sql, &mut |row| {
            lines.push((0..row.len()).map(|place| text_at(&row, place)).collect());
            Ok(())
        })?;
        Ok(lines)
    }

    /// Each row of an answer as it comes.
    pub(super) fn each(
        &mut self,
        action: &str,
        sql: &str,
        each: &mut dyn FnMut(Row) -> Result<()>,
    ) -> Result<()> {
        let outcome = match self.live()?.query_iter(sql) {
            Err(error) => Err(error),
            Ok(rows) => {
                let mut failed = Ok(());
                for row in rows {
                    match row {
                        Ok(row) => each(row)?,
                        Err(error) => {
                            failed = Err(error);
                            break;
                        }
                    }
                }
                failed
            }
        };
        outcome.map_err(|error| self.refused(action, error))
    }

    /// Takes back what is not committed; a connection that cannot is given up, which takes it back too.
    pub(super) fn roll_back(&mut self) {
        if self.run("roll back", "ROLLBACK").is_err() {
            self.conn = None;
        }
    }

    /// An error of restage's own making about this database.
    pub(super) fn error(&self, action: &str, said: &str, hint: &str) -> Error {
        Error::Server {
            database: self.spec.shown(),
            action: action.to_owned(),
            said: said.to_owned(),
            hint: hint.to_owned(),
        }
    }

    /// The database's name.
    pub(super) fn database(&self) -> &str {
        self.spec.name()
    }

    fn live(&mut self) -> Result<&mut Conn> {
        let database = self.spec.shown();
        let said = "the connection was lost".to_owned();
        self.conn.as_mut().ok_or(Error::ServerAway { database, said })
    }

    fn away(&self, error: &mysql::Error) -> Error {
        Error::ServerAway { database: self.spec.shown(), said: said(error) }
    }

    fn refused(&mut self, action: &str, error: mysql::Error) -> Error {
        let mysql::Error::MySqlError(refusal) = &error else {
            self.conn = None;
            return self.away(&error);
        };
        // Shut down, killed, gone.
        let of_mysql = self.mysql && matches!(refusal.code, 3169 | 4031);
        if of_mysql || matches!(refusal.code, 1053 | 1927 | 2006 | 2013) {
            self.conn = None;
            return self.away(&error);
        }
        let hint = self.hint(refusal.code);
        self.error(action, &said(&error), &hint)
    }

    fn hint(&mut self, code: u16) -> String {
        let database = name(self.database());
        match code {
            1205 | 1213 => self.lock_hint(),
            1044 | 1142 | 1143 | 1370 => {
                format!("GRANT ALL PRIVILEGES ON {database}.* TO the account in the address")
            }
            1227 if self.mysql => {
                "let the account set definers: GRANT SET_USER_ID ON *.* (SET_ANY_DEFINER from \
                                   MySQL 8.2), or make it the definer of all triggers, views and routines"
                    .to_owned()
            }
            1227 => "let the account set definers: GRANT SET USER ON *.*, or make it the definer of all \
                     triggers, views and routines"
                .to_owned(),
            1419 => "the server keeps a binary log, and lets no plain account make triggers: \
                     SET GLOBAL log_bin_trust_function_creators = 1"
                .to_owned(),
            1153 | 1301 => {
                "raise max_allowed_packet on the server above the size of the largest value".to_owned()
            }
            1114 | 1021 | 1041 => "make room on the server's disk".to_owned(),
            _ => "look up this refusal in the server's manual, and check the account's rights".to_owned(),
        }
    }

    /// Who may hold the lock that was waited for.
    fn lock_hint(&mut self) -> String {
        let waited = self.patience.as_secs();
        let hint = format!(
            "nothing was let go for {waited} s: let the application end its open transactions, or stop it"
        );
        // An account without rights sees its own connections, and those are mostly the application's.
        let sql = "SELECT ID, USER, HOST, TIME, COALESCE(INFO, COMMAND) FROM information_schema.PROCESSLIST \
                   WHERE ID <> CONNECTION_ID() AND DB = DATABASE() ORDER BY TIME DESC LIMIT 3";
        let Some(Ok(lines)) = self.conn.as_mut().map(|conn| conn.query::<Row, _>(sql)) else { return hint };
        let who = lines.iter().map(|line| {
            let at = |place| text_at(line, place).unwrap_or_default();
            let doing: String = at(4).chars().take(60).collect();
            format!("connection {} of {}@{} ({doing}, for {} s)", at(0), at(1), at(2), at(3))
        });
        let who: Vec<String> = who.collect();
        if who.is_empty() { hint } else { format!("{hint}; it may be {}", who.join(", ")) }
    }
}

fn options(spec: &DatabaseSpec) -> Result<Opts> {
    let bad = |what: String| Error::DatabaseUrl { database: spec.shown(), what, scheme: "mysql" };
    let rest = spec.url.split_once("://").map_or("", |(_, rest)| rest);
    let opts = Opts::from_url(&format!("mysql://{rest}")).map_err(|error| bad(error.to_string()))?;
    // The server's socket would make it another account: user@localhost.
    Ok(OptsBuilder::from_opts(opts)
        .prefer_socket(false)
        .tcp_keepalive_time_ms(Some(30_000))
        .tcp_connect_timeout(Some(CONNECT))
        .into())
}

fn patience_sql(patience: Duration) -> String {
    let seconds = patience.as_secs().max(1);
    format!("SET innodb_lock_wait_timeout = {seconds}, lock_wait_timeout = {seconds}")
}

/// What was said, without what may hold a password: a driver's error can name its options.
fn said(error: &mysql::Error) -> String {
    match error {
        mysql::Error::MySqlError(error) => format!("{} ({})", error.message, error.code),
        mysql::Error::IoError(error) => error.to_string(),
        mysql::Error::DriverError(error) => error.to_string(),
        _ => "the server said something that is not understood".to_owned(),
    }
}

/// A value of the catalogue as text.
pub(super) fn text_at(row: &Row, place: usize) -> Option<String> {
    match row.as_ref(place)? {
        Value::NULL => None,
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Value::Int(number) => Some(number.to_string()),
        Value::UInt(number) => Some(number.to_string()),
        other => Some(other.as_sql(true)),
    }
}
