//! Hashes of what comparators see. Equal digests mean equal sequences, but for one chance in 2⁶⁴.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

/// A hash of bytes, the same in every document and every run of the program.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

/// Two hashes as one, in order.
pub(crate) fn both(a: u64, b: u64) -> u64 {
    let wide = u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b ^ 0xD1B5_4A32_D192_ED03);
    (wide as u64) ^ ((wide >> 64) as u64).rotate_left(23) ^ a.rotate_left(7)
}

/// The digest of a sequence, as it grows: a sum over its members, each mixed with its place. So none has to wait for
/// the one before, as it would where each was mixed with all before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest {
    sum: u64,
    length: u64,
}

impl Digest {
    pub(crate) fn add(&mut self, hash: u64) {
        self.length += 1;
        self.sum = self.sum.wrapping_add(both(self.length, hash));
    }

    /// Adds a member of a sequence whose order does not count.
    pub(crate) fn add_in_any_order(&mut self, hash: u64) {
        self.length += 1;
        self.sum = self.sum.wrapping_add(both(0, hash));
    }

    /// The digest as one hash, with what it is of.
    pub(crate) fn with(self, of: u64) -> u64 {
        both(both(of, self.length), self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_length_count() {
        let digest = |words: &[&str]| {
            let mut digest = Digest::default();
            words.iter().for_each(|word| digest.add(hash(word.as_bytes())));
            digest
        };
        let in_any_order = |words: &[&str]| {
            let mut digest = Digest::default();
            words.iter().for_each(|word| digest.add_in_any_order(hash(word.as_bytes())));
            digest
        };
        let sequences: [&[&'static str]; 7] =
            [&[], &[""], &["", ""], &["a", "b"], &["b", "a"], &["a", "b", "b"], &["a", "a", "b"]];
        for (i, a) in sequences.iter().enumerate() {
            for (j, b) in sequences.iter().enumerate() {
                assert_eq!(digest(a) == digest(b), i == j, "{a:?} {b:?}");
                assert_eq!(digest(a).with(7) == digest(b).with(7), i == j, "{a:?} {b:?}");
                let sorted = |words: &[&'static str]| {
                    let mut words = words.to_vec();
                    words.sort_unstable();
                    words
                };
                assert_eq!(in_any_order(a) == in_any_order(b), sorted(a) == sorted(b), "{a:?} {b:?}");
            }
        }
    }
}
