//! The catalogue at a glance: cheap, and different whenever something of the schema is.

use std::collections::BTreeMap;

use super::connection::{Connection, Line};
use super::recently_altered::Recent;
use crate::error::Result;

/// Names of restage's own things begin with this.
pub(super) const OWN: &str = "restage_";

/// What there is, with what tells one version of it from another.
#[derive(Debug, Clone, Default)]
pub(super) struct Glance {
    /// By kind and name.
    pub(super) things: BTreeMap<(String, String), String>,
    /// restage's own triggers: by name, the table and the body.
    pub(super) own_triggers: BTreeMap<String, (String, String)>,
    /// The engine of each table.
    pub(super) engines: BTreeMap<String, String>,
}

/// A table in the catalogue's words.
pub(super) const TABLE: &str = "table";
/// A sequence.
pub(super) const SEQUENCE: &str = "sequence";
/// A view.
pub(super) const VIEW: &str = "view";
/// A trigger of the application.
pub(super) const TRIGGER: &str = "trigger";
/// What belongs to the database as a whole.
pub(super) const DATABASE: &str = "database";
/// An event.
pub(super) const EVENT: &str = "event";

impl Glance {
    /// Looks.
    pub(super) fn take(server: &mut Connection, recent: &mut Recent) -> Result<Self> {
        let mut glance = Self::default();
        for line in server.ask("list the tables", TABLES)? {
            glance.add_table(server, recent, &line)?;
        }
        for line in server.ask("list views, triggers and routines", OTHERS)? {
            glance.add_other(&line);
        }
        Ok(glance)
    }

    /// All of it as text.
    pub(super) fn mark(&self) -> String {
        let lines = self.things.iter().map(|((kind, name), version)| format!("{kind} {name}\t{version}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The version of a thing in a mark.
    pub(super) fn in_mark<'a>(mark: &'a str, kind: &str, name: &str) -> Option<&'a str> {
        let start = format!("{kind} {name}\t");
        mark.lines().find_map(|line| line.strip_prefix(start.as_str()))
    }

    fn add_table(&mut self, server: &mut Connection, recent: &mut Recent, line: &Line) -> Result<()> {
        let at = |place: usize| line.get(place).cloned().flatten().unwrap_or_default();
        let (name, class) = (at(0), at(1));
        if name.to_lowercase().starts_with(OWN) || class == "VIEW" || class == "SYSTEM VIEW" {
            return Ok(());
        }
        let kind = if class == "SEQUENCE" { SEQUENCE } else { TABLE };
        let version = [class, at(2), at(3), at(4)].join("\t");
        let version = recent.version(server, &name, &version, at(5) == "1")?;
        self.things.insert((kind.to_owned(), name.clone()), version);
        if kind == TABLE {
            self.engines.insert(name, at(2));
        }
        Ok(())
    }

    fn add_other(&mut self, line: &Line) {
        let at = |place: usize| line.get(place).cloned().flatten().unwrap_or_default();
        let (kind, name, version) = (at(0), at(1), at(2));
        if kind == TRIGGER && name.starts_with(OWN) {
            self.own_triggers.insert(name, (at(3), at(4)));
        } else if !name.starts_with(OWN) {
            self.things.insert((kind, name), version);
        }
    }
}

const TABLES: &str = "SELECT TABLE_NAME, TABLE_TYPE, ENGINE, CREATE_TIME, CREATE_OPTIONS, \
     CREATE_TIME >= NOW() - INTERVAL 1 SECOND \
     FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()";

// The names are of several collations, which some servers refuse in one answer.
const OTHERS: &str = "SELECT 'database', '', MD5(CONCAT_WS('|', DEFAULT_COLLATION_NAME)), NULL, NULL \
       FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = DATABASE() \
     UNION ALL SELECT 'view', CONVERT(TABLE_NAME USING utf8mb4), MD5(CONCAT_WS('|', VIEW_DEFINITION, CHECK_OPTION, DEFINER, SECURITY_TYPE, \
       CHARACTER_SET_CLIENT, COLLATION_CONNECTION)), NULL, NULL \
       FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE() \
     UNION ALL SELECT 'trigger', CONVERT(TRIGGER_NAME USING utf8mb4), MD5(CONCAT_WS('|', EVENT_OBJECT_TABLE, ACTION_TIMING, \
       EVENT_MANIPULATION, ACTION_ORDER, ACTION_STATEMENT, SQL_MODE, DEFINER, CHARACTER_SET_CLIENT, \
       COLLATION_CONNECTION)), CONVERT(EVENT_OBJECT_TABLE USING utf8mb4), CONVERT(ACTION_STATEMENT USING utf8mb4) \
       FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = DATABASE() \
     UNION ALL SELECT CONVERT(LOWER(ROUTINE_TYPE) USING utf8mb4), CONVERT(ROUTINE_NAME USING utf8mb4), MD5(CONCAT_WS('|', LAST_ALTERED, ROUTINE_DEFINITION, \
       DTD_IDENTIFIER, SQL_MODE, DEFINER, SECURITY_TYPE, SQL_DATA_ACCESS, ROUTINE_COMMENT, CHARACTER_SET_CLIENT, \
       COLLATION_CONNECTION)), NULL, NULL FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() \
     UNION ALL SELECT 'event', CONVERT(EVENT_NAME USING utf8mb4), MD5(CONCAT_WS('|', LAST_ALTERED, EVENT_DEFINITION, EVENT_TYPE, EXECUTE_AT, \
       INTERVAL_VALUE, INTERVAL_FIELD, STARTS, ENDS, STATUS, ON_COMPLETION, SQL_MODE, DEFINER, EVENT_COMMENT)), \
       NULL, NULL FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE()";
