//! What a parameter is given: the argument itself, or something in it.

use std::sync::Arc;

use super::Key;

/// What a parameter is given, or something in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Given {
    /// Which parameter.
    pub(crate) parameter: u16,
    /// The keys that lead to it; nothing stands for any key.
    pub(crate) keys: Arc<[Option<Key>]>,
    /// Whether it was changed since, or is one of several: a run with the arguments says more.
    pub(crate) inexact: bool,
    /// Whether something was computed of it in a way that is not followed: its names may be in what came out.
    pub(crate) computed: bool,
}

/// Longer ways into arrays are not followed.
const DEEPEST: usize = 4;

impl Given {
    pub(crate) fn parameter(parameter: u16) -> Self {
        Self { parameter, keys: Arc::default(), inexact: false, computed: false }
    }

    /// Something that is computed of it.
    pub(crate) fn computed(&self) -> Self {
        Self { parameter: self.parameter, keys: self.keys.clone(), inexact: true, computed: true }
    }

    /// What is computed of both: of all that the same keys lead to.
    pub(crate) fn computed_with(&self, other: &Self) -> Self {
        let common = self.keys.iter().zip(other.keys.iter()).take_while(|(a, b)| a == b).count();
        let keys = self.keys[..common].into();
        Self { parameter: self.parameter, keys, inexact: true, computed: true }
    }

    /// Whether it is an argument, or in one, and nothing that is computed of it.
    pub(crate) fn is_argument(&self) -> bool {
        !self.computed
    }

    /// What it has at a key.
    pub(crate) fn at(&self, key: Option<Key>) -> Option<Self> {
        if self.computed {
            return Some(self.clone());
        }
        (self.keys.len() < DEEPEST).then(|| {
            let inexact = self.inexact || key.is_none();
            let keys = self.keys.iter().cloned().chain([key]).collect();
            Self { parameter: self.parameter, keys, inexact, computed: self.computed }
        })
    }
}
