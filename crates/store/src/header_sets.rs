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
    /// By their fields, as `write_out` writes them.
    numbers: RefCell<HashMap<Vec<u8>, i64>>,
    sets: RefCell<HashMap<i64, Headers>>,
    /// Where that is done.
    bytes: RefCell<Vec<u8>>,
}

impl HeaderSets {
    /// The text of header fields for the store: the number of a set, and what follows it.
    pub(crate) fn pack(&self, connection: &Connection, headers: &Headers) -> Result<String, StoreError> {
        let fields: Vec<(&str, &str)> = headers.iter().collect();
        let shared = fields.iter().position(|(name, _)| OWN.contains(name)).unwrap_or(fields.len());
        if shared == 0 {
            return Ok(to_json(&fields));
        }
        let (shared, own) = fields.split_at(shared);
        let mut text = self.number(connection, shared)?.to_string();
        if !own.is_empty() {
            text.push_str(&to_json(&own));
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

    fn number(&self, connection: &Connection, shared: &[(&str, &str)]) -> Result<i64, StoreError> {
        let mut bytes = self.bytes.borrow_mut();
        write_out(shared, &mut bytes);
        if let Some(number) = self.numbers.borrow().get(bytes.as_slice()) {
            return Ok(*number);
        }
        let fields = to_json(&shared);
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
        numbers.insert(bytes.clone(), number);
        Ok(number)
    }
}

/// Fields as one row of bytes, each part with its length before it, so that no two lists of fields have the same. Much
/// faster than JSON.
fn write_out(fields: &[(&str, &str)], bytes: &mut Vec<u8>) {
    bytes.clear();
    for part in fields.iter().flat_map(|(name, value)| [name, value]) {
        bytes.extend_from_slice(&part.len().to_le_bytes());
        bytes.extend_from_slice(part.as_bytes());
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
