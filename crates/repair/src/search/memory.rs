//! What worked for other sessions is tried first.

use std::collections::HashMap;

/// What worked, by the old node and the page that it came from.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    worked: HashMap<(String, String), Vec<String>>,
}

impl Memory {
    /// That something worked.
    pub(crate) fn note(&mut self, node: &str, from: &str, tag: String) {
        let known = self.worked.entry((node.to_owned(), from.to_owned())).or_default();
        if !known.contains(&tag) {
            known.push(tag);
        }
    }

    /// Whether something worked before.
    pub(crate) fn knows(&self, node: &str, from: &str, tag: &str) -> bool {
        let key = (node.to_owned(), from.to_owned());
        self.worked.get(&key).is_some_and(|known| known.iter().any(|other| other == tag))
    }
}
