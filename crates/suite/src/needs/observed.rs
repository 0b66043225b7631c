//! What is known of a session.

use restage_state::StateChange;

/// A session of a trusted run, as it was observed.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The session's name.
    pub session: String,
    /// What it wrote.
    pub writes: Vec<StateChange>,
    /// Its steps, in order.
    pub steps: Vec<ObservedStep>,
}

/// A step, as it was sent and answered.
#[derive(Clone, Debug, Default)]
pub struct ObservedStep {
    /// `GET`, `POST`, …
    pub method: String,
    /// The path that was asked for, decoded.
    pub path: String,
    /// The parameters of query and form, decoded.
    pub params: Vec<(String, String)>,
    /// The cookies sent.
    pub cookies: Vec<(String, String)>,
    /// What the answer shows: its text, and the values in its fields.
    pub text: String,
}

impl ObservedStep {
    /// Whether it says who the user is.
    pub(super) fn logs_in(&self) -> bool {
        self.params.iter().any(|(name, _)| name.to_ascii_lowercase().contains("pass"))
    }
}
