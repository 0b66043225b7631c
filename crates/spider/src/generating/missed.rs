//! What generated sessions do not cover, and why not.

use serde::Serialize;

/// An edge or an ordered pair of the map that no session covers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MissedWay {
    /// For whom.
    pub user: String,
    /// From which node.
    pub from: String,
    /// To which.
    pub to: String,
    /// Why.
    pub why: MissedWhy,
    /// How often the first node was visited.
    pub visits: usize,
}

/// Why something is not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissedWhy {
    /// Nothing led to where it begins.
    NeverBegun,
    /// Of a pair: nothing led to where it ends.
    NeverReached,
    /// The page was there, without this link or form on it.
    NotOffered,
    /// The form was sent, and its answer led elsewhere.
    LedElsewhere,
    /// Of a pair: both were visited, and never in this order.
    NotInThisOrder,
}
