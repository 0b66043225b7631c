//! Where a secret stands in a text.

use crate::encoding::Spelling;
use crate::secret_kind::Kind;

/// A stretch of a text that is a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    pub(crate) spelling: Spelling,
    /// The name it was found by; empty where its shape told.
    pub(crate) name: String,
    /// Whether the value is a secret whatever it looks like: what a password field holds.
    pub(crate) certain: bool,
}

impl Span {
    /// A secret that its own shape tells.
    pub(crate) fn shaped(start: usize, end: usize, kind: Kind) -> Self {
        Self { start, end, kind, spelling: Spelling::PLAIN, name: String::new(), certain: true }
    }
}
