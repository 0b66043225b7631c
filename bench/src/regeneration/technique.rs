//! The ways to make new sequences that are compared.

use serde::{Deserialize, Serialize};

/// A way to make new sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Technique {
    /// As many as DU makes, drawn at random.
    Random,
    /// Each place that defines with each that uses.
    Du,
    /// Values and statements.
    Vadu,
    /// VADU, going on from what new sequences bring.
    Feedback,
    /// The same, with several definitions of one kind before a use.
    Chained,
    /// VADU that puts steps together whatever rows they are about.
    VaduWithoutRows,
    /// VADU that plans what the suite covers, too.
    VaduOfAll,
}

impl Technique {
    /// Those of the paper's tables, and ours, in their order.
    pub const COMPARED: [Self; 5] = [Self::Random, Self::Du, Self::Vadu, Self::Feedback, Self::Chained];
    /// What VADU is without one of its parts.
    pub const ABLATIONS: [Self; 2] = [Self::VaduWithoutRows, Self::VaduOfAll];

    /// Its name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "Random",
            Self::Du => "DU",
            Self::Vadu => "VADU",
            Self::Feedback => "VADU, 3 rounds",
            Self::Chained => "VADU, 3 rounds, chains",
            Self::VaduWithoutRows => "VADU, whatever rows",
            Self::VaduOfAll => "VADU, covered pairs too",
        }
    }

    /// What `restage regenerate` is told, beside the suite; random sequences are drawn with the seed.
    pub fn arguments(self, seed: u64) -> Vec<String> {
        let words = match self {
            Self::Random => return vec!["--by".into(), "random".into(), "--seed".into(), seed.to_string()],
            Self::Du => "--by du",
            Self::Vadu => "--by vadu",
            Self::Feedback => "--by vadu --rounds 3",
            Self::Chained => "--by vadu --rounds 3 --chains",
            Self::VaduWithoutRows => "--by vadu --ignore-rows",
            Self::VaduOfAll => "--by vadu --plan-covered",
        };
        words.split(' ').map(str::to_owned).collect()
    }
}
