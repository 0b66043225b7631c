//! All rows of a table as they were once, in buckets.
//!
//! A bucket is a chunk: the rows whose keys fall into it, in the order of their keys. The same rows make the same
//! chunks, whatever order they lie in. A table without a key has no buckets: its rows are cut into chunks in their order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::delta::{self, Rows};
use super::engine::{Engine, Table};
use super::record::{TableRecord, damaged};
use super::spool::{Pair, Spool, bucket_of};
use super::values::Values;
use crate::error::Result;
use crate::snapshot_store::{ChunkId, SnapshotStore, TreeId, TreeWriter};

/// About how many bytes of rows make a bucket.
const BUCKET: u64 = 16 << 10;
/// A chunk of a table without a key is cut at the latest after so many bytes.
const LONGEST: usize = 256 << 10;

/// How many buckets a table of about this size has.
fn buckets_for(size: u64) -> u32 {
    u32::try_from((size / BUCKET).next_power_of_two()).unwrap_or(u32::MAX / 2 + 1)
}

/// A table's rows, just read.
pub(super) struct Written {
    pub(super) record: TableRecord,
    pub(super) rows: u64,
    pub(super) bytes: u64,
}

/// Reads all rows of a table into the snapshot store. Where there was an image of the table before, it is
/// followed in the number of buckets, so that both share what did not change.
pub(super) fn write(
    store: &mut SnapshotStore,
    engine: &mut dyn Engine,
    table: &Table,
    before: Option<u32>,
) -> Result<Written> {
    let (mut rows_read, mut size) = (0, 0);
    let name = table.name.clone();
    let mut tree = TreeWriter::default();
    if table.key.is_empty() {
        let mut cut = Cut::default();
        engine.scan(table, &mut |row| {
            (rows_read, size) = (rows_read + 1, size + row.bytes().len() as u64);
            match cut.push(&row) {
                Some(bytes) => {
                    let chunk = store.keep_chunk(&bytes)?;
                    tree.push(store, chunk)
                }
                None => Ok(()),
            }
        })?;
        if let Some(bytes) = cut.rest() {
            let chunk = store.keep_chunk(&bytes)?;
            tree.push(store, chunk)?;
        }
        let image = tree.finish(store)?;
        let record = TableRecord { name, image, buckets: 0, deltas: Vec::new() };
        return Ok(Written { record, rows: rows_read, bytes: size });
    }
    let near = |fitting: u32, buckets: u32| {
        (fitting / 8..=fitting.saturating_mul(8)).contains(&buckets) && buckets > 0
    };
    let fitting = buckets_for(engine.size(table)?);
    let mut buckets = before.filter(|before| near(fitting, *before)).unwrap_or(fitting);
    let mut spool = spooled(engine, table, buckets)?;
    // What a server says of a table's size may be what it was before the table was filled.
    let fitting = buckets_for(spool.total());
    if !near(fitting, buckets) {
        buckets = before.filter(|before| near(fitting, *before)).unwrap_or(fitting);
        spool = spool.in_buckets(buckets)?;
    }
    spool.each_bucket(|_, rows| {
        rows_read += rows.len() as u64;
        size += rows.iter().map(|(_, row)| row.bytes().len() as u64).sum::<u64>();
        let chunk = store.keep_chunk(&packed(rows.iter().map(|(_, row)| row)))?;
        tree.push(store, chunk)
    })?;
    let image = tree.finish(store)?;
    let record = TableRecord { name, image, buckets, deltas: Vec::new() };
    Ok(Written { record, rows: rows_read, bytes: size })
}

/// What a look at a table found that is not as recorded.
pub(super) enum Looked {
    /// The rows as they have to be, of the keys where they are not.
    Rows(Rows),
    /// It has to be filled anew.
    Whole,
}

/// Compares all rows of a table with its record.
pub(super) fn look(
    store: &mut SnapshotStore,
    engine: &mut dyn Engine,
    table: &Table,
    record: &TableRecord,
) -> Result<Looked> {
    let chunks = store.chunks(record.image)?;
    if table.key.is_empty() || record.buckets == 0 {
        return look_at_list(store, engine, table, &chunks);
    }
    let mut changed: BTreeMap<u32, Rows> = BTreeMap::new();
    for (key, row) in delta::read(store, &record.deltas)? {
        changed.entry(bucket_of(&key, record.buckets)).or_default().insert(key, row);
    }
    let mut wrong = Rows::new();
    spooled(engine, table, record.buckets)?.each_bucket(|number, rows| {
        let deltas = changed.remove(&number);
        let chunk = chunks.get(number as usize).copied();
        let chunk = chunk.ok_or_else(|| damaged(store, "a bucket is missing"))?;
        if deltas.is_none() && store.is_chunk(chunk, &packed(rows.iter().map(|(_, row)| row)))? {
            return Ok(());
        }
        let mut expected = keyed(table, unpacked(store, chunk)?);
        for (key, row) in deltas.into_iter().flatten() {
            match row {
                Some(row) => expected.insert(key, row),
                None => expected.remove(&key),
            };
        }
        for (key, row) in rows {
            match expected.remove(&key) {
                Some(same) if same == row => {}
                other => {
                    wrong.insert(key, other);
                }
            }
        }
        wrong.extend(expected.into_iter().map(|(key, row)| (key, Some(row))));
        Ok(())
    })?;
    Ok(Looked::Rows(wrong))
}

fn look_at_list(
    store: &mut SnapshotStore,
    engine: &mut dyn Engine,
    table: &Table,
    chunks: &[ChunkId],
) -> Result<Looked> {
    let mut expected = chunks.iter();
    let mut same = true;
    let mut cut = Cut::default();
    engine.scan(table, &mut |row| {
        if same && let Some(bytes) = cut.push(&row) {
            same = match expected.next() {
                Some(chunk) => store.is_chunk(*chunk, &bytes)?,
                None => false,
            };
        }
        Ok(())
    })?;
    if same && let Some(bytes) = cut.rest() {
        same = match expected.next() {
            Some(chunk) => store.is_chunk(*chunk, &bytes)?,
            None => false,
        };
    }
    let same = same && expected.next().is_none();
    Ok(if same { Looked::Rows(Rows::new()) } else { Looked::Whole })
}

/// Reads rows out of images, remembering where each image's buckets are.
#[derive(Default)]
pub(super) struct Images {
    chunks: HashMap<TreeId, Arc<Vec<ChunkId>>>,
}

impl Images {
    /// Forgets everything: the snapshot store's ids may have changed their meaning.
    pub(super) fn forget(&mut self) {
        self.chunks.clear();
    }

    /// The buckets of an image.
    pub(super) fn buckets(&mut self, store: &mut SnapshotStore, image: TreeId) -> Result<Arc<Vec<ChunkId>>> {
        if let Some(known) = self.chunks.get(&image) {
            return Ok(known.clone());
        }
        let chunks = Arc::new(store.chunks(image)?);
        self.chunks.insert(image, chunks.clone());
        Ok(chunks)
    }

    /// The rows at some keys, as a record has them.
    pub(super) fn rows(
        &mut self,
        store: &mut SnapshotStore,
        table: &Table,
        record: &TableRecord,
        keys: &BTreeSet<Values>,
    ) -> Result<Rows> {
        let deltas = delta::read(store, &record.deltas)?;
        let mut rows = Rows::new();
        let mut by_bucket: BTreeMap<u32, Vec<&Values>> = BTreeMap::new();
        for key in keys {
            match deltas.get(key) {
                Some(row) => {
                    rows.insert(key.clone(), row.clone());
                }
                None => by_bucket.entry(bucket_of(key, record.buckets)).or_default().push(key),
            }
        }
        let chunks = self.buckets(store, record.image)?;
        for (bucket, keys) in by_bucket {
            let chunk = chunks.get(bucket as usize).copied();
            let chunk = chunk.ok_or_else(|| damaged(store, "a bucket is missing"))?;
            let mut there = keyed(table, unpacked(store, chunk)?);
            rows.extend(keys.into_iter().map(|key| (key.clone(), there.remove(key))));
        }
        Ok(rows)
    }

    /// The keys of the rows in which two images of the same number of buckets may differ.
    pub(super) fn keys_apart(
        &mut self,
        store: &mut SnapshotStore,
        table: &Table,
        one: TreeId,
        other: TreeId,
    ) -> Result<BTreeSet<Values>> {
        let mut keys = BTreeSet::new();
        let (one, other) = (self.buckets(store, one)?, self.buckets(store, other)?);
        for (a, b) in one.iter().zip(other.iter()).filter(|(a, b)| a != b) {
            let (mut a, b) = (keyed(table, unpacked(store, *a)?), keyed(table, unpacked(store, *b)?));
            for (key, row) in b {
                if a.remove(&key) != Some(row) {
                    keys.insert(key);
                }
            }
            keys.extend(a.into_keys());
        }
        Ok(keys)
    }

    /// Each row of a record: bucket by bucket, or in their order where there are none.
    pub(super) fn each_row(
        &mut self,
        store: &mut SnapshotStore,
        table: &Table,
        record: &TableRecord,
        each: &mut dyn FnMut(&Values) -> Result<()>,
    ) -> Result<()> {
        let mut deltas = delta::read(store, &record.deltas)?;
        for chunk in self.buckets(store, record.image)?.iter() {
            for row in unpacked(store, *chunk)? {
                // What a delta says of a row goes before the image.
                match if deltas.is_empty() { None } else { deltas.remove(&table.key_of(&row)) } {
                    Some(None) => {}
                    Some(Some(row)) => each(&row)?,
                    None => each(&row)?,
                }
            }
        }
        deltas.into_values().flatten().try_for_each(|row| each(&row))
    }
}

fn spooled(engine: &mut dyn Engine, table: &Table, buckets: u32) -> Result<Spool> {
    let mut spool = Spool::new(buckets);
    engine.scan(table, &mut |row| {
        let key = table.key_of(&row);
        spool.push(key, row)
    })?;
    Ok(spool)
}

fn keyed(table: &Table, rows: Vec<Values>) -> BTreeMap<Values, Values> {
    rows.into_iter().map(|row| -> Pair { (table.key_of(&row), row) }).collect()
}

fn packed<'a>(rows: impl Iterator<Item = &'a Values>) -> Vec<u8> {
    let mut bytes = Vec::new();
    rows.for_each(|row| pack(&mut bytes, row));
    bytes
}

fn pack(bytes: &mut Vec<u8>, row: &Values) {
    bytes.extend_from_slice(&(row.bytes().len() as u32).to_le_bytes());
    bytes.extend_from_slice(row.bytes());
}

fn unpacked(store: &mut SnapshotStore, chunk: ChunkId) -> Result<Vec<Values>> {
    let bytes = store.chunk(chunk)?;
    let mut rest = &bytes[..];
    let mut rows = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let cut = after.split_at_checked(u32::from_le_bytes(*length) as usize);
        let row = cut.and_then(|(row, after)| Some((Values::from_bytes(row)?, after)));
        let (row, after) = row.ok_or_else(|| damaged(store, "a row"))?;
        rows.push(row);
        rest = after;
    }
    Ok(rows)
}

/// Rows in their order, cut after those whose hash says so, so that a row more or less changes one chunk.
#[derive(Default)]
struct Cut(Vec<u8>);

impl Cut {
    fn push(&mut self, row: &Values) -> Option<Vec<u8>> {
        pack(&mut self.0, row);
        let ends = blake3::hash(row.bytes()).as_bytes()[0] & 63 == 0 || self.0.len() > LONGEST;
        ends.then(|| std::mem::take(&mut self.0))
    }

    fn rest(self) -> Option<Vec<u8>> {
        (!self.0.is_empty()).then_some(self.0)
    }
}
