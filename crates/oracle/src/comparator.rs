//! The named comparators, and comparing two documents by one.

use std::fmt;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};
use restage_model::Difference;

use crate::difference::describe;
use crate::document::{Document, Item, Origin};
use crate::features::{Features, TagDetail, TextDetail};

/// A named point in the space of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparator {
    id: &'static str,
    name: &'static str,
    features: Features,
}

impl Comparator {
    /// Every named comparator.
    pub const ALL: &'static [Self] = &[
        Self { id: "D", name: "Document", features: Features::BYTES },
        Self {
            id: "C-W",
            name: "Content, white space collapsed",
            features: Features::text(TextDetail::Words),
        },
        Self {
            id: "C-WD",
            name: "Content, white space collapsed, dates masked",
            features: Features::text(TextDetail::WordsWithoutDates),
        },
        Self { id: "T", name: "Tags", features: Features::tags(TagDetail::All) },
        Self { id: "N+I", name: "TagNames+ImptAttrs", features: Features::tags(TagDetail::Important) },
    ];

    /// The comparator of an id, in any case.
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().find(|c| c.id.eq_ignore_ascii_case(id)).copied()
    }

    /// Its short name: `C-WD`.
    pub fn id(self) -> &'static str {
        self.id
    }

    /// Its long name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether it sees strictly less than `other`.
    pub fn is_below(self, other: Self) -> bool {
        self.id != other.id && self.features.is_within(other.features)
    }

    /// Whether it sees a difference.
    pub fn differs(self, expected: &Document, actual: &Document) -> bool {
        let hashes = |document: &Document| -> Vec<u64> {
            document.items(self.features).iter().map(|item| item.hash).collect()
        };
        hashes(expected) != hashes(actual)
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// What a comparator says differs between two documents; nothing where they are the same to it.
pub fn compare(comparator: Comparator, expected: &Document, actual: &Document) -> Vec<Difference> {
    let (before, after) = (expected.items(comparator.features), actual.items(comparator.features));
    if before.len() == after.len() && before.iter().zip(&after).all(|(b, a)| b.hash == a.hash) {
        return Vec::new();
    }
    let mut input = InternedInput::default();
    input.update_before(before.iter().map(|item| item.hash));
    input.update_after(after.iter().map(|item| item.hash));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let hunks: Vec<Hunk> = diff.hunks().collect();
    let hunks = whole_runs(hunks, &before, &after);
    let mut differences = Vec::new();
    for hunk in hunks {
        let removed = &before[hunk.before.start as usize..hunk.before.end as usize];
        let added = &after[hunk.after.start as usize..hunk.after.end as usize];
        let preceding = hunk.before.start.checked_sub(1).map(|i| before[i as usize]);
        for difference in describe(comparator, expected, removed, actual, added, preceding) {
            if !differences.contains(&difference) {
                differences.push(difference);
            }
        }
    }
    differences
}

/// Widens hunks of words to the text runs they are in, and joins those of one run: a word alone says little,
/// the line it stands in says much. What is widened over is the same on both sides.
fn whole_runs(hunks: Vec<Hunk>, before: &[Item], after: &[Item]) -> Vec<Hunk> {
    let mut joined: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        match joined.last_mut() {
            Some(last) if same_run(before, last.before.end, hunk.before.start) => {
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
        let touches = |items: &[Item], i: u32, j: u32| matches!((run(items, i), run(items, j)), (Some(a), Some(b)) if a == b);
        // Whether a run, on either side, goes on across this place.
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

/// Whether the words from `from` up to `to` are all of the run that both hunks around them touch.
fn same_run(items: &[Item], from: u32, to: u32) -> bool {
    let first = run(items, from.wrapping_sub(1));
    first.is_some() && (from..=to).all(|i| run(items, i) == first)
}

fn run(items: &[Item], at: u32) -> Option<u32> {
    match items.get(at as usize)?.origin {
        Origin::Word { run, .. } => Some(run),
        _ => None,
    }
}
