//! What a comparison finds, before it is put into words.

use serde::{Deserialize, Serialize};

use super::database::RowsDiff;
use super::files::FilesDiff;

/// One difference between two states, as a person would say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateDifference {
    /// One line: ``row 17 of orders (shop.db): status was `paid`, is `open` ``.
    pub summary: String,
    /// The part as expected.
    pub expected: String,
    /// The part as it is now.
    pub actual: String,
}

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
    pub differences: Vec<StateDifference>,
    /// What differs and is masked: one example a part.
    pub masked: Vec<MaskedState>,
}

/// What was found, with what it takes to learn from it.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) rows: Vec<(String, RowsDiff)>,
    pub(super) files: FilesDiff,
    pub(super) said: Vec<(FindingSite, StateDifference)>,
    pub(super) masked: Vec<MaskedState>,
}

/// What would have to be masked for a difference not to count.
pub(super) enum FindingSite {
    Column { database: String, table: String, column: String },
    Table { database: String, table: String },
    File(String),
}

impl Findings {
    pub(super) fn has_differences(&self) -> bool {
        !self.rows.is_empty() || !self.files.is_empty() || !self.said.is_empty()
    }

    pub(super) fn say(&mut self, place: FindingSite, summary: String, expected: String, actual: String) {
        self.said.push((place, StateDifference { summary, expected, actual }));
    }

    pub(super) fn mask(&mut self, place: String, expected: String, actual: String) {
        if !self.masked.iter().any(|masked| masked.place == place) {
            self.masked.push(MaskedState { place, expected, actual });
        }
    }
}
