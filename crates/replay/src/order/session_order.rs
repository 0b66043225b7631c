//! In which order a suite's sessions are replayed.

use restage_model::StatePolicy;

use crate::error::ReplayError;

/// In which order a suite's sessions are replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// One after another.
    #[default]
    InTurn,
    /// So many at a time, each on a copy of the application with a state of its own.
    Jobs(u16),
    /// All at once on one app, interleaved as they were recorded.
    Overlap,
}

impl Order {
    /// An error where the order and the policy do not go together.
    pub(crate) fn check(self, policy: StatePolicy) -> Result<(), ReplayError> {
        match (self, policy) {
            (Self::Jobs(2..), StatePolicy::Initial | StatePolicy::Augment | StatePolicy::Keep) => {
                Err(ReplayError::Refused(format!(
                    "--jobs cannot replay sessions side by side under --state {policy}: each needs the state that the one before it left\n  hint: --state restore and --state fresh give each session a state of its own"
                )))
            }
            (Self::Overlap, StatePolicy::Restore | StatePolicy::Fresh) => Err(ReplayError::Refused(format!(
                "--overlap cannot put the state back before each session, as --state {policy} asks: other sessions are on their way then\n  hint: --state initial restores it once, at the start"
            ))),
            _ => Ok(()),
        }
    }
}
