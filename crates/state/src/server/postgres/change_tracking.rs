//! restage's own part of the database: a schema with notes of changed rows, and triggers that write them.
//!
//! A note is a table and a key. The functions of the triggers are one for each list of key columns. They run as their
//! owner, so that whoever writes can note, and never fail: a key that cannot be read (a column was renamed) is noted as
//! "anything". What restage itself writes is not noted: it says so by a setting of its transaction.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::EXECUTE_MARK;
use super::connection::Connection;
use super::tables::{self, KnownTable, qualified};
use crate::error::{Error, Result};
use crate::server::engine::Table;
use crate::server::values::Values;

/// Set while restage writes.
pub(super) const RESTORING: &str = "SET LOCAL restage.restoring = 'on'";
/// Set where the account may, too: no trigger fires, but those that always do.
pub(super) const FREELY: &str = "SET LOCAL session_replication_role = replica";

const NOT_RESTORING: &str =
    "WHEN (pg_catalog.current_setting('restage.restoring', true) IS DISTINCT FROM 'on')";

const SCHEMA: &str = "CREATE SCHEMA restage_watch; \
    CREATE UNLOGGED TABLE restage_watch.notes (tab oid NOT NULL, key text[]); \
    CREATE FUNCTION restage_watch.note_all() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $restage$
DECLARE
  setting text := 'restage.all_' || TG_RELID;
  now text := pg_catalog.pg_current_xact_id()::text;
BEGIN
  -- Once a transaction is enough.
  IF pg_catalog.current_setting(setting, true) IS DISTINCT FROM now THEN
    INSERT INTO restage_watch.notes VALUES (TG_RELID, NULL);
    PERFORM pg_catalog.set_config(setting, now, true);
  END IF;
  RETURN NULL;
END $restage$";

/// Types whose text is the same whatever the settings are.
const PLAIN: [&str; 10] =
    ["smallint", "integer", "bigint", "text", "character", "uuid", "boolean", "numeric", "name", "bpchar"];

/// Removes everything of restage's own.
pub(super) fn remove(connection: &mut Connection) -> Result<()> {
    let found =
        connection.run("look for notes", "SELECT FROM pg_namespace WHERE nspname = 'restage_watch'")?;
    if !found.is_empty() {
        connection.run("remove restage's notes", "DROP SCHEMA restage_watch CASCADE")?;
    }
    Ok(())
}

/// Makes everything anew, and tells the tables that are watched.
pub(super) fn begin(connection: &mut Connection) -> Result<Followed> {
    connection.transaction("watch the database", "", |connection| {
        remove(connection)?;
        connection.run("watch the database", SCHEMA).map_err(|error| match error {
            Error::Server { database, action, said, .. } => {
                let hint = "the account needs to be let create a schema: GRANT CREATE ON DATABASE … TO …";
                Error::Server { database, action, said, hint: hint.to_owned() }
            }
            other => other,
        })?;
        follow(connection, &BTreeMap::new())
    })
}

/// Tables as they are watched now.
pub(super) struct Followed {
    /// The stamps of all tables.
    pub(super) stamps: BTreeMap<String, String>,
    /// Tables whose rows may have been changed past the triggers.
    pub(super) whole: BTreeSet<String>,
    /// Names by oid.
    pub(super) names: BTreeMap<i64, String>,
    /// The files of materialized views, by name: another one after each refresh.
    pub(super) views: BTreeMap<String, String>,
}

/// Puts triggers on tables whose stamp is not what it was.
pub(super) fn follow(connection: &mut Connection, before: &BTreeMap<String, String>) -> Result<Followed> {
    let mut known = tables::read(connection)?;
    let is_new = |known: &&KnownTable| before.get(&known.table.name) != Some(&known.stamp);
    let whole: BTreeSet<String> = known.iter().filter(is_new).map(|known| known.table.name.clone()).collect();
    let mut functions = BTreeSet::new();
    let mut sql = String::new();
    for known in known.iter().filter(is_new) {
        let (name, function) = function_for(&known.table);
        if let Some(function) = function.filter(|_| functions.insert(name.clone())) {
            sql.push_str(&function);
        }
        sql.push_str(&triggers_for(known, &name));
    }
    if !sql.is_empty() {
        connection.run("put triggers on the tables", &sql)?;
        known = tables::read(connection)?;
    }
    let names = known.iter().map(|known| (known.oid, known.table.name.clone())).collect();
    Ok(Followed { stamps: tables::stamps(&known), whole, names, views: views(connection)? })
}

fn views(connection: &mut Connection) -> Result<BTreeMap<String, String>> {
    let sql = "SELECT oid::regclass, pg_relation_filenode(oid) FROM pg_class WHERE relkind = 'm'";
    let rows = connection.run("look for materialized views", sql)?;
    Ok(rows.iter().filter_map(|row| Some((row.get(0)?.to_owned(), row.get(1)?.to_owned()))).collect())
}

/// The name of the function that notes rows of a table like this one, and what makes it; none for one that is there.
fn function_for(table: &Table) -> (String, Option<String>) {
    if table.key.is_empty() {
        return ("note_all".to_owned(), None);
    }
    let columns: Vec<&str> = table.key.iter().map(|place| table.columns[*place].name.as_str()).collect();
    let plain = |place: &usize| {
        let kind = &table.columns[*place].kind;
        PLAIN.iter().any(|plain| kind.split(['(', ' ', '[', '\n']).next() == Some(plain))
    };
    // A setting costs a little for each row.
    let settings = if table.key.iter().all(plain) {
        ""
    } else {
        " SET datestyle = 'ISO, YMD' SET intervalstyle = postgres SET extra_float_digits = 1 SET bytea_output = hex \
         SET timezone = 'UTC' SET lc_monetary = 'C'"
    };
    let hash = blake3::hash(format!("{columns:?} {settings}").as_bytes()).to_hex();
    let name = format!("note_{}", &hash.as_str()[..16]);
    let key = |row: &str| {
        let each: Vec<String> =
            columns.iter().map(|c| format!("pg_catalog.format('%s', {row}.{c})")).collect();
        format!("ARRAY[{}]", each.join(", "))
    };
    let sql = format!(
        "CREATE OR REPLACE FUNCTION restage_watch.{name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER{settings} AS $restage$
DECLARE
  old_key text[];
  new_key text[];
BEGIN
  BEGIN
    IF TG_OP <> 'INSERT' THEN old_key := {}; END IF;
    IF TG_OP <> 'DELETE' THEN new_key := {}; END IF;
  EXCEPTION WHEN OTHERS THEN
    old_key := NULL;
    new_key := NULL;
  END;
  IF old_key IS NOT NULL AND old_key IS DISTINCT FROM new_key THEN
    INSERT INTO restage_watch.notes VALUES (TG_RELID, old_key);
  END IF;
  IF new_key IS NOT NULL OR old_key IS NULL THEN
    INSERT INTO restage_watch.notes VALUES (TG_RELID, new_key);
  END IF;
  RETURN NULL;
END $restage$;\n",
        key("OLD"),
        key("NEW"),
    );
    (name, Some(sql))
}

fn triggers_for(known: &KnownTable, function: &str) -> String {
    let name = qualified(&known.table.name);
    format!(
        "DROP TRIGGER IF EXISTS restage_note ON {name}; DROP TRIGGER IF EXISTS restage_emptied ON {name};
CREATE TRIGGER restage_note AFTER INSERT OR UPDATE OR DELETE ON {name} FOR EACH ROW {NOT_RESTORING} \
         EXECUTE FUNCTION restage_watch.{function}();
CREATE TRIGGER restage_emptied AFTER TRUNCATE ON {name} {NOT_RESTORING} EXECUTE FUNCTION restage_watch.note_all();
ALTER TABLE {name} ENABLE ALWAYS TRIGGER restage_note, ENABLE ALWAYS TRIGGER restage_emptied;\n"
    )
}

/// Notes that were taken out of the database.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) keys: BTreeMap<i64, BTreeSet<Values>>,
    pub(super) whole: BTreeSet<i64>,
}

/// Takes the notes out of the database, and reads the catalogue's mark; none where the notes are gone.
pub(super) fn take(connection: &mut Connection, notes: &mut Notes) -> Result<Option<String>> {
    // Where a good part of a table changed, all of it is read with less effort than row by row.
    const TAKE: &str = "WITH n AS (DELETE FROM restage_watch.notes RETURNING tab, key), c AS (SELECT tab, count(*) AS n FROM n GROUP BY tab) \
        SELECT DISTINCT tab::int8, CASE WHEN c.n > 5000 AND c.n * 400 > pg_relation_size(tab) THEN NULL ELSE to_json(key)::text END \
        FROM n JOIN c USING (tab)";
    let rows = match connection.run("read restage's notes", &format!("{EXECUTE_MARK}; {TAKE}")) {
        Ok(rows) => rows,
        Err(error) => {
            let there = "SELECT FROM pg_class WHERE oid = to_regclass('restage_watch.notes')";
            let gone = connection.is_open() && connection.run("look for notes", there)?.is_empty();
            return if gone { Ok(None) } else { Err(error) };
        }
    };
    let mut rows = rows.iter();
    let mark = rows.next().and_then(|row| row.get(0)).unwrap_or_default().to_owned();
    for row in rows {
        let tab = row.get(0).and_then(|tab| tab.parse().ok()).unwrap_or_default();
        let key: Option<Vec<String>> = row.get(1).and_then(|key| serde_json::from_str(key).ok());
        match key {
            Some(key) => {
                let key = key.iter().map(|value| Some(value.as_bytes())).collect();
                notes.keys.entry(tab).or_default().insert(key);
            }
            None => {
                notes.whole.insert(tab);
            }
        }
    }
    Ok(Some(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::engine::Column;

    /// Catches: keys noted under the application's settings, in which a date is written otherwise.
    #[test]
    fn a_key_whose_text_hangs_on_settings_is_noted_under_fixed_ones() {
        let table = |kind: &str| Table {
            name: "t".to_owned(),
            columns: vec![Column { name: "id".to_owned(), kind: kind.to_owned() }],
            key: vec![0],
        };
        for (kind, fixed) in [
            ("integer", false),
            ("character varying(20)", false),
            ("numeric(10,2)", false),
            ("date", true),
            ("timestamp with time zone", true),
            ("bytea", true),
            ("public.pair\n[\"date\"]", true),
        ] {
            let (_, sql) = function_for(&table(kind));
            assert_eq!(sql.unwrap().contains("SET timezone"), fixed, "{kind}");
        }
    }
}
