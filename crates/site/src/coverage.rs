//! What sequences cover: written from the definitions alone (paper 5, section 3.1), and used to verify what was generated.

use std::collections::{HashSet, VecDeque};

use serde::Serialize;
use thiserror::Error;

use crate::graph::{Graph, NodeIndex};

/// What sequences cover of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// How many sequences there are.
    pub sequences: usize,
    /// How many requests they make.
    pub requests: usize,
    /// How long the longest is.
    pub longest: usize,
    /// And the shortest.
    pub shortest: usize,
    /// How many different edges they go along. Edges between the same two nodes count once.
    pub edges_covered: usize,
    /// How many there are.
    pub edges: usize,
    /// How many ordered pairs of dynamic nodes they visit.
    pub pairs_covered: usize,
    /// How many there are.
    pub pairs: usize,
}

/// A sequence that is no path of the graph.
#[derive(Debug, Error)]
#[error("sequence {sequence} is no path: no edge leads from its node {step} to the next")]
pub struct CoverageError {
    /// The sequence's place, from 1.
    pub sequence: usize,
    /// The place of the node in it, from 1.
    pub step: usize,
}

impl Coverage {
    /// What sequences cover; an error where one is no path of the graph. `start` is where all of them begin, where they do:
    /// what it does not lead to need not be covered, and is not counted.
    pub fn of(
        graph: &Graph,
        start: Option<NodeIndex>,
        sequences: &[Vec<NodeIndex>],
    ) -> Result<Self, CoverageError> {
        let counted = match start {
            Some(start) => {
                let mut reached = reached_from(graph, start);
                reached[start] = true;
                reached
            }
            None => vec![true; graph.len()],
        };
        let edges: HashSet<(NodeIndex, NodeIndex)> =
            graph.edges.iter().copied().filter(|&(from, _)| counted[from]).collect();
        let mut gone = HashSet::new();
        // Of each node, after which nodes it was visited.
        let mut visited = vec![vec![false; graph.len()]; graph.len()];
        for (number, sequence) in sequences.iter().enumerate() {
            // Each dynamic node that was met, once: a pair that it begins is the same however often it was met.
            let (mut met, mut is_met) = (Vec::new(), vec![false; graph.len()]);
            for (step, &node) in sequence.iter().enumerate() {
                if let Some(&next) = sequence.get(step + 1) {
                    if !edges.contains(&(node, next)) {
                        return Err(CoverageError { sequence: number + 1, step: step + 1 });
                    }
                    gone.insert((node, next));
                }
                if graph.dynamic[node] {
                    met.iter().for_each(|&earlier: &NodeIndex| visited[node][earlier] = true);
                    if !std::mem::replace(&mut is_met[node], true) {
                        met.push(node);
                    }
                }
            }
        }
        let pairs_from = |node| {
            let reached = reached_from(graph, node);
            reached.iter().zip(&graph.dynamic).filter(|&(&reached, &dynamic)| reached && dynamic).count()
        };
        let lengths = || sequences.iter().map(Vec::len);
        Ok(Self {
            sequences: sequences.len(),
            requests: lengths().sum(),
            longest: lengths().max().unwrap_or(0),
            shortest: lengths().min().unwrap_or(0),
            edges_covered: gone.len(),
            edges: edges.len(),
            pairs_covered: visited.iter().flatten().filter(|&&visited| visited).count(),
            pairs: (0..graph.len())
                .filter(|&node| graph.dynamic[node] && counted[node])
                .map(pairs_from)
                .sum(),
        })
    }
}

/// The nodes that can be reached from a node in one step or more.
fn reached_from(graph: &Graph, from: NodeIndex) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for &next in graph.successors(node) {
            if !std::mem::replace(&mut reached[next], true) {
                queue.push_back(next);
            }
        }
    }
    reached
}
