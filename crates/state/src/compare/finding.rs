//! What a comparison finds, before it is put into words.

use restage_model::{Difference, MaskedRows, Place};
use serde::{Deserialize, Serialize};

use super::database::RowsDiff;
use super::files::FilesDiff;

/// A part that differs and is masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaskedState {
    /// Which part: `token of sessions (shop.db)`.
    pub place: String,
    /// The part as expected.
    pub expected: String,
    /// The part as it is now.
    pub actual: String,
}

/// What a comparison of two snapshots gave.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// What differs.
    pub differences: Vec<Difference>,
    /// What differs and is masked: one example a part.
    pub masked: Vec<MaskedState>,
    /// Of the rows that differ, how many are masked.
    #[serde(default)]
    pub rows: MaskedRows,
}

/// What the differences of states are seen by.
pub(super) const SEEN_BY: &str = "State";

/// What was found, with what it takes to learn from it.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) rows: Vec<(String, RowsDiff)>,
    pub(super) files: FilesDiff,
    pub(super) single: Vec<(FindingSite, Difference)>,
    pub(super) masked: Vec<MaskedState>,
    pub(super) masked_rows: u64,
}

/// What would have to be masked for a difference not to count.
pub(super) enum FindingSite {
    Column { database: String, table: String, column: String },
    Table { database: String, table: String },
    File(String),
}

impl Findings {
    pub(super) fn has_differences(&self) -> bool {
        !self.rows.is_empty() || !self.files.is_empty() || !self.single.is_empty()
    }

    /// Adds a difference, with what would have to be masked for it not to count. What is empty is not there.
    pub(super) fn add(&mut self, site: FindingSite, place: Place, was: String, is: String) {
        let side = |text: String| (!text.is_empty()).then_some(text);
        let seen_by = vec![SEEN_BY.to_owned()];
        self.single.push((site, Difference { seen_by, place, was: side(was), is: side(is) }));
    }

    pub(super) fn mask(&mut self, place: String, expected: String, actual: String) {
        if !self.masked.iter().any(|masked| masked.place == place) {
            self.masked.push(MaskedState { place, expected, actual });
        }
    }
}
