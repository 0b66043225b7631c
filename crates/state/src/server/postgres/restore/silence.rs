//! Keeping the application's own triggers, rules and foreign keys out of what is written back.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::server::engine::Table;
use crate::server::postgres::connection::Connection;
use crate::server::postgres::tables::qualified;

/// Triggers and rules that are switched off, and what switches them on again as they were.
pub(super) struct Quiet {
    on_again: String,
}

/// Triggers and rules that would fire, each with what switches it off and on again.
const ACTIVE: &str = "WITH t AS (SELECT unnest(ARRAY[{tables}]::regclass[]) AS oid)
SELECT 'ALTER TABLE ' || oid || ' DISABLE ' || what || ' ' || name,
  'ALTER TABLE ' || oid || ' ENABLE ' || CASE state WHEN 'A' THEN 'ALWAYS ' WHEN 'R' THEN 'REPLICA ' ELSE '' END || what || ' ' || name
FROM (SELECT t.oid::regclass::text AS oid, 'TRIGGER' AS what, quote_ident(tgname) AS name, tgenabled AS state
    FROM t JOIN pg_trigger ON tgrelid = t.oid AND NOT tgisinternal AND tgname !~ '^restage_'
  UNION ALL SELECT t.oid::regclass::text, 'RULE', quote_ident(rulename), ev_enabled FROM t JOIN pg_rewrite ON ev_class = t.oid) a
WHERE state IN ({states})";

impl Quiet {
    /// Switches off what would fire on these tables. In a `free` transaction, only what always fires does.
    pub(super) fn begin(connection: &mut Connection, tables: &BTreeSet<String>, free: bool) -> Result<Self> {
        let mut quiet = Self { on_again: String::new() };
        if tables.is_empty() {
            return Ok(quiet);
        }
        let names: Vec<String> =
            tables.iter().map(|name| format!("'{}'", name.replace('\'', "''"))).collect();
        let states = if free { "'A', 'R'" } else { "'O', 'A'" };
        let sql = ACTIVE.replace("{tables}", &names.join(", ")).replace("{states}", states);
        let mut off = String::new();
        for row in connection.run("look for triggers", &sql)? {
            off.push_str(row.get(0).unwrap_or_default());
            off.push(';');
            quiet.on_again.push_str(row.get(1).unwrap_or_default());
            quiet.on_again.push(';');
        }
        if !off.is_empty() {
            connection.run("switch triggers off", &off)?;
        }
        Ok(quiet)
    }

    /// Switches them on again.
    pub(super) fn end(self, connection: &mut Connection) -> Result<()> {
        if !self.on_again.is_empty() {
            connection.run("switch triggers on again", &self.on_again)?;
        }
        Ok(())
    }
}

/// Drops the foreign keys on and to tables that are filled anew; whether there were any.
pub(super) fn drop_foreign_keys(connection: &mut Connection, tables: &[&Table]) -> Result<bool> {
    if tables.is_empty() {
        return Ok(false);
    }
    let names = tables.iter().map(|table| format!("'{}'", qualified(&table.name).replace('\'', "''")));
    let names = names.collect::<Vec<_>>().join(", ");
    // Those of partitions go with the one they come from.
    let sql = format!(
        "WITH RECURSIVE k AS (SELECT oid, conparentid FROM pg_constraint WHERE contype = 'f' \
         AND (conrelid = ANY (ARRAY[{names}]::regclass[]) OR confrelid = ANY (ARRAY[{names}]::regclass[])) \
         UNION SELECT p.oid, p.conparentid FROM k JOIN pg_constraint p ON p.oid = k.conparentid) \
         SELECT 'ALTER TABLE ' || r.conrelid::regclass || ' DROP CONSTRAINT ' || quote_ident(r.conname) \
         FROM k JOIN pg_constraint r ON r.oid = k.oid WHERE k.conparentid = 0"
    );
    let rows = connection.run("look for foreign keys", &sql)?;
    let drops: Vec<&str> = rows.iter().filter_map(|row| row.get(0)).collect();
    if !drops.is_empty() {
        connection.run("drop foreign keys for a moment", &drops.join("; "))?;
    }
    Ok(!drops.is_empty())
}
