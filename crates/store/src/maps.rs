//! Maps of the application, by name.

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use restage_model::Moment;

use crate::{Store, StoreError};

/// A map on its way to the store.
#[derive(Clone, Debug)]
pub struct NewMap<'a> {
    /// Its name.
    pub name: &'a str,
    /// The version of the application that a spider saw; none where it is from sessions alone.
    pub app: Option<&'a str>,
    /// The map itself, as JSON.
    pub json: &'a str,
}

/// A stored map, without what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredMap {
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created: Moment,
    /// The version of the application that a spider saw.
    pub app: Option<String>,
}

impl Store {
    /// Stores a map; one of the same name is replaced.
    pub fn save_map(&mut self, new: &NewMap<'_>) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute("DELETE FROM map WHERE name = ?", [new.name])?;
        transaction.execute(
            "INSERT INTO map (name, created, app, detail) VALUES (?, ?, ?, ?)",
            params![new.name, Moment::now().0, new.app, new.json],
        )?;
        Ok(transaction.commit()?)
    }

    /// The maps, oldest first.
    pub fn maps(&self) -> Result<Vec<StoredMap>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT name, created, app FROM map ORDER BY id")?;
        Ok(statement.query_map([], stored)?.collect::<Result<_, _>>()?)
    }

    /// The JSON of a map.
    pub fn map_json(&self, name: &str) -> Result<String, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT detail FROM map WHERE name = ?")?;
        if let Some(json) = statement.query_row([name], |row| row.get(0)).optional()? {
            return Ok(json);
        }
        let names: Vec<String> = self.maps()?.into_iter().map(|map| map.name).collect();
        let there = match names.len() {
            0 => "there is none yet; `restage map` makes one".to_owned(),
            _ => format!("there is: {}", names.join(", ")),
        };
        Err(StoreError::Unknown { kind: "map", name: name.to_owned(), there })
    }
}

fn stored(row: &Row<'_>) -> Result<StoredMap, rusqlite::Error> {
    Ok(StoredMap { name: row.get(0)?, created: Moment(row.get(1)?), app: row.get(2)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a map that is lost or not replaced, and a message that does not say what there is.
    #[test]
    fn maps_are_kept_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        assert!(store.map_json("map-1").unwrap_err().to_string().contains("restage map"));
        for (name, app, json) in [("a", None, "{}"), ("b", Some("default"), "[1]"), ("a", Some("new"), "[2]")]
        {
            store.save_map(&NewMap { name, app, json }).unwrap();
        }
        let names: Vec<String> = store.maps().unwrap().into_iter().map(|map| map.name).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(store.map_json("a").unwrap(), "[2]");
        assert!(store.map_json("c").unwrap_err().to_string().contains("b, a"));
    }
}
