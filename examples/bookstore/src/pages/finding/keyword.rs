//! Searching by keyword from anywhere: where the words are sent, and under what name.

use crate::release::Release;
use crate::web::query;

/// The address that takes keywords.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeywordSearch {
    pub(crate) path: &'static str,
    /// The name of the field for the words.
    pub(crate) field: &'static str,
}

impl KeywordSearch {
    pub(crate) fn of(release: Release) -> KeywordSearch {
        match release.has_one_search() {
            true => KeywordSearch { path: "/find", field: "words" },
            false => KeywordSearch { path: "/search", field: "q" },
        }
    }

    /// The address of the results for some words.
    pub(crate) fn address(self, words: &str) -> String {
        format!("{}?{}", self.path, query(&[(self.field, words)]))
    }
}
