//! What makes a thing anew: a statement, and the session that it has to be run in.

use serde::{Deserialize, Serialize};

use super::connection::Connection;
use super::sql::quoted;
use crate::error::Result;

/// The session in which a trigger, a view, a routine or an event is made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Session {
    #[serde(default)]
    pub(super) sql_mode: Option<String>,
    #[serde(default)]
    pub(super) client: Option<String>,
    #[serde(default)]
    pub(super) collation: Option<String>,
    #[serde(default)]
    pub(super) time_zone: Option<String>,
    /// Of a trigger: table, timing and event, and its place among those of the same.
    #[serde(default)]
    pub(super) group: Option<(String, u32)>,
}

/// A definition as an object keeps it.
pub(super) fn words(session: &Session, statement: &str) -> String {
    let session = serde_json::to_string(session).unwrap_or_default();
    format!("{session}\n{statement}")
}

/// The parts of a definition.
pub(super) fn parts(definition: &str) -> (Session, &str) {
    let (session, statement) = definition.split_once('\n').unwrap_or(("", definition));
    (serde_json::from_str(session).unwrap_or_default(), statement)
}

/// Runs a statement in its session, and goes back to restage's own.
pub(super) fn make(server: &mut Connection, action: &str, session: &Session, statement: &str) -> Result<()> {
    let mut set = vec!["@restage_mode = @@sql_mode".to_owned()];
    let mut back = vec!["sql_mode = @restage_mode".to_owned()];
    if let Some(mode) = &session.sql_mode {
        set.push(format!("sql_mode = {}", quoted(mode)));
    }
    if let Some(zone) = &session.time_zone {
        set.push(format!("time_zone = {}", quoted(zone)));
        back.push("time_zone = '+00:00'".to_owned());
    }
    if let (Some(client), Some(collation)) = (&session.client, &session.collation) {
        // A statement is sent in UTF-8: one that is not plain ASCII can be made in no other character set.
        let fits = statement.is_ascii() || client.starts_with("utf8");
        let client = if fits { client.as_str() } else { "utf8mb4" };
        set.push(format!("character_set_client = {client}, collation_connection = {collation}"));
        back.push("character_set_client = utf8mb4, collation_connection = utf8mb4_general_ci".to_owned());
    }
    server.run(action, &format!("SET {}", set.join(", ")))?;
    let made = server.run(action, statement);
    server.run(action, &format!("SET {}", back.join(", ")))?;
    made
}
