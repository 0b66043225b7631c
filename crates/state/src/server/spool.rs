//! Rows on their way into buckets. A table is read in the order in which it lies, buckets go by the hash of the key: what
//! does not fit into memory waits in a file, parted so that each part does.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};

use super::values::Values;
use crate::error::{Error, Result};

/// Up to this many bytes wait in memory.
const IN_MEMORY: usize = 64 << 20;
/// How many parts a file is made of, each a file of its own.
const PARTS: u64 = 64;

/// A row with its key.
pub(super) type Pair = (Values, Values);

/// Takes rows in any order, and gives them back bucket by bucket.
pub(super) struct Spool {
    buckets: u32,
    waiting: Vec<(u32, Pair)>,
    size: usize,
    parts: Vec<BufWriter<File>>,
}

/// The bucket of a key. It must be the same in every version of restage.
pub(super) fn bucket_of(key: &Values, buckets: u32) -> u32 {
    let hash = blake3::hash(key.bytes());
    let (first, _) = hash.as_bytes().split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    (u64::from_le_bytes(*first) % u64::from(buckets.max(1))) as u32
}

impl Spool {
    pub(super) fn new(buckets: u32) -> Self {
        Self { buckets, waiting: Vec::new(), size: 0, parts: Vec::new() }
    }

    pub(super) fn push(&mut self, key: Values, row: Values) -> Result<()> {
        self.size += key.bytes().len() + row.bytes().len() + 64;
        self.waiting.push((bucket_of(&key, self.buckets), (key, row)));
        if self.size >= IN_MEMORY { self.spill() } else { Ok(()) }
    }

    /// Each bucket in turn, empty ones too, its rows in the order of their keys.
    pub(super) fn each_bucket(mut self, mut each: impl FnMut(u32, Vec<Pair>) -> Result<()>) -> Result<()> {
        if self.parts.is_empty() {
            let waiting = std::mem::take(&mut self.waiting);
            return deal(waiting, 0..self.buckets, &mut each);
        }
        self.spill()?;
        for number in 0..self.parts.len() as u64 {
            let range = self.first_of(number)..self.first_of(number + 1);
            let waiting = self.read_part(number as usize)?;
            deal(waiting, range, &mut each)?;
        }
        Ok(())
    }

    /// The first bucket of a part.
    fn first_of(&self, part: u64) -> u32 {
        (part * u64::from(self.buckets)).div_ceil(PARTS) as u32
    }

    fn spill(&mut self) -> Result<()> {
        if self.parts.is_empty() {
            for _ in 0..PARTS {
                self.parts.push(BufWriter::new(tempfile::tempfile().map_err(failed)?));
            }
        }
        for (bucket, (key, row)) in self.waiting.drain(..) {
            let part = (u64::from(bucket) * PARTS / u64::from(self.buckets)) as usize;
            let file = &mut self.parts[part];
            for bytes in
                [&bucket.to_le_bytes()[..], &len(key.bytes()), key.bytes(), &len(row.bytes()), row.bytes()]
            {
                file.write_all(bytes).map_err(failed)?;
            }
        }
        self.size = 0;
        Ok(())
    }

    fn read_part(&mut self, part: usize) -> Result<Vec<(u32, Pair)>> {
        let writer = &mut self.parts[part];
        writer.flush().map_err(failed)?;
        let file = writer.get_mut();
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).map_err(failed)?;
        file.set_len(0).map_err(failed)?;
        let mut rest = &bytes[..];
        let mut pairs = Vec::new();
        while let Some((bucket, after)) = rest.split_first_chunk::<4>() {
            let (key, after) = values(after).ok_or_else(|| failed(std::io::ErrorKind::InvalidData.into()))?;
            let (row, after) = values(after).ok_or_else(|| failed(std::io::ErrorKind::InvalidData.into()))?;
            pairs.push((u32::from_le_bytes(*bucket), (key, row)));
            rest = after;
        }
        Ok(pairs)
    }
}

/// Gives out rows by bucket.
fn deal(
    mut waiting: Vec<(u32, Pair)>,
    buckets: std::ops::Range<u32>,
    each: &mut dyn FnMut(u32, Vec<Pair>) -> Result<()>,
) -> Result<()> {
    waiting.sort_unstable();
    let mut waiting = waiting.into_iter().peekable();
    for bucket in buckets {
        let mut rows = Vec::new();
        while let Some((_, pair)) = waiting.next_if(|(of, _)| *of == bucket) {
            rows.push(pair);
        }
        each(bucket, rows)?;
    }
    Ok(())
}

fn values(bytes: &[u8]) -> Option<(Values, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (values, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((Values::from_bytes(values)?, rest))
}

fn len(bytes: &[u8]) -> [u8; 4] {
    (bytes.len() as u32).to_le_bytes()
}

fn failed(source: std::io::Error) -> Error {
    Error::Io { action: "keep rows for a moment in", path: std::env::temp_dir(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(number: u32, size: usize) -> Pair {
        let key: Values = [Some(&number.to_le_bytes()[..])].into_iter().collect();
        let row: Values = [Some(&vec![number as u8; size][..]), None].into_iter().collect();
        (key, row)
    }

    fn dealt(count: u32, size: usize, buckets: u32) -> Vec<Pair> {
        let mut spool = Spool::new(buckets);
        for number in 0..count {
            let (key, row) = pair(number, size);
            spool.push(key, row).unwrap();
        }
        let mut all = Vec::new();
        let mut expected = 0;
        spool
            .each_bucket(|bucket, rows| {
                assert_eq!(bucket, expected);
                expected += 1;
                assert!(rows.is_sorted() && rows.iter().all(|(key, _)| bucket_of(key, buckets) == bucket));
                all.extend(rows);
                Ok(())
            })
            .unwrap();
        assert_eq!(expected, buckets);
        all.sort();
        all
    }

    /// Catches: rows lost or put into another bucket on their way through a file.
    #[test]
    fn every_row_comes_back_in_its_bucket_also_through_files() {
        for (count, size, buckets) in [(0, 1, 1), (1000, 10, 7), (1500, 100_000, 100), (1500, 100_000, 3)] {
            let mut expected: Vec<Pair> = (0..count).map(|number| pair(number, size)).collect();
            expected.sort();
            assert!(dealt(count, size, buckets) == expected, "{count} rows, {buckets} buckets");
        }
    }
}
