//! Rows that changed since a table's image was made.

use std::collections::BTreeMap;

use super::record::{TableRecord, damaged};
use super::values::Values;
use crate::error::Result;
use crate::snapshot_store::{ChunkId, SnapshotStore};

/// What stands at a key: a row, or none.
pub(crate) type Rows = BTreeMap<Values, Option<Values>>;

/// More deltas than this on one image are made one.
const MOST: usize = 32;

/// Keeps changed rows.
pub(super) fn keep(store: &mut SnapshotStore, rows: &Rows) -> Result<ChunkId> {
    let mut bytes = Vec::new();
    for (key, row) in rows {
        for part in [Some(key), row.as_ref()] {
            let part = part.map_or(&[][..], Values::bytes);
            bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
            bytes.extend_from_slice(part);
        }
    }
    store.keep_chunk(&bytes)
}

/// All rows of several deltas, the last first to be asked.
pub(super) fn read(store: &mut SnapshotStore, deltas: &[ChunkId]) -> Result<Rows> {
    let mut rows = Rows::new();
    for delta in deltas {
        let bytes = store.chunk(*delta)?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (key, after) = part(rest).ok_or_else(|| damaged(store, "rows that changed"))?;
            let (row, after) = part(after).ok_or_else(|| damaged(store, "rows that changed"))?;
            let key = Values::from_bytes(key).ok_or_else(|| damaged(store, "a key"))?;
            let row = if row.is_empty() { None } else { Values::from_bytes(row) };
            rows.insert(key, row);
            rest = after;
        }
    }
    Ok(rows)
}

/// Adds changed rows to a table's record.
pub(super) fn add(store: &mut SnapshotStore, table: &mut TableRecord, rows: &Rows) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    if table.deltas.len() >= MOST {
        let mut all = read(store, &table.deltas)?;
        all.extend(rows.clone());
        table.deltas = vec![keep(store, &all)?];
    } else {
        table.deltas.push(keep(store, rows)?);
    }
    Ok(())
}

/// The deltas that one list has and the other lacks, of both: what is common at the beginning says the same in both.
pub(super) fn apart<'a>(one: &'a [ChunkId], other: &'a [ChunkId]) -> (&'a [ChunkId], &'a [ChunkId]) {
    let common = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    (&one[common..], &other[common..])
}

fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}
