//! A set of the lines of a file, or of the branches in it: a bitmap, since most sets are dense and are joined over a run.
//!
//! In JSON, a set is its runs: `[[3, 9], 12]` is lines 3 to 9, and 12.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Lines above this are not believed: no source file has so many, and a set would take memory for all below.
const MOST: u32 = 10_000_000;

/// Which lines of a file.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct LineSet {
    /// Line `n` is bit `n % 64` of word `n / 64`; the last word is not zero, so that equal sets are equal vectors.
    words: Vec<u64>,
}

impl LineSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a line. Lines beyond what any file has are left out.
    pub fn insert(&mut self, line: u32) {
        if line > MOST {
            return;
        }
        let word = line as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (line % 64);
    }

    /// Whether a line is in the set.
    pub fn contains(&self, line: u32) -> bool {
        self.words.get(line as usize / 64).is_some_and(|word| word & (1 << (line % 64)) != 0)
    }

    /// Whether any of these lines is in the set, the last included.
    pub fn meets(&self, first: u32, last: u32) -> bool {
        (first..=last.min(self.words.len() as u32 * 64)).any(|line| self.contains(line))
    }

    /// Adds all lines of another set.
    pub fn join(&mut self, other: &LineSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// The lines that are in both.
    pub fn common(&self, other: &LineSet) -> LineSet {
        Self::trimmed(self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect())
    }

    /// The lines that are in this set and not in the other.
    pub fn without(&self, other: &LineSet) -> LineSet {
        let words = self.words.iter().enumerate();
        Self::trimmed(words.map(|(at, word)| word & !other.words.get(at).copied().unwrap_or(0)).collect())
    }

    /// How many lines.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The lines, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| at as u32 * 64 + bit)
        })
    }

    /// The runs of lines that follow each other, first and last.
    pub fn runs(&self) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for line in self.iter() {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == line => *last = line,
                _ => runs.push((line, line)),
            }
        }
        runs
    }

    /// The bits, eight lines a byte, for storing; trailing zeros are left out.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1));
        bytes
    }

    /// What `to_bytes` gave.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let words = bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        Self::trimmed(words.collect())
    }

    fn trimmed(mut words: Vec<u64>) -> Self {
        words.truncate(words.iter().rposition(|word| *word != 0).map_or(0, |at| at + 1));
        Self { words }
    }
}

impl std::fmt::Debug for LineSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.runs()).finish()
    }
}

impl FromIterator<u32> for LineSet {
    fn from_iter<T: IntoIterator<Item = u32>>(lines: T) -> Self {
        let mut set = Self::new();
        for line in lines {
            set.insert(line);
        }
        set
    }
}

/// A line by itself, or the first and last of a run.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Run {
    One(u32),
    Many(u32, u32),
}

impl Serialize for LineSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.runs().into_iter().map(|(first, last)| match first == last {
            true => Run::One(first),
            false => Run::Many(first, last),
        }))
    }
}

impl<'de> Deserialize<'de> for LineSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut set = Self::new();
        for run in Vec::<Run>::deserialize(deserializer)? {
            let (first, last) = match run {
                Run::One(line) => (line, line),
                Run::Many(first, last) => (first, last),
            };
            if first > last || last > MOST {
                return Err(D::Error::custom(format!("lines {first} to {last} are no run of lines")));
            }
            (first..=last).for_each(|line| set.insert(line));
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn lines() -> impl Strategy<Value = BTreeSet<u32>> {
        proptest::collection::btree_set(0..300u32, 0..40)
    }

    proptest! {
        #[test]
        fn it_is_a_set(a in lines(), b in lines()) {
            let (left, right): (LineSet, LineSet) = (a.iter().copied().collect(), b.iter().copied().collect());
            let set = |lines: LineSet| lines.iter().collect::<BTreeSet<_>>();
            let mut both = left.clone();
            both.join(&right);
            prop_assert_eq!(set(both.clone()), &a | &b);
            prop_assert_eq!(set(left.common(&right)), &a & &b);
            prop_assert_eq!(set(left.without(&right)), &a - &b);
            prop_assert_eq!(left.len(), a.len());
            prop_assert_eq!(left.without(&left), LineSet::new());
            prop_assert_eq!(left == right, a == b);
            prop_assert_eq!(left.meets(100, 120), a.range(100..=120).next().is_some());
        }

        #[test]
        fn it_comes_back_from_json_and_from_bytes(a in lines()) {
            let set: LineSet = a.iter().copied().collect();
            let json = serde_json::to_string(&set).expect("writes");
            prop_assert_eq!(serde_json::from_str::<LineSet>(&json).expect("reads"), set.clone());
            prop_assert_eq!(LineSet::from_bytes(&set.to_bytes()), set);
        }
    }

    #[test]
    fn runs_are_written_short() {
        let set: LineSet = [3, 4, 5, 9].into_iter().collect();
        assert_eq!(serde_json::to_string(&set).expect("writes"), "[[3,5],9]");
    }

    #[test]
    fn a_run_that_would_fill_the_memory_is_refused() {
        assert!(serde_json::from_str::<LineSet>("[[1,4000000000]]").is_err());
        assert!(serde_json::from_str::<LineSet>("[[9,3]]").is_err());
    }
}
