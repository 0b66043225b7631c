//! How large a report may grow: a browser opens a few megabytes at once, and a hundred not at all.

/// How many bytes of what a report holds. What does not fit goes to files beside it, and what does not fit there is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Of changes with all that is known of them; others are a line each.
    pub(super) changes: usize,
    /// Of steps in the report itself.
    pub(super) steps: usize,
    /// Of pages, as text side by side and rendered.
    pub(super) pages: usize,
    /// Of steps in one file beside it.
    pub(super) file: usize,
    /// Of steps in all files beside it.
    pub(super) files: usize,
    /// With more steps than this, sessions are shown without a square for each step.
    pub(super) squares: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            changes: 2 << 20,
            steps: 2 << 20,
            pages: 6 << 20,
            file: 1 << 20,
            files: 12 << 20,
            squares: 20_000,
        }
    }
}
