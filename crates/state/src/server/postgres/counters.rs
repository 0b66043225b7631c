//! Sequences: where ids go on.

use super::connection::Connection;
use crate::error::Result;
use crate::server::engine::Counters;

const SEQUENCES: &str = "SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c \
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'S' AND n.nspname !~ '^pg_' \
    AND n.nspname NOT IN ('information_schema', 'restage_watch')";

/// Every sequence's value: the last one, and whether it was given out.
pub(super) fn read(connection: &mut Connection) -> Result<Counters> {
    let names = connection.run("read the sequences", SEQUENCES)?;
    let each = names.iter().filter_map(|row| row.get(0)).map(|name| {
        let quoted = name.replace('\'', "''");
        format!("SELECT '{quoted}', concat(last_value, ' ', is_called) FROM {name}")
    });
    let sql = each.collect::<Vec<_>>().join(" UNION ALL ");
    if sql.is_empty() {
        return Ok(Counters::new());
    }
    let rows = connection.run("read the sequences", &sql)?;
    let pair = |row: &postgres::SimpleQueryRow| Some((row.get(0)?.to_owned(), row.get(1)?.to_owned()));
    Ok(rows.iter().filter_map(pair).collect())
}

/// Sets those that are not as they should be. A sequence is part of no transaction, so this comes last.
pub(super) fn put_back(connection: &mut Connection, goal: &Counters) -> Result<()> {
    let now = read(connection)?;
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
