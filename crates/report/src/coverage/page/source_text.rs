//! The text of a file that ran.

/// The text of a file that ran, as far as it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceText {
    /// As it was when it ran, as far as can be known.
    AsItRan(String),
    /// It is another one by now: numbers of lines may be those of others.
    Changed(String),
    /// It is not there, or cannot be read: why.
    Missing(String),
}
