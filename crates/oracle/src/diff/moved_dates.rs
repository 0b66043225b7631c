//! Dates that moved on with the clock, in the middle of an edit.
//!
//! A price that changed stands beside today's date, and the date differs from the baseline's. Who masks dates sees the price alone. So the date is
//! no part of that edit: a date on a line of its own is an edit by itself, one among other words is shown as a date and nothing more. Else
//! the same change would be another one on each day, and nothing that was accepted would hold until tomorrow.

use std::ops::Range;

use crate::comparators::view::{Item, Origin};
use crate::diff::page_diff::ItemHunk;
use crate::diff::sequence_diff::stretches;

/// The parts of an edit of words, without the dates that moved; none where there are no such dates, or nothing else. `dated` are the words of both
/// documents with dates masked.
pub(crate) fn without_moved_dates(hunk: &ItemHunk, dated: (&[Item], &[Item])) -> Option<Vec<ItemHunk>> {
    let (before, after) = (within(dated.0, &hunk.removed)?, within(dated.1, &hunk.added)?);
    let hashes = |items: &[Item]| -> Vec<u64> { items.iter().map(|item| item.hash).collect() };
    let differing = stretches(&hashes(before), &hashes(after));
    if differing.is_empty() {
        return None;
    }
    let mut moved = Vec::new();
    let (mut b, mut a) = (0, 0);
    for hunk_at in differing.iter().map(Some).chain([None]) {
        let end = hunk_at.map_or(before.len(), |stretch| stretch.before.start as usize);
        while b < end {
            let dates = (words_of(&hunk.removed, before[b]), words_of(&hunk.added, after[a]));
            if hashes(&hunk.removed[dates.0.clone()]) != hashes(&hunk.added[dates.1.clone()]) {
                moved.push(dates);
            }
            (b, a) = (b + 1, a + 1);
        }
        if let Some(stretch) = hunk_at {
            (b, a) = (stretch.before.end as usize, stretch.after.end as usize);
        }
    }
    (!moved.is_empty()).then(|| parts(hunk, &moved))
}

fn parts(hunk: &ItemHunk, moved: &[(Range<usize>, Range<usize>)]) -> Vec<ItemHunk> {
    let mut parts = Vec::new();
    let (mut r, mut a) = (0, 0);
    let mut dates = [Vec::new(), Vec::new()];
    let mut add = |removed: Range<usize>, added: Range<usize>, dates: [Vec<(u32, u32)>; 2]| {
        let preceding = removed.start.checked_sub(1).map(|at| hunk.removed[at]).or(hunk.preceding);
        let (removed, added) = (&hunk.removed[removed], &hunk.added[added]);
        if !removed.iter().map(|item| item.hash).eq(added.iter().map(|item| item.hash)) {
            parts.push(ItemHunk { removed: removed.to_vec(), added: added.to_vec(), preceding, dates });
        }
    };
    for (removed, added) in moved {
        if is_alone(&hunk.removed, removed) && is_alone(&hunk.added, added) {
            add(r..removed.start, a..added.start, std::mem::take(&mut dates));
            add(removed.clone(), added.clone(), Default::default());
            (r, a) = (removed.end, added.end);
        } else {
            dates[0].extend(place(&hunk.removed[removed.clone()]));
            dates[1].extend(place(&hunk.added[added.clone()]));
        }
    }
    add(r..hunk.removed.len(), a..hunk.added.len(), dates);
    parts
}

/// The items that stand where these words do; none where these are no words.
fn within<'i>(items: &'i [Item], words: &[Item]) -> Option<&'i [Item]> {
    let (from, to) = place(words)?;
    let first = items.partition_point(|item| ends(item).is_none_or(|end| end <= from));
    let last = items.partition_point(|item| begins(item).is_none_or(|begin| begin < to));
    Some(&items[first..last.max(first)])
}

/// Which of the words stand where an item does.
fn words_of(words: &[Item], item: Item) -> Range<usize> {
    let (from, to) = (begins(&item).unwrap_or_default(), ends(&item).unwrap_or_default());
    let first = words.partition_point(|word| ends(word).is_none_or(|end| end <= from));
    let last = words.partition_point(|word| begins(word).is_none_or(|begin| begin < to));
    first..last.max(first)
}

/// Whether no other words are on the lines of these.
fn is_alone(words: &[Item], range: &Range<usize>) -> bool {
    let line = |at: usize| match words.get(at)?.origin {
        Origin::Word { line, .. } => Some(line),
        _ => None,
    };
    let (first, last) = (line(range.start), range.end.checked_sub(1).and_then(line));
    range.start.checked_sub(1).and_then(line) != first && line(range.end) != last
}

/// From where to where words stand.
fn place(words: &[Item]) -> Option<(u32, u32)> {
    Some((begins(words.first()?)?, ends(words.last()?)?))
}

fn begins(item: &Item) -> Option<u32> {
    match item.origin {
        Origin::Word { from, .. } => Some(from),
        _ => None,
    }
}

fn ends(item: &Item) -> Option<u32> {
    match item.origin {
        Origin::Word { to, .. } => Some(to),
        _ => None,
    }
}
