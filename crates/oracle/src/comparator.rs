//! The named comparators, and comparing two documents by one.

use std::fmt;

use imara_diff::{Algorithm, Diff, InternedInput};
use restage_model::Difference;

use crate::difference::describe;
use crate::document::Document;
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
        Self { id: "C-W", name: "Content, white space collapsed", features: Features::text(TextDetail::Words) },
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
    let mut differences = Vec::new();
    for hunk in diff.hunks() {
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
