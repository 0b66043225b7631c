//! The named comparators, and comparing two documents by one.

use std::fmt;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};
use restage_model::Difference;

use crate::difference::describe;
use crate::document::{Document, Item, Origin};
use crate::features::{Features, FormDetail, TagDetail, TextDetail};

const TAGS: Features = Features::tags(TagDetail::All);
const NAMES: Features = Features::tags(TagDetail::Names);
const IMPORTANT: Features = Features::tags(TagDetail::Important);

/// A named point in the space of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparator {
    id: &'static str,
    name: &'static str,
    features: Features,
}

impl Comparator {
    /// Every named comparator: paper 2's 22.
    pub const ALL: &'static [Self] = &[
        Self::named_point("D", "Document", Features::BYTES),
        Self::named_point("DB", "DocumentBase", Features::document(TextDetail::Exact)),
        Self::named_point("DB-W", "DocumentBase, white space collapsed", Features::document(TextDetail::Words)),
        Self::named_point("C", "Content", Features::text(TextDetail::Exact)),
        Self::named_point("C-W", "Content, white space collapsed", Features::text(TextDetail::Words)),
        Self::named_point("C-WD", "Content, white space collapsed, dates masked", Features::text(TextDetail::WordsWithoutDates)),
        Self::named_point("T", "Tags", TAGS),
        Self::named_point("T-S", "Tags without style", TAGS.without_style()),
        Self::named_point("T-SL", "Tags without style and layout", TAGS.without_style_and_layout()),
        Self::named_point("N", "TagNames", NAMES),
        Self::named_point("N-S", "TagNames without style", NAMES.without_style()),
        Self::named_point("N-SL", "TagNames without style and layout", NAMES.without_style_and_layout()),
        Self::named_point("N+I", "TagNames+ImptAttrs", IMPORTANT),
        Self::named_point("N+I-S", "TagNames+ImptAttrs without style", IMPORTANT.without_style()),
        Self::named_point("N+I-SL", "TagNames+ImptAttrs without style and layout", IMPORTANT.without_style_and_layout()),
        Self::named_point("N+U", "TagNames, UnorderedLinks", NAMES.with_links()),
        Self::named_point("N-S+U", "TagNames without style, UnorderedLinks", NAMES.without_style().with_links()),
        Self::named_point("N-SL+U", "TagNames without style and layout, UnorderedLinks", NAMES.without_style_and_layout().with_links()),
        Self::named_point("N+F", "TagNames, Forms", NAMES.with_forms(FormDetail::Selected)),
        Self::named_point("N+F-Sel", "TagNames, Forms without selection", NAMES.with_forms(FormDetail::Offered)),
        Self::named_point("N-SL+F", "TagNames without style and layout, Forms", NAMES.without_style_and_layout().with_forms(FormDetail::Selected)),
        Self::named_point("N-SL+F-Sel", "TagNames without style and layout, Forms without selection", NAMES.without_style_and_layout().with_forms(FormDetail::Offered)),
    ];

    const fn named_point(id: &'static str, name: &'static str, features: Features) -> Self {
        Self { id, name, features }
    }

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
    pub fn differs(self, expected: &Document<'_>, actual: &Document<'_>) -> bool {
        expected.differs(actual, self.features)
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// What a comparator says differs between two documents; nothing where they are the same to it.
pub fn compare(comparator: Comparator, expected: &Document<'_>, actual: &Document<'_>) -> Vec<Difference> {
    if !comparator.differs(expected, actual) {
        return Vec::new();
    }
    let (before, after) = (expected.items(comparator.features), actual.items(comparator.features));
    let mut input = InternedInput::default();
    input.update_before(before.iter().map(|item| item.hash));
    input.update_after(after.iter().map(|item| item.hash));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let hunks: Vec<Hunk> = diff.hunks().collect();
    let hunks = whole_lines(hunks, &before, &after);
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
