//! The connection to a database: made when first needed, with settings under which text says the same always.

use std::str::FromStr;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::{Client, Config, NoTls, SimpleQueryMessage, SimpleQueryRow};

use super::catalogue::MARK;
use super::copy::{Fill, read_copy, write_copy};
use super::copy_text::Line;
use super::error_hints::{chain, who_holds_locks};
use crate::error::{Error, Result};
use crate::server::address::DatabaseSpec;

/// What is said by text must not hang on what the server or the account is set to. Nothing that is written needs to be on
/// the disk at once: after a crash of the server everything is looked at anew.
const SETTINGS: &str = "SET search_path = pg_catalog; SET datestyle = 'ISO, YMD'; SET intervalstyle = postgres; \
    SET extra_float_digits = 1; SET bytea_output = hex; SET timezone = 'UTC'; SET standard_conforming_strings = on; \
    SET xmloption = content; SET lc_monetary = 'C'; SET row_security = off; SET synchronous_commit = off; SET check_function_bodies = off; \
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET client_min_messages = error; \
    SET default_transaction_read_only = off; SET default_transaction_isolation = 'read committed'; SET jit = off; \
    SET default_tablespace = ''; SET quote_all_identifiers = off; \
    SET synchronize_seqscans = off";

/// What a superuser may, and whoever was granted it: to write past triggers and foreign keys.
const FREE: &str = "SET session_replication_role = replica; SET session_replication_role = origin";

/// How long a server may take to answer a first call.
const TO_CONNECT: Duration = Duration::from_secs(10);

/// A database, connected to or not.
pub(super) struct Connection {
    config: Config,
    shown: String,
    client: Option<Client>,
    /// Counts the connections that were made: what was prepared on one is not on the next.
    number: u64,
    /// Whether the account may write past triggers and foreign keys.
    free: bool,
    patience: Duration,
}

impl Connection {
    pub(super) fn new(spec: &DatabaseSpec) -> Result<Self> {
        let mut config = Config::from_str(&spec.url).map_err(|_| Error::DatabaseUrl {
            database: spec.shown(),
            what: "it cannot be taken apart".to_owned(),
            scheme: "postgres",
        })?;
        config.application_name("restage").connect_timeout(TO_CONNECT);
        Ok(Self {
            config,
            shown: spec.shown(),
            client: None,
            number: 0,
            free: false,
            patience: Duration::from_secs(10),
        })
    }

    /// The same server, another database of it.
    pub(super) fn in_database(mut self, name: &str) -> Self {
        self.config.dbname(name);
        self
    }

    /// The same, by another name in the server's list of connections.
    pub(super) fn called(mut self, name: &str) -> Self {
        self.config.application_name(name);
        self
    }

    pub(super) fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
        let set = format!("SET {}", self.patience());
        if let Some(client) = &mut self.client {
            // Where this fails, the next statement says why.
            let _ = client.batch_execute(&set);
        }
    }

    /// The address, without its password.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    pub(super) fn is_open(&self) -> bool {
        self.client.as_ref().is_some_and(|client| !client.is_closed())
    }

    /// Connects, where that is not done yet.
    pub(super) fn open(&mut self) -> Result<&mut Self> {
        self.client()?;
        Ok(self)
    }

    /// Whether the account may write past triggers and foreign keys.
    pub(super) fn is_free(&self) -> bool {
        self.free
    }

    /// Which connection this is, of those that were made.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// How long is waited for locks, to be set by `SET`.
    pub(super) fn patience(&self) -> String {
        // 0 would be for ever.
        format!("lock_timeout = {}", self.patience.as_millis().max(1))
    }

    fn client(&mut self) -> Result<&mut Client> {
        if !self.is_open() {
            let mut client = self.config.connect(NoTls).map_err(|error| self.away(&error))?;
            let settings = format!("{SETTINGS}; SET {}; PREPARE restage_mark AS {MARK}", self.patience());
            client.batch_execute(&settings).map_err(|error| self.away(&error))?;
            self.free = client.batch_execute(FREE).is_ok();
            self.number += 1;
            self.client = Some(client);
        }
        self.client.as_mut().ok_or_else(|| Error::ServerAway {
            database: self.shown.clone(),
            said: "the connection was closed".to_owned(),
        })
    }

    /// Runs statements, and gives the rows of all of them.
    pub(super) fn run(&mut self, action: &str, sql: &str) -> Result<Vec<SimpleQueryRow>> {
        let answer = self.client()?.simple_query(sql);
        let messages = answer.map_err(|error| self.refused(action, error))?;
        Ok(messages
            .into_iter()
            .filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => Some(row),
                _ => None,
            })
            .collect())
    }

    /// Runs statements that an open transaction survives where they fail; what the server said then.
    pub(super) fn try_to(&mut self, action: &str, sql: &str) -> Result<Result<Vec<SimpleQueryRow>>> {
        let whole = format!("SAVEPOINT restage_try; {sql}; RELEASE SAVEPOINT restage_try");
        match self.run(action, &whole) {
            Err(error @ Error::Server { .. }) => {
                self.run(action, "ROLLBACK TO SAVEPOINT restage_try; RELEASE SAVEPOINT restage_try")?;
                Ok(Err(error))
            }
            Err(error) => Err(error),
            Ok(rows) => Ok(Ok(rows)),
        }
    }

    /// Work that an open transaction survives where the server refuses a part of it.
    pub(super) fn attempt<T>(
        &mut self,
        action: &str,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Result<T>> {
        self.run(action, "SAVEPOINT restage_attempt")?;
        match work(self) {
            Err(error @ Error::Server { .. }) => {
                let back = "ROLLBACK TO SAVEPOINT restage_attempt; RELEASE SAVEPOINT restage_attempt";
                self.run(action, back)?;
                Ok(Err(error))
            }
            Err(error) => Err(error),
            Ok(done) => self.run(action, "RELEASE SAVEPOINT restage_attempt").map(|_| Ok(done)),
        }
    }

    /// Work in one transaction, all of it or nothing; `begin` is run as it begins.
    pub(super) fn transaction<T>(
        &mut self,
        action: &str,
        begin: &str,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.run(action, &format!("BEGIN; {begin}"))?;
        let done = work(self).and_then(|done| self.run(action, "COMMIT").map(|_| done));
        if done.is_err() && self.is_open() {
            // The first error tells; where this fails too, the connection is done for.
            if self.run(action, "ROLLBACK").is_err() {
                self.client = None;
            }
        }
        done
    }

    /// The lines that a COPY … TO STDOUT gives.
    pub(super) fn copy_out(
        &mut self,
        action: &str,
        sql: &str,
        each: &mut dyn FnMut(Line<'_>) -> Result<()>,
    ) -> Result<()> {
        match read_copy(self.client()?, sql, each) {
            Ok(done) => done,
            Err(error) => Err(self.broken(action, error)),
        }
    }

    /// Writes what `fill` gives to a COPY … FROM STDIN; how many rows the server took.
    pub(super) fn copy_in(&mut self, action: &str, sql: &str, fill: &mut Fill<'_>) -> Result<u64> {
        match write_copy(self.client()?, sql, fill) {
            Ok(done) => done,
            Err(error) => Err(self.broken(action, error)),
        }
    }

    fn broken(&mut self, action: &str, error: std::io::Error) -> Error {
        match error.downcast::<postgres::Error>() {
            Ok(error) => self.refused(action, error),
            Err(error) => {
                self.client = None;
                Error::ServerAway { database: self.shown.clone(), said: error.to_string() }
            }
        }
    }

    fn away(&self, error: &postgres::Error) -> Error {
        let said = error.as_db_error().map_or_else(|| chain(error), |said| said.message().to_owned());
        Error::ServerAway { database: self.shown.clone(), said }
    }

    /// What the server refused, with what can be done about it.
    fn refused(&mut self, action: &str, error: postgres::Error) -> Error {
        let Some(said) = error.as_db_error() else {
            self.client = None;
            return self.away(&error);
        };
        let code = said.code();
        if *code == SqlState::ADMIN_SHUTDOWN
            || *code == SqlState::CRASH_SHUTDOWN
            || code.code().starts_with("08")
        {
            self.client = None;
            return self.away(&error);
        }
        let mut text = said.message().to_owned();
        for more in [said.detail(), said.hint()].into_iter().flatten() {
            text = format!("{text} ({more})");
        }
        let hint = if *code == SqlState::LOCK_NOT_AVAILABLE {
            text = format!("a lock was not given within {} s", self.patience.as_secs_f64());
            who_holds_locks(&self.config)
        } else if text.contains("row-level security") {
            "let the account see all rows: ALTER ROLE … BYPASSRLS, or ALTER TABLE … NO FORCE ROW LEVEL SECURITY".to_owned()
        } else if *code == SqlState::INSUFFICIENT_PRIVILEGE {
            format!(
                "let the account own the database ({}) and its tables: ALTER DATABASE … OWNER TO …, or grant what is named",
                self.shown
            )
        } else if *code == SqlState::T_R_DEADLOCK_DETECTED {
            "let the application come to rest, and try again".to_owned()
        } else {
            "see the server's log; another user of the database may be in the way".to_owned()
        };
        Error::Server { database: self.shown.clone(), action: action.to_owned(), said: text, hint }
    }
}
