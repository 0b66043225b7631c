//! What is asked of the probes in an app.

use std::path::PathBuf;

use restage_facts::Want;

/// What is asked of the probes in an app.
#[derive(Clone, Debug, Default)]
pub struct FactsAsked {
    /// Which kinds of facts.
    pub want: Vec<Want>,
    /// The application's own folders; the one that it runs in where there is none.
    pub folders: Vec<PathBuf>,
}

impl FactsAsked {
    /// Facts of these kinds, of an application in the folder that it runs in.
    pub fn of(want: Vec<Want>) -> Self {
        Self { want, folders: Vec::new() }
    }
}
