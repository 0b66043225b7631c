//! Sets of nodes, and relations among nodes, as bits.

const WORD: usize = u64::BITS as usize;

/// A set of numbers below a bound.
#[derive(Clone, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(WORD)])
    }

    /// A set of these numbers.
    pub(crate) fn of(bound: usize, numbers: &[usize]) -> Self {
        let mut bits = Self::new(bound);
        for &number in numbers {
            bits.add(number);
        }
        bits
    }

    pub(crate) fn has(&self, number: usize) -> bool {
        self.0[number / WORD] & (1 << (number % WORD)) != 0
    }

    /// Adds a number; whether it is new.
    pub(crate) fn add(&mut self, number: usize) -> bool {
        let (word, bit) = (&mut self.0[number / WORD], 1 << (number % WORD));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }
}

/// Which numbers below a bound are related to which.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    bits: Vec<u64>,
    words: usize,
}

impl Relation {
    pub(crate) fn new(bound: usize) -> Self {
        let words = bound.div_ceil(WORD);
        Self { bits: vec![0; words * bound], words }
    }

    pub(crate) fn has(&self, from: usize, to: usize) -> bool {
        self.bits[from * self.words + to / WORD] & (1 << (to % WORD)) != 0
    }

    /// Relates two; whether they were not before.
    pub(crate) fn add(&mut self, from: usize, to: usize) -> bool {
        let (word, bit) = (&mut self.bits[from * self.words + to / WORD], 1 << (to % WORD));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Relates two no more; whether they were.
    pub(crate) fn remove(&mut self, from: usize, to: usize) -> bool {
        let (word, bit) = (&mut self.bits[from * self.words + to / WORD], 1 << (to % WORD));
        let was = *word & bit != 0;
        *word &= !bit;
        was
    }

    /// Relates a number to all of a set.
    pub(crate) fn add_all(&mut self, from: usize, to: &Bits) {
        let row = &mut self.bits[from * self.words..][..self.words];
        row.iter_mut().zip(&to.0).for_each(|(word, more)| *word |= more);
    }

    /// What a number is related to.
    pub(crate) fn row(&self, from: usize) -> impl Iterator<Item = usize> {
        let row = &self.bits[from * self.words..][..self.words];
        row.iter().enumerate().flat_map(|(place, &word)| Ones(word).map(move |bit| place * WORD + bit))
    }
}

/// The places of a word's ones.
struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
