//! The state that a session begins with.

use restage_replay::{ReplayError, Stage};

/// The state that a session begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// That before the session, as a baseline saved it.
    Snapshot(String),
    /// That before the first session.
    Initial,
    /// What a session before it left behind, as the stage saved it.
    Saved(String),
}

impl Start {
    /// Restores it; nothing where no state is configured.
    pub(crate) fn restore(&self, stage: &mut Stage<'_>) -> Result<(), ReplayError> {
        match self {
            Self::Snapshot(name) => stage.restore_snapshot(name),
            Self::Initial => stage.restore_initial(),
            Self::Saved(name) => stage.restore(name),
        }
    }
}
