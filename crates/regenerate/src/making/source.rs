//! A session that sequences are made of.

use restage_model::Session;

/// A session, recorded or made in an earlier round, with the pages that its requests need.
#[derive(Clone, Debug)]
pub struct SourceSession {
    /// The session, as it is stored.
    pub session: Session,
    /// For each step, the earlier steps whose pages lead to it and hold what it sends.
    pub pages: Vec<Vec<usize>>,
}
