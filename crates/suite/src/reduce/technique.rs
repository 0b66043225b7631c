//! The ways to reduce.

use std::fmt;
use std::num::NonZeroUsize;

use crate::reduce::concept::concept;
use crate::reduce::greedy::greedy;
use crate::reduce::hgs::hgs;
use crate::reduce::{Coverage, Ties};

/// A way to reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Harrold, Gupta and Soffa's.
    Hgs,
    /// One session for each set of requirements that is in no other.
    Concept,
    /// Always the session that meets most of what is not met yet.
    Greedy,
    /// The first session and every n-th after it.
    EveryNth(NonZeroUsize),
}

/// As it is typed after `--by`.
impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hgs => f.write_str("hgs"),
            Self::Concept => f.write_str("concept"),
            Self::Greedy => f.write_str("greedy"),
            Self::EveryNth(n) => write!(f, "every-nth --nth {n}"),
        }
    }
}

/// The sessions that are kept, in order.
pub fn reduce(coverage: &Coverage, technique: Technique, ties: Ties) -> Vec<usize> {
    let mut kept = match technique {
        Technique::Hgs => hgs(coverage, ties),
        Technique::Concept => concept(coverage, ties),
        Technique::Greedy => greedy(coverage, ties),
        Technique::EveryNth(n) => (0..coverage.sessions()).step_by(n.get()).collect(),
    };
    kept.sort_unstable();
    kept
}
