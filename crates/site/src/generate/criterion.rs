//! What sequences are to cover, and within which limits.

use serde::{Deserialize, Serialize};

use super::all_edges::all_edges;
use super::ordered_pairs::ordered_pairs;
use crate::graph::{Graph, NodeIndex};

/// What is to be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// Every edge.
    AllEdges,
    /// Every ordered pair (m, n) of dynamic nodes where n can be reached from m.
    OrderedPairs,
}

/// Within which limits.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Where sequences begin; anywhere where there is none.
    pub start: Option<NodeIndex>,
    /// The most nodes of a sequence; none for any number. What cannot be covered in so few gets as many as it needs.
    pub longest: Option<usize>,
}

/// Sequences of nodes. Each is a path of the graph.
#[derive(Clone, Debug, Default)]
pub struct Sequences {
    /// The sequences.
    pub paths: Vec<Vec<NodeIndex>>,
    /// How many of them are longer than the limit, since what they cover needs more.
    pub over_limit: usize,
}

/// Sequences that cover all that can be reached.
pub fn generate(graph: &Graph, criterion: Criterion, limits: Limits) -> Sequences {
    let paths = match criterion {
        Criterion::AllEdges => all_edges(graph, limits),
        Criterion::OrderedPairs => ordered_pairs(graph, limits),
    };
    let over_limit = paths.iter().filter(|path| limits.longest.is_some_and(|most| path.len() > most)).count();
    Sequences { paths, over_limit }
}
