//! Which rows of a table may differ, told by the pages that do. A comparison then costs what a session wrote, not
//! what the database holds.
//!
//! A leaf page that both trees have, with the same bytes, holds the same rows in both; a row that differs is on
//! another one. Rows too long for a page go on elsewhere: where such a page differs and no leaf that differs leads
//! to it, all rows are looked at.

use std::collections::{HashMap, HashSet};

use super::btree::{Leaf, Pages, Tree};
use super::copies::Copied;
use super::schema::Extent;
use super::schemas::Schema;

/// More ranges of rows than these are all rows.
const RANGES: usize = 200;

/// What is known of each table, by name.
pub(in crate::compare) struct Touched {
    /// None: nothing is known.
    extents: Option<HashMap<String, Extent>>,
}

impl Touched {
    /// Looks at the pages of two copies, each with its schema.
    pub(super) fn of(expected: (&Copied<'_>, &Schema), actual: (&Copied<'_>, &Schema)) -> Self {
        Self { extents: extents(expected.0, actual.0, &expected.1.roots, &actual.1.roots) }
    }

    /// Where nothing is known, all rows are looked at.
    pub(in crate::compare) fn unknown() -> Self {
        Self { extents: None }
    }

    /// Which rows of a table may differ.
    pub(in crate::compare) fn extent(&self, table: &str, is_virtual: bool) -> Extent {
        let Some(extents) = &self.extents else { return Extent::All };
        if is_virtual {
            // Its rows are in tables of its own, named after it.
            let own = format!("{table}_");
            let mut owned = extents.iter().filter(|(name, _)| name.starts_with(&own)).peekable();
            let untouched = owned.peek().is_some() && owned.all(|(_, extent)| *extent == Extent::None);
            return if untouched { Extent::None } else { Extent::All };
        }
        extents.get(table).cloned().unwrap_or(Extent::All)
    }
}

fn extents(
    expected: &Copied<'_>,
    actual: &Copied<'_>,
    was: &HashMap<String, (u32, bool)>,
    is: &HashMap<String, (u32, bool)>,
) -> Option<HashMap<String, Extent>> {
    let (length, shorter) =
        (expected.chunks.len().max(actual.chunks.len()), expected.chunks.len().min(actual.chunks.len()));
    if expected.page_size != actual.page_size || shorter == 0 {
        return None;
    }
    let differs = |page: &u32| {
        let at = *page as usize - 1;
        expected.chunks.get(at) != actual.chunks.get(at)
    };
    let differing: HashSet<u32> = (1..=u32::try_from(length).ok()?).filter(differs).collect();
    let sides = [(expected, was), (actual, is)];
    let pages = sides.map(|(side, _)| Pages::of(side.file, side.page_size, side.chunks.len() as u32));
    let [Some(pages_was), Some(pages_is)] = &pages else { return None };

    let mut extents = HashMap::new();
    // Long rows that the leaves below lead to.
    let mut followed = [HashSet::new(), HashSet::new()];
    for (name, root) in was {
        if is.get(name) != Some(root) {
            continue;
        }
        let (tree_was, tree_is) = (pages_was.tree(root.0)?, pages_is.tree(root.0)?);
        let touched = [touched(&tree_was, &tree_is, &differing), touched(&tree_is, &tree_was, &differing)];
        if root.1 {
            for ((pages, leaves), followed) in [pages_was, pages_is].iter().zip(&touched).zip(&mut followed) {
                leaves.iter().try_for_each(|leaf| pages.overflow(leaf.page, followed))?;
            }
            extents.insert(name.clone(), Extent::of(touched.concat()));
        } else {
            let pages_of = |tree: &Tree| tree.interior.iter().any(|page| differing.contains(page));
            let all = !touched.concat().is_empty() || pages_of(&tree_was) || pages_of(&tree_is);
            extents.insert(name.clone(), if all { Extent::All } else { Extent::None });
        }
    }
    for (pages, followed) in [pages_was, pages_is].iter().zip(&followed) {
        let free = pages.free()?;
        let is_loose = |page: &&u32| {
            **page <= pages.count
                && **page != 1
                && pages.may_be_overflow(**page)
                && !followed.contains(*page)
                && !free.contains(*page)
                && !pages.is_map(**page)
        };
        if differing.iter().any(|page| is_loose(&page)) {
            return None;
        }
    }
    Some(extents)
}

/// The leaves of a tree that the other has not, or has otherwise.
fn touched(tree: &Tree, other: &Tree, differing: &HashSet<u32>) -> Vec<Leaf> {
    let others: HashSet<u32> = other.leaves.iter().map(|leaf| leaf.page).collect();
    let is_touched = |leaf: &&Leaf| differing.contains(&leaf.page) || !others.contains(&leaf.page);
    tree.leaves.iter().filter(is_touched).copied().collect()
}

impl Extent {
    fn of(leaves: Vec<Leaf>) -> Self {
        let range = |leaf: &Leaf| {
            let from = leaf.after.map_or(i64::MIN, |after| after.saturating_add(1));
            (from, leaf.to.unwrap_or(i64::MAX))
        };
        let mut ranges: Vec<(i64, i64)> = leaves.iter().map(range).collect();
        ranges.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::new();
        for (from, to) in ranges {
            match merged.last_mut() {
                Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        match merged.len() {
            0 => Extent::None,
            n if n > RANGES => Extent::All,
            _ => Extent::Ranges(merged),
        }
    }
}
