//! Who is chosen among equals.

/// Who is chosen among sessions that are equally good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first.
    #[default]
    First,
    /// One drawn by this seed: always the same for the same seed.
    Seed(u64),
}

impl Ties {
    /// The lowest rank is chosen. No two sessions share one.
    pub fn rank(self, session: usize) -> (u64, usize) {
        match self {
            Self::First => (0, session),
            Self::Seed(seed) => (scramble(seed ^ scramble(session as u64)), session),
        }
    }
}

/// Spreads numbers evenly (the finalizer of splitmix64).
pub(crate) fn scramble(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
