//! How much of something.

use serde::Serialize;

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// That ran.
    pub ran: usize,
    /// That there are, as far as probes say so.
    pub of: usize,
}

impl Share {
    /// Adds another.
    pub fn add(&mut self, other: Self) {
        self.ran += other.ran;
        self.of += other.of;
    }

    /// In percent; none where there are none.
    pub fn percent(self) -> Option<f64> {
        (self.of > 0).then(|| self.ran as f64 * 100.0 / self.of as f64)
    }
}
