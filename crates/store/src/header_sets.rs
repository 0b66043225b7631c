//! Header fields that many exchanges share, each set once.
//!
//! A log of a million lines knows a thousand browsers. What comes before the first field of an exchange's own (where it
//! came from, its cookies) is a set, and the exchange names it by its number.

use std::cell::RefCell;
use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

use restage_model::Headers;

use crate::StoreError;
use crate::exchanges::to_json;

/// Fields that differ from request to request.
const OWN: &[&str] = &["referer", "cookie", "content-length", "location", "set-cookie", "x-forwarded-for"];

/// How many sets are remembered at a time.
const REMEMBERED: usize = 1 << 14;

/// The sets that were met last.
#[derive(Debug, Default)]
pub(crate) struct HeaderSets {
    numbers: RefCell<HashMap<String, i64>>,
    sets: RefCell<HashMap<i64, Headers>>,
}

impl HeaderSets {
    /// The text of header fields for the store: the number of a set, and what follows it.
    pub(crate) fn pack(&self, connection: &Connection, headers: &Headers) -> Result<String, StoreError> {
        let fields: Vec<(&str, &str)> = headers.iter().collect();
        let shared = fields.iter().position(|(name, _)| OWN.contains(name)).unwrap_or(fields.len());
        if shared == 0 {
            return Ok(to_json(&fields));
        }
        let mut text = self.number(connection, to_json(&&fields[..shared]))?.to_string();
        if shared < fields.len() {
            text.push_str(&to_json(&&fields[shared..]));
        }
        Ok(text)
    }

    /// Reads what `pack` wrote, or plain JSON.
    pub(crate) fn unpack(&self, connection: &Connection, text: &str) -> Result<Headers, StoreError> {
        let bad = |e: serde_json::Error| StoreError::Unreadable(format!("header fields: {e}"));
        let end = text.find('[').unwrap_or(text.len());
        let (number, own) = text.split_at(end);
        if number.is_empty() {
            return serde_json::from_str(own).map_err(bad);
        }
        let number: i64 =
            number.parse().map_err(|_| StoreError::Unreadable(format!("header fields: `{number}`")))?;
        let known = self.sets.borrow().get(&number).cloned();
        let mut headers = match known {
            Some(headers) => headers,
            None => {
                let fields: String = connection
                    .prepare_cached("SELECT fields FROM header_set WHERE id = ?")?
                    .query_row([number], |row| row.get(0))?;
                let headers: Headers = serde_json::from_str(&fields).map_err(bad)?;
                let mut sets = self.sets.borrow_mut();
                if sets.len() >= REMEMBERED {
                    sets.clear();
                }
                sets.insert(number, headers.clone());
                headers
            }
        };
        if !own.is_empty() {
            let own: Vec<(String, String)> = serde_json::from_str(own).map_err(bad)?;
            own.into_iter().for_each(|(name, value)| headers.push(&name, value));
        }
        Ok(headers)
    }

    /// Forgets numbers that a transaction gave which then failed.
    pub(crate) fn forget(&self) {
        self.numbers.borrow_mut().clear();
    }

    fn number(&self, connection: &Connection, fields: String) -> Result<i64, StoreError> {
        if let Some(number) = self.numbers.borrow().get(&fields) {
            return Ok(*number);
        }
        let found: Option<i64> = connection
            .prepare_cached("SELECT id FROM header_set WHERE fields = ?")?
            .query_row([&fields], |row| row.get(0))
            .optional()?;
        let number = match found {
            Some(number) => number,
            None => {
                connection
                    .prepare_cached("INSERT INTO header_set (fields) VALUES (?)")?
                    .execute([&fields])?;
                connection.last_insert_rowid()
            }
        };
        let mut numbers = self.numbers.borrow_mut();
        if numbers.len() >= REMEMBERED {
            numbers.clear();
        }
        numbers.insert(fields, number);
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    fn headers(fields: &[(&str, &str)]) -> Headers {
        fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    }

    /// Catches: fields that come back in another order, lost, or as another exchange's.
    #[test]
    fn what_is_packed_is_read_back_and_shared_fields_are_stored_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let sets = HeaderSets::default();
        let all = [
            headers(&[("host", "a"), ("user-agent", "x"), ("referer", "/1"), ("accept", "*")]),
            headers(&[("host", "a"), ("user-agent", "x"), ("cookie", "a=1")]),
            headers(&[("host", "a"), ("user-agent", "x")]),
            headers(&[("cookie", "a=1"), ("host", "a")]),
            headers(&[]),
        ];
        for fields in &all {
            let text = sets.pack(&store.connection, fields).unwrap();
            let again = HeaderSets::default();
            assert_eq!(again.unpack(&store.connection, &text).unwrap(), *fields, "{text}");
        }
        let count: i64 =
            store.connection.query_row("SELECT count(*) FROM header_set", [], |r| r.get(0)).unwrap();
        assert_eq!(count, 1);
    }
}
