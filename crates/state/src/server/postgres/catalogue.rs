//! What a database is built of, read from its catalogue as statements that make it.

use std::collections::BTreeMap;

use super::connection::Connection;
use super::tables;
use crate::error::Result;
use crate::server::engine::{Object, Schema};

const CATALOGUE: &str = include_str!("catalogue.sql");

/// Reads the catalogue's mark.
pub(super) const MARK: &str = include_str!("mark.sql");

/// Something of the schema, with the way to be rid of it.
pub(super) struct Thing {
    /// What is made first has the lower rank.
    pub(super) rank: u32,
    pub(super) object: Object,
    /// What drops it, and all that hangs on it; empty where it goes with something else.
    pub(super) drop: String,
}

/// Everything there is.
pub(super) fn read(connection: &mut Connection) -> Result<Vec<Thing>> {
    let rows = connection.run("read the catalogue", CATALOGUE)?;
    let mut things: Vec<Thing> = rows
        .iter()
        .map(|row| {
            let get = |at| row.get(at).unwrap_or_default().to_owned();
            let object = Object { kind: get(1), name: get(2), definition: get(3) };
            Thing { rank: get(0).parse().unwrap_or_default(), object, drop: get(4) }
        })
        .collect();
    let place = |thing: &Thing| (thing.rank, thing.object.kind.clone(), thing.object.name.clone());
    things.sort_by_key(place);
    Ok(things)
}

/// The mark alone.
pub(super) fn mark(connection: &mut Connection) -> Result<String> {
    let rows = connection.run("read the catalogue", MARK)?;
    Ok(rows.first().and_then(|row| row.get(0)).unwrap_or_default().to_owned())
}

/// The whole schema. The mark is read first: what changes meanwhile shows next time.
pub(super) fn schema(connection: &mut Connection) -> Result<Schema> {
    let mark = mark(connection)?;
    let objects = read(connection)?.into_iter().map(|thing| thing.object).collect();
    let tables = tables::read(connection)?.into_iter().map(|known| known.table).collect();
    Ok(Schema { tables, objects, mark })
}

/// Definitions by kind and name.
pub(super) fn by_name(objects: &[Object]) -> BTreeMap<(&str, &str), &str> {
    objects
        .iter()
        .map(|object| ((object.kind.as_str(), object.name.as_str()), object.definition.as_str()))
        .collect()
}
