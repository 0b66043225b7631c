//! As much of SQLite's file format as it takes to tell which pages a table's rows are on.
//!
//! See <https://www.sqlite.org/fileformat.html#b_tree_pages>. Pages are read from a copy; nothing is trusted: what
//! does not read as it should is none.

use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// A b-tree is never this deep.
const DEEPEST: usize = 24;

const INTERIOR_INDEX: u8 = 0x02;
const INTERIOR_TABLE: u8 = 0x05;
const LEAF_INDEX: u8 = 0x0a;
const LEAF_TABLE: u8 = 0x0d;

/// The pages of a database.
pub(in crate::compare) struct Pages<'f> {
    file: &'f File,
    size: usize,
    /// The bytes of a page that SQLite uses.
    usable: usize,
    pub(in crate::compare) count: u32,
    first: Vec<u8>,
}

/// A leaf of a table, and which rowids may be on it: more than `after`, up to `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::compare) struct Leaf {
    pub(in crate::compare) page: u32,
    pub(in crate::compare) after: Option<i64>,
    pub(in crate::compare) to: Option<i64>,
}

/// The pages of one b-tree.
#[derive(Debug, Default)]
pub(in crate::compare) struct Tree {
    pub(in crate::compare) interior: Vec<u32>,
    pub(in crate::compare) leaves: Vec<Leaf>,
}

impl<'f> Pages<'f> {
    pub(in crate::compare) fn of(file: &'f File, size: u32, count: u32) -> Option<Self> {
        let mut pages = Self { file, size: size as usize, usable: 0, count, first: Vec::new() };
        pages.first = pages.read(1)?;
        pages.usable = pages.size.checked_sub(usize::from(*pages.first.get(20)?))?;
        (pages.usable >= 480).then_some(pages)
    }

    /// The b-tree with this root. Of its leaves, only the first of each page above them is read.
    pub(in crate::compare) fn tree(&self, root: u32) -> Option<Tree> {
        let mut tree = Tree::default();
        self.walk(Leaf { page: root, after: None, to: None }, DEEPEST, &mut tree)?;
        Some(tree)
    }

    /// Whether a page may hold the continuation of a long row: no b-tree's page begins so.
    pub(in crate::compare) fn may_be_overflow(&self, page: u32) -> bool {
        let mut first = [0];
        let read = self.file.read_exact_at(&mut first, self.offset(page));
        read.is_ok() && !matches!(first[0], INTERIOR_INDEX | INTERIOR_TABLE | LEAF_INDEX | LEAF_TABLE)
    }

    /// The pages that the rows of a leaf go on.
    pub(in crate::compare) fn overflow(&self, leaf: u32, found: &mut HashSet<u32>) -> Option<()> {
        let page = self.read(leaf)?;
        let header = if leaf == 1 { 100 } else { 0 };
        for cell in 0..usize::from(u16_at(&page, header + 3)?) {
            let at = usize::from(u16_at(&page, header + 8 + 2 * cell)?);
            let (payload, long) = varint(&page, at)?;
            let (_, rowid_long) = varint(&page, at + long)?;
            let payload = usize::try_from(payload).ok()?;
            let most = self.usable - 35;
            if payload <= most {
                continue;
            }
            let least = (self.usable - 12) * 32 / 255 - 23;
            let fitting = least + (payload - least) % (self.usable - 4);
            let local = if fitting <= most { fitting } else { least };
            let mut next = u32_at(&page, at + long + rowid_long + local)?;
            while next != 0 && found.insert(next) {
                let mut bytes = [0; 4];
                self.file.read_exact_at(&mut bytes, self.offset(next)).ok()?;
                next = u32::from_be_bytes(bytes);
            }
        }
        Some(())
    }

    /// The pages that hold nothing but the list of free pages, and that list.
    pub(in crate::compare) fn free(&self) -> Option<HashSet<u32>> {
        let mut free = HashSet::new();
        let mut trunk = u32_at(&self.first, 32)?;
        while trunk != 0 && free.insert(trunk) {
            let page = self.read(trunk)?;
            for at in 0..usize::try_from(u32_at(&page, 4)?).ok()?.min(self.usable / 4) {
                free.insert(u32_at(&page, 8 + 4 * at)?);
            }
            trunk = u32_at(&page, 0)?;
        }
        Some(free)
    }

    /// Whether a page maps others to those that point at them, as in files that shrink by themselves.
    pub(in crate::compare) fn is_map(&self, page: u32) -> bool {
        let shrinks = u32_at(&self.first, 52).is_some_and(|largest_root| largest_root != 0);
        shrinks && page >= 2 && (page - 2).is_multiple_of((self.usable / 5 + 1) as u32)
    }

    fn walk(&self, place: Leaf, deepest: usize, tree: &mut Tree) -> Option<()> {
        let page = self.read(place.page)?;
        let header = if place.page == 1 { 100 } else { 0 };
        let kind = *page.get(header)?;
        if matches!(kind, LEAF_TABLE | LEAF_INDEX) {
            tree.leaves.push(place);
            return Some(());
        }
        if !matches!(kind, INTERIOR_TABLE | INTERIOR_INDEX) || deepest == 0 {
            return None;
        }
        tree.interior.push(place.page);
        let mut children = Vec::new();
        let mut after = place.after;
        for cell in 0..usize::from(u16_at(&page, header + 3)?) {
            let at = usize::from(u16_at(&page, header + 12 + 2 * cell)?);
            let to = if kind == INTERIOR_TABLE { Some(varint(&page, at + 4)?.0) } else { None };
            children.push(Leaf { page: u32_at(&page, at)?, after, to });
            after = to;
        }
        children.push(Leaf { page: u32_at(&page, header + 8)?, after, to: place.to });
        // All leaves are equally deep: where the first child is one, so are its neighbours.
        let (first, others) = children.split_first()?;
        let leaves = tree.leaves.len();
        self.walk(*first, deepest - 1, tree)?;
        if tree.leaves.len() == leaves + 1 && tree.leaves.last() == Some(first) {
            tree.leaves.extend_from_slice(others);
            return (tree.leaves.len() <= self.count as usize).then_some(());
        }
        others.iter().try_for_each(|child| self.walk(*child, deepest - 1, tree))
    }

    fn read(&self, page: u32) -> Option<Vec<u8>> {
        let mut bytes = vec![0; self.size];
        (1..=self.count).contains(&page).then_some(())?;
        self.file.read_exact_at(&mut bytes, self.offset(page)).ok()?;
        Some(bytes)
    }

    fn offset(&self, page: u32) -> u64 {
        u64::from(page.saturating_sub(1)) * self.size as u64
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// A number of one to nine bytes, and how many.
fn varint(bytes: &[u8], at: usize) -> Option<(i64, usize)> {
    let mut number: u64 = 0;
    for length in 1..=9 {
        let byte = *bytes.get(at + length - 1)?;
        if length == 9 {
            return Some(((number << 8 | u64::from(byte)) as i64, 9));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some((number as i64, length));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length() {
        assert_eq!(varint(&[0x07], 0), Some((7, 1)));
        assert_eq!(varint(&[0xff, 0x81, 0x00], 1), Some((128, 2)));
        assert_eq!(varint(&[0xff; 9], 0), Some((-1, 9)));
        assert_eq!(varint(&[0x80], 0), None);
    }
}
