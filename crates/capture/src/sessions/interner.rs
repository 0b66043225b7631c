//! Interner by number: each once, all in one stretch of memory.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Interner by number, in the order they came.
#[derive(Debug, Default)]
pub(super) struct Interner {
    bytes: String,
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    hasher: RandomState,
}

impl Interner {
    /// The number of a text; the next one where it is new.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let Self { bytes, ends, numbers, hasher } = self;
        let hash = hasher.hash_one(text);
        if let Some(number) = numbers.find(hash, |&n| part(bytes, ends, n) == text) {
            return *number;
        }
        // Four thousand million texts would not be in memory.
        let number = u32::try_from(ends.len()).unwrap_or(u32::MAX);
        bytes.push_str(text);
        ends.push(bytes.len());
        numbers.insert_unique(hash, number, |&n| hasher.hash_one(part(bytes, ends, n)));
        number
    }

    /// A text by its number.
    pub(super) fn text(&self, number: u32) -> &str {
        part(&self.bytes, &self.ends, number)
    }
}

fn part<'a>(bytes: &'a str, ends: &[usize], number: u32) -> &'a str {
    let number = number as usize;
    let begin = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[begin..ends[number]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: two texts under one number, one under two, or a text that comes back as another.
    #[test]
    fn each_text_has_one_number() {
        let mut texts = Interner::default();
        let all: Vec<String> = (0..1000).map(|n| "x".repeat(n % 7) + &n.to_string()).collect();
        let numbers: Vec<u32> = all.iter().map(|t| texts.number(t)).collect();
        assert_eq!(numbers, (0..1000).collect::<Vec<u32>>());
        assert_eq!(texts.number(""), 1000);
        for (number, text) in numbers.iter().zip(&all) {
            assert_eq!((texts.number(text), texts.text(*number)), (*number, text.as_str()));
        }
        assert_eq!(texts.text(1000), "");
    }
}
