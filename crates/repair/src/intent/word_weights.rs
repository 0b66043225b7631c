//! Which words tell pages apart: those that few pages have.

use std::collections::{BTreeSet, HashMap, HashSet};

/// How many pages have each word.
#[derive(Debug, Default)]
pub(crate) struct WordWeights {
    known: HashSet<String>,
    pages: HashMap<String, usize>,
}

impl WordWeights {
    /// Takes in a page of a kind, unless one of that kind is known.
    pub(crate) fn add(&mut self, kind: &str, words: &BTreeSet<String>) {
        if self.known.insert(kind.to_owned()) {
            for word in words {
                *self.pages.entry(word.clone()).or_default() += 1;
            }
        }
    }

    /// What a word tells: nothing where all pages have it.
    fn weight(&self, word: &str) -> f64 {
        let all = self.known.len() as f64;
        let having = self.pages.get(word).copied().unwrap_or(0).max(1) as f64;
        if all < 3.0 { 1.0 } else { (all / having).ln() }
    }

    /// How much of some words is among others, each by its weight; none where they tell nothing.
    pub(crate) fn shared(&self, of: &BTreeSet<String>, among: &BTreeSet<String>) -> Option<f64> {
        let (mut all, mut found) = (0.0, 0.0);
        for word in of {
            let weight = self.weight(word);
            all += weight;
            if among.contains(word) {
                found += weight;
            }
        }
        (all > 0.0).then(|| found / all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> BTreeSet<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    /// Catches: two pages taken for one since both have the shop's name and menu.
    #[test]
    fn what_all_pages_have_tells_nothing() {
        let mut weights = WordWeights::default();
        for (kind, text) in [("a", "shop home books"), ("b", "shop home cart"), ("c", "shop home login")] {
            weights.add(kind, &words(text));
            weights.add(kind, &words("never counted"));
        }
        assert_eq!(weights.shared(&words("shop home cart"), &words("shop home login")), Some(0.0));
        assert_eq!(weights.shared(&words("shop home cart"), &words("shop cart total")), Some(1.0));
        assert_eq!(weights.shared(&words("shop home"), &words("shop")), None);
    }
}
