//! Tables that were altered just now. The catalogue's times are whole seconds: of a table that was altered in the second
//! in which it was looked at, they do not tell whether it was altered once more. Its definition does.

use std::collections::HashMap;

use super::connection::Connection;
use super::schema;
use super::sql::name;
use crate::error::Result;

/// What is known of tables that were altered just now.
#[derive(Debug, Default)]
pub(super) struct Recent {
    tables: HashMap<String, Seen>,
}

#[derive(Debug)]
struct Seen {
    /// What the catalogue said.
    version: String,
    /// How often it was found altered while the catalogue said the same.
    times: u32,
    /// The definition then; none for a table whose next change the catalogue will tell.
    definition: Option<blake3::Hash>,
}

impl Recent {
    /// The version of a table: what the catalogue says, and what it cannot say. `fresh`: altered just now.
    pub(super) fn version(
        &mut self,
        server: &mut Connection,
        table: &str,
        version: &str,
        fresh: bool,
    ) -> Result<String> {
        let seen = self.tables.get(table).filter(|seen| seen.version == version);
        let asked = fresh || seen.is_some_and(|seen| seen.definition.is_some());
        let definition = if asked { Some(definition(server, table)?) } else { None };
        let times = match seen {
            None => 0,
            Some(Seen { times, definition: Some(before), .. }) if definition != Some(*before) => times + 1,
            Some(seen) => seen.times,
        };
        let definition = definition.filter(|_| fresh);
        let full = if times == 0 { version.to_owned() } else { format!("{version}\t{times}") };
        self.tables.insert(table.to_owned(), Seen { version: version.to_owned(), times, definition });
        Ok(full)
    }
}

fn definition(server: &mut Connection, table: &str) -> Result<blake3::Hash> {
    let line = schema::show(server, &format!("SHOW CREATE TABLE {}", name(table)))?.unwrap_or_default();
    Ok(blake3::hash(schema::without_id(&schema::text(&line, 1)).as_bytes()))
}
