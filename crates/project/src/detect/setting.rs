//! A value of an application's settings, and where it comes from.

/// What a setting is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// A text.
    Literal(String),
    /// What the environment has under a name, or else another text.
    Environment {
        /// The name.
        name: String,
        /// The text where the environment has none.
        default: Option<String>,
    },
}

/// A setting with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) setting: Setting,
}

impl Setting {
    /// The text, where it is one.
    pub(crate) fn literal(self) -> Option<String> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Environment { .. } => None,
        }
    }
}
