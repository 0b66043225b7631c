//! What a plan looks at, beside the pairs: left out one at a time, it shows what each is worth.

/// What a plan looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Steps about the same row go together before others.
    pub by_rows: bool,
    /// Pairs that the suite covers already are not planned.
    pub skip_covered: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Self { by_rows: true, skip_covered: true }
    }
}
