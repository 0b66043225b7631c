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

/// The digest of a sequence, as it grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest(u64);

impl Digest {
    pub(crate) fn add(&mut self, hash: u64) {
        self.0 = both(self.0.wrapping_add(1), hash);
    }

    /// The digest as one hash, with what it is of.
    pub(crate) fn with(self, of: u64) -> u64 {
        both(of, self.0)
    }
}
