//! Sequences: where ids go on.

use postgres::SimpleQueryRow;

use super::catalogue::EXECUTE_MARK;
use super::connection::Connection;
use crate::error::{Error, Result};
use crate::server::engine::Counters;

const SEQUENCES: &str = "SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c \
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'S' AND n.nspname !~ '^pg_' \
    AND n.nspname NOT IN ('information_schema', 'restage_watch')";

/// The sequences of a database, and a prepared statement that reads them all.
#[derive(Default)]
pub(super) struct Sequences {
    /// The catalogue's mark, and the number of the connection, that the statement goes with.
    prepared: Option<(String, u64)>,
    /// How often a statement was prepared.
    number: u64,
}

impl Sequences {
    /// The statement is not to be trusted any more.
    pub(super) fn forget(&mut self) {
        self.prepared = None;
    }

    /// Every sequence's value: the last one, and whether it was given out.
    pub(super) fn read(&mut self, connection: &mut Connection) -> Result<Counters> {
        let Some(sql) = self.known(connection) else { return self.read_anew(connection) };
        // A sequence that was dropped makes it fail.
        match connection.run("read the sequences", &sql) {
            Ok(rows) => self.seen(&rows).map_or_else(|| self.read_anew(connection), Ok),
            Err(Error::Server { .. }) => self.read_anew(connection),
            Err(error) => Err(error),
        }
    }

    /// The same in an open transaction, which goes on where the statement fails.
    fn read_within(&mut self, connection: &mut Connection) -> Result<Counters> {
        let Some(sql) = self.known(connection) else { return self.read_anew(connection) };
        let rows = connection.try_to("read the sequences", &sql)?;
        let seen = rows.ok().and_then(|rows| self.seen(&rows));
        seen.map_or_else(|| self.read_anew(connection), Ok)
    }

    /// What reads them by the statement that is prepared on this connection.
    fn known(&self, connection: &Connection) -> Option<String> {
        let (_, on) = self.prepared.as_ref()?;
        (*on == connection.number())
            .then(|| format!("{EXECUTE_MARK}; EXECUTE restage_counters_{}", self.number))
    }

    /// What it gave; nothing where the catalogue has changed since it was prepared.
    fn seen(&self, rows: &[SimpleQueryRow]) -> Option<Counters> {
        let (mark, _) = self.prepared.as_ref()?;
        let is_current = rows.first().and_then(|row| row.get(0)) == Some(mark.as_str());
        is_current.then(|| rows.iter().skip(1).filter_map(pair).collect())
    }

    fn read_anew(&mut self, connection: &mut Connection) -> Result<Counters> {
        let rows = connection.run("read the sequences", &format!("{EXECUTE_MARK}; {SEQUENCES}"))?;
        let mut said = rows.iter().filter_map(|row| row.get(0));
        let mark = said.next().unwrap_or_default().to_owned();
        let each = said.map(|name| {
            let quoted = name.replace('\'', "''");
            format!("SELECT '{quoted}', concat(last_value, ' ', is_called) FROM {name}")
        });
        let sql = each.collect::<Vec<_>>().join(" UNION ALL ");
        let sql = if sql.is_empty() { "SELECT WHERE false".to_owned() } else { sql };
        self.number += 1;
        let name = format!("restage_counters_{}", self.number);
        let rows =
            connection.run("read the sequences", &format!("PREPARE {name} AS {sql}; EXECUTE {name}"))?;
        self.prepared = Some((mark, connection.number()));
        Ok(rows.iter().filter_map(pair).collect())
    }

    /// Has those written to the log as they are that the server has noted to be some values ahead, as it does to save work: a crash
    /// would let them begin there.
    pub(super) fn settle(&mut self, connection: &mut Connection) -> Result<()> {
        let each = self.read(connection)?.into_keys().map(|name| {
            let quoted = name.replace('\'', "''");
            format!(
                "SELECT setval('{quoted}'::regclass, last_value, is_called) FROM {name} WHERE log_cnt <> 0"
            )
        });
        let sql = each.collect::<Vec<_>>().join("; ");
        if !sql.is_empty() {
            connection.run("set the sequences", &sql)?;
        }
        Ok(())
    }

    /// Sets those that are not as they should be. A sequence is part of no transaction, so this comes last.
    pub(super) fn put_back(&mut self, connection: &mut Connection, goal: &Counters) -> Result<()> {
        let now = self.read_within(connection)?;
        let wrong = goal.iter().filter(|(name, value)| now.get(*name) != Some(*value));
        let each = wrong.filter_map(|(name, value)| {
            let (last, called) = value.split_once(' ')?;
            Some(format!("SELECT setval('{}'::regclass, {last}, '{called}')", name.replace('\'', "''")))
        });
        let sql = each.collect::<Vec<_>>().join("; ");
        if !sql.is_empty() {
            connection.run("set the sequences", &sql)?;
        }
        Ok(())
    }
}

fn pair(row: &SimpleQueryRow) -> Option<(String, String)> {
    Some((row.get(0)?.to_owned(), row.get(1)?.to_owned()))
}
