//! Bytes of facts, each distinct ones once. They are apart from bodies: they go with the last run that has them.

use rusqlite::{Connection, OptionalExtension, params};

use crate::StoreError;
use crate::bodies::Packer;

/// Under this, compression does not pay.
const SMALL: usize = 64;

/// The id under which bytes are stored.
pub(super) fn put(connection: &Connection, packer: &Packer, bytes: &[u8]) -> Result<i64, StoreError> {
    let hash = &blake3::hash(bytes).as_bytes()[..16].to_vec();
    let mut find = connection.prepare_cached("SELECT id FROM fact_content WHERE hash = ?")?;
    if let Some(id) = find.query_row([hash], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let packed = if bytes.len() < SMALL { None } else { packer.compress(bytes) };
    let (codec, data) = match &packed {
        Some(packed) if packed.len() < bytes.len() => (1, packed.as_slice()),
        _ => (0, bytes),
    };
    connection
        .prepare_cached("INSERT INTO fact_content (hash, size, codec, data) VALUES (?, ?, ?, ?)")?
        .execute(params![hash, bytes.len(), codec, data])?;
    Ok(connection.last_insert_rowid())
}

/// The bytes that are stored under an id.
pub(super) fn get(connection: &Connection, packer: &Packer, id: i64) -> Result<Vec<u8>, StoreError> {
    let bad = |what: &str| StoreError::Unreadable(format!("facts {id}: {what}"));
    let mut statement =
        connection.prepare_cached("SELECT size, codec, data FROM fact_content WHERE id = ?")?;
    let row = statement.query_row([id], |row| {
        Ok((row.get::<_, usize>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
    });
    let (size, codec, data) = row.optional()?.ok_or_else(|| bad("they are missing"))?;
    match codec {
        0 => Ok(data),
        1 => packer.decompress(&data, size).map_err(|e| bad(&e.to_string())),
        _ => Err(bad(&format!("the codec {codec} is unknown"))),
    }
}
