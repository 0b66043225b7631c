//! How far functions are followed: the time that an analysis takes is bounded by the size of the application.
//!
//! Steps are expressions that are evaluated. The limits of one function depend on how many are run in a round, and on nothing
//! that is measured: the result is the same on any machine, and on any number of threads.

/// As many functions are followed as far as is of use; where there are more, each is followed less far.
const COMFORTABLE: usize = 12_000;
/// The same of functions that are run again, since what they call turned out to be a wrapper.
const COMFORTABLE_AGAIN: usize = 1_500;

/// As many steps as the runs of one function may make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Before calls are no longer followed for their values.
    pub(crate) value: u32,
    /// In a wrapper that is run inside of its caller.
    pub(crate) wrapper: u32,
    /// Before wrappers are not run inside of their callers any more.
    pub(crate) wrappers: u32,
    /// At all, but for its own body.
    pub(crate) last: u32,
}

impl Limits {
    /// For a first run of all functions: nothing is known of what they return.
    pub(crate) fn first(functions: usize) -> Self {
        Self { value: 150, ..Self::again(0) }.shared_by(functions, COMFORTABLE)
    }

    /// For a run of all functions.
    pub(crate) fn all(functions: usize) -> Self {
        Self::again(0).shared_by(functions, COMFORTABLE)
    }

    /// For a run of those that call new wrappers.
    pub(crate) fn again(functions: usize) -> Self {
        let limits = Self { value: 500, wrapper: 1_000, wrappers: 2_500, last: 90_000 };
        limits.shared_by(functions, COMFORTABLE_AGAIN)
    }

    /// As many steps as a function of a size may make: its own body is gone through in any case.
    pub(crate) fn last_of(&self, size: u32) -> u32 {
        self.last.max(size.saturating_mul(2).saturating_add(self.wrappers))
    }

    fn shared_by(self, functions: usize, comfortable: usize) -> Self {
        let share = |limit: u32| {
            let shared = u64::from(limit) * comfortable as u64 / functions.max(comfortable) as u64;
            u32::try_from(shared).unwrap_or(limit)
        };
        Self {
            value: share(self.value),
            wrapper: share(self.wrapper),
            wrappers: share(self.wrappers),
            last: share(self.last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_steps_together_are_bounded() {
        for functions in [1, 1_000, 12_000, 45_000, 1_000_000] {
            let steps = |limits: Limits| u64::from(limits.wrappers) * functions as u64;
            assert!(steps(Limits::all(functions)) <= 30_000_000, "{functions}");
            assert!(steps(Limits::again(functions)) <= 3_750_000, "{functions}");
        }
    }
}
