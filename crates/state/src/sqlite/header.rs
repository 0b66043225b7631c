//! Page 1 starts with the database header, some of whose bytes tell of the file's life and not of its
//! content. They are normalised before a page 1 is hashed, so that equal contents are equal, and taken
//! from the live file when a page 1 is written back.
//!
//! Offsets are those of <https://www.sqlite.org/fileformat.html#the_database_header>.

use std::ops::Range;

/// Write and read version: 1 for a rollback journal, 2 for WAL. A restore must not change the mode
/// under the application's connections.
const JOURNAL_MODE: Range<usize> = 18..20;
const CHANGE_COUNTER: Range<usize> = 24..28;
const PAGE_COUNT: Range<usize> = 28..32;
/// Connections keep their parsed schema as long as this number stands, so it may only ever grow.
const SCHEMA_COOKIE: Range<usize> = 40..44;
/// Nonzero when auto-vacuum is on.
const LARGEST_ROOT: Range<usize> = 52..56;
/// Nonzero when auto-vacuum is incremental.
const INCREMENTAL: Range<usize> = 64..68;
/// The change counter this header is valid for, and the SQLite version that wrote it.
const VALID_FOR: Range<usize> = 92..96;
const WRITTEN_BY: Range<usize> = 96..100;

/// Makes page 1 a function of the content alone.
pub(super) fn normalise(page: &mut [u8], count: u32) {
    page[JOURNAL_MODE].fill(1);
    page[CHANGE_COUNTER].fill(0);
    page[PAGE_COUNT].copy_from_slice(&count.to_be_bytes());
    page[SCHEMA_COOKIE].fill(0);
    page[VALID_FOR].fill(0);
    page[WRITTEN_BY].fill(0);
}

/// The normalised page 1 as it is to be written over `current`.
pub(super) fn revive(page: &mut [u8], current: &[u8]) {
    for kept in [JOURNAL_MODE, CHANGE_COUNTER, SCHEMA_COOKIE, VALID_FOR, WRITTEN_BY] {
        page[kept.clone()].copy_from_slice(&current[kept]);
    }
}

/// The normalised page 1 as the first page of a new file.
pub(crate) fn begin(page: &mut [u8], wal: bool) {
    page[JOURNAL_MODE].fill(if wal { 2 } else { 1 });
    page[CHANGE_COUNTER].copy_from_slice(&1u32.to_be_bytes());
    page[VALID_FOR].copy_from_slice(&1u32.to_be_bytes());
    page[SCHEMA_COOKIE].copy_from_slice(&1u32.to_be_bytes());
    page[WRITTEN_BY].copy_from_slice(&rusqlite::version_number().to_be_bytes());
}

pub(super) fn schema_cookie(page: &[u8]) -> u32 {
    read(page, SCHEMA_COOKIE)
}

pub(super) fn is_wal(page: &[u8]) -> bool {
    page[JOURNAL_MODE.end - 1] == 2
}

/// Whether every commit moves pages to the front of the file.
pub(super) fn vacuums_on_commit(page: &[u8]) -> bool {
    read(page, LARGEST_ROOT) != 0 && read(page, INCREMENTAL) == 0
}

fn read(page: &[u8], at: Range<usize>) -> u32 {
    page[at].iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revived_page_normalises_to_itself() {
        let mut stored: Vec<u8> = (0..=255).cycle().take(512).collect();
        normalise(&mut stored, 9);
        let current: Vec<u8> = (0..=255).rev().cycle().take(512).collect();
        let mut revived = stored.clone();
        revive(&mut revived, &current);
        assert_eq!(revived[JOURNAL_MODE], current[JOURNAL_MODE]);
        assert_eq!(schema_cookie(&revived), schema_cookie(&current));
        normalise(&mut revived, 9);
        assert_eq!(revived, stored);
    }
}
