//! Where two sequences differ.

use imara_diff::Hunk;

use crate::comparators::view::{Item, Origin};
use crate::diff::sequence_diff::stretches;

/// The parts that differ: ranges of one sequence and of the other. Words are widened to the lines they are in.
pub(crate) fn hunks(before: &[Item], after: &[Item]) -> Vec<Hunk> {
    let hashes = |items: &[Item]| -> Vec<u64> { items.iter().map(|item| item.hash).collect() };
    whole_lines(stretches(&hashes(before), &hashes(after)), before, after)
}

/// Widens hunks of words to the lines they are in, and joins those of one line: a word alone says little,
/// the line it stands in says much. What is widened over is the same on both sides.
fn whole_lines(hunks: Vec<Hunk>, before: &[Item], after: &[Item]) -> Vec<Hunk> {
    let mut joined: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        match joined.last_mut() {
            Some(last) if same_line(before, last.before.end, hunk.before.start) => {
                last.before.end = hunk.before.end;
                last.after.end = hunk.after.end;
            }
            _ => joined.push(hunk),
        }
    }
    let ends: Vec<(u32, u32)> =
        std::iter::once((0, 0)).chain(joined.iter().map(|h| (h.before.end, h.after.end))).collect();
    let starts: Vec<u32> =
        joined.iter().skip(1).map(|h| h.before.start).chain([before.len() as u32]).collect();
    for (at, hunk) in joined.iter_mut().enumerate() {
        let touches = |items: &[Item], i: u32, j: u32| matches!((line(items, i), line(items, j)), (Some(a), Some(b)) if a == b);
        // Whether a line, on either side, goes on across this place.
        let inside =
            |b: u32, a: u32| touches(before, b.wrapping_sub(1), b) || touches(after, a.wrapping_sub(1), a);
        while hunk.before.start > ends[at].0
            && hunk.after.start > ends[at].1
            && inside(hunk.before.start, hunk.after.start)
        {
            hunk.before.start -= 1;
            hunk.after.start -= 1;
        }
        while hunk.before.end < starts[at] && inside(hunk.before.end, hunk.after.end) {
            hunk.before.end += 1;
            hunk.after.end += 1;
        }
    }
    joined
}

/// Whether the words from `from` up to `to` are all of the line that both hunks around them touch.
fn same_line(items: &[Item], from: u32, to: u32) -> bool {
    let first = line(items, from.wrapping_sub(1));
    first.is_some() && (from..=to).all(|i| line(items, i) == first)
}

fn line(items: &[Item], at: u32) -> Option<u32> {
    match items.get(at as usize)?.origin {
        Origin::Word { line, .. } => Some(line),
        _ => None,
    }
}
