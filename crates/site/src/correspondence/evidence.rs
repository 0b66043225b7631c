//! What speaks for and against two nodes being the same.
//!
//! Each piece of evidence adds to the odds by how much it agrees, or takes from them by how much it does not, weighted by how telling it
//! is. Things change from one release to the next, so that a disagreement counts less than an agreement.

use std::fmt;

use serde::Serialize;

/// A piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Their ids.
    Id,
    /// The words of their titles.
    Title,
    /// The words of their headings.
    Headings,
    /// The fields of two forms.
    Fields,
    /// The texts of the links and buttons that lead to them.
    Labels,
    /// The texts of the links and buttons on them.
    OwnLabels,
    /// The pages that lead to them, and by which text.
    Sources,
    /// The pages that they lead to, and by which text.
    Targets,
    /// The links beside those that lead to them.
    Siblings,
    /// The words of their paths.
    Path,
    /// The names of their parameters.
    Parameters,
}

/// Evidence that is a bag of features of each node.
pub(crate) const BAGS: [Evidence; 10] = [
    Evidence::Title,
    Evidence::Headings,
    Evidence::Fields,
    Evidence::Labels,
    Evidence::OwnLabels,
    Evidence::Sources,
    Evidence::Targets,
    Evidence::Siblings,
    Evidence::Path,
    Evidence::Parameters,
];

/// How much a piece of evidence counts.
pub(crate) struct Weight {
    /// What it adds where it agrees.
    pub(crate) agrees: f64,
    /// What it takes away where it disagrees.
    pub(crate) differs: f64,
    /// So many features that only one node has are all that it can say; fewer say less.
    pub(crate) full: f64,
}

impl Evidence {
    pub(crate) fn weight(self) -> Weight {
        let (agrees, differs, full) = match self {
            Self::Id => (4.5, 0.0, 1.0),
            Self::Title => (3.0, 1.4, 1.0),
            Self::Headings => (2.0, 0.8, 1.0),
            Self::Fields => (4.5, 3.0, 1.5),
            Self::Labels => (1.8, 0.7, 1.0),
            Self::OwnLabels => (0.8, 0.4, 2.0),
            Self::Sources => (1.4, 0.5, 1.5),
            Self::Targets => (1.5, 0.6, 2.0),
            Self::Siblings => (0.6, 0.2, 1.0),
            Self::Path => (1.8, 0.7, 1.0),
            Self::Parameters => (0.8, 0.4, 1.0),
        };
        Weight { agrees, differs, full }
    }

    /// What it adds to the odds, or takes away.
    pub(crate) fn odds(self, likeness: f64, mass: f64) -> f64 {
        let weight = self.weight();
        (mass / weight.full).min(1.0) * (weight.agrees * likeness - weight.differs * (1.0 - likeness))
    }
}

/// The odds of two nodes of which nothing is known: of many, one is the same.
pub(crate) const UNKNOWN: f64 = -3.0;
/// Added where one is a page and the other a form.
pub(crate) const OTHER_KIND: f64 = -2.0;
/// Added where their methods differ.
pub(crate) const OTHER_METHOD: f64 = -0.8;

/// Why two nodes are the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// What says so.
    pub evidence: Evidence,
    /// How much of it agrees, from 0 to 1.
    pub likeness: f64,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.evidence {
            Evidence::Id => "id",
            Evidence::Title => "title",
            Evidence::Headings => "headings",
            Evidence::Fields => "fields",
            Evidence::Labels => "texts of links to it",
            Evidence::OwnLabels => "texts of links on it",
            Evidence::Sources => "pages that lead to it",
            Evidence::Targets => "pages that it leads to",
            Evidence::Siblings => "links beside it",
            Evidence::Path => "path",
            Evidence::Parameters => "parameters",
        };
        if self.likeness >= 0.995 { write!(f, "same {what}") } else { write!(f, "similar {what}") }
    }
}
