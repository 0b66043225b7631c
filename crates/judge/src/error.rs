//! Why two runs could not be judged.

use restage_oracle::JudgeError;
use restage_store::StoreError;
use thiserror::Error;

/// Why two runs could not be judged.
#[derive(Debug, Error)]
pub enum JudgingError {
    /// The store could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A step could not be compared.
    #[error(transparent)]
    Step(#[from] JudgeError),
    /// The snapshots after a session could not be compared.
    #[error(transparent)]
    State(#[from] restage_state::Error),
    /// The runs are of suites of which none is a part of the other.
    #[error(
        "these runs are of different suites: {expected}, {actual}\n  hint: replay both on the same suite, or the second on a part of it; a suite that has grown since is another one"
    )]
    DifferentSuites {
        /// The run that is right, and what it replays.
        expected: String,
        /// The run that is judged, and what it replays.
        actual: String,
    },
    /// A suite has a session that another one lacks.
    #[error(
        "the suite `{part}` has the session {session}, which the baseline's suite `{all}` has not (or not with the same requests)\n  hint: `restage baseline {part}` makes a baseline of it; or reduce `{all}` anew"
    )]
    NotAPart {
        /// The suite.
        part: String,
        /// Its session.
        session: String,
        /// The suite that lacks it.
        all: String,
    },
}
