//! Which ordered pairs are still to be covered, and what a sequence that is being made would cover next.

use crate::bits::{Bits, Relation};
use crate::graph::{Graph, NodeIndex};

/// Pairs that no sequence covers yet, and the sequence that is being made.
#[derive(Clone, Debug)]
pub(super) struct PairState<'a> {
    pub(super) graph: &'a Graph,
    /// (m, n) where no sequence visits m and later n.
    uncovered: Relation,
    /// Of each node, how many such pairs it begins.
    pub(super) begins: Vec<u32>,
    /// And how many it ends.
    pub(super) ends: Vec<u32>,
    /// How many there are.
    pub(super) left: usize,
    /// The nodes that can reach each other share a number.
    pub(super) component: Vec<NodeIndex>,
    /// Of each component, how many pairs are left that begin and end in it.
    pub(super) inner: Vec<u32>,
    /// The sequence.
    pub(super) path: Vec<NodeIndex>,
    met: Bits,
    /// The dynamic nodes of it, each once.
    sources: Vec<NodeIndex>,
    /// Of each node, how many pairs a visit would cover now.
    pub(super) gain: Vec<u32>,
    /// What this sequence has covered.
    covered: Vec<(NodeIndex, NodeIndex)>,
    /// How much of the path there was when it last covered something.
    useful: usize,
}

impl<'a> PairState<'a> {
    /// All pairs of which a sequence from the start can visit both.
    pub(super) fn new(graph: &'a Graph, start: Option<NodeIndex>) -> Self {
        let (count, visitable, reachable) = (graph.len(), graph.visitable(start), graph.reachable());
        let mut component: Vec<NodeIndex> = (0..count).collect();
        for node in 0..count {
            if component[node] == node {
                for other in reachable.row(node).filter(|&other| other > node) {
                    if reachable.has(other, node) {
                        component[other] = node;
                    }
                }
            }
        }
        let mut state = Self {
            graph,
            uncovered: Relation::new(count),
            begins: vec![0; count],
            ends: vec![0; count],
            left: 0,
            inner: vec![0; count],
            component,
            path: Vec::new(),
            met: Bits::new(count),
            sources: Vec::new(),
            gain: vec![0; count],
            covered: Vec::new(),
            useful: 0,
        };
        for node in (0..count).filter(|&node| graph.dynamic[node] && visitable.has(node)) {
            for other in reachable.row(node).filter(|&other| graph.dynamic[other]) {
                state.add(node, other);
            }
        }
        state
    }

    /// Whether the sequence has visited a node.
    pub(super) fn has_met(&self, node: NodeIndex) -> bool {
        self.met.has(node)
    }

    /// Whether a pair is left.
    pub(super) fn is_left(&self, from: NodeIndex, to: NodeIndex) -> bool {
        self.uncovered.has(from, to)
    }

    /// A pair that is left and that this node begins.
    pub(super) fn pair_from(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.uncovered.row(node).next()
    }

    /// Goes to a node.
    pub(super) fn visit(&mut self, node: NodeIndex) {
        self.path.push(node);
        if !self.graph.dynamic[node] {
            self.met.add(node);
            return;
        }
        if self.gain[node] > 0 {
            let mut sources = std::mem::take(&mut self.sources);
            for &source in &sources {
                if self.remove(source, node) {
                    self.covered.push((source, node));
                }
            }
            std::mem::swap(&mut self.sources, &mut sources);
            self.gain[node] = 0;
            self.useful = self.path.len();
        }
        if self.met.add(node) {
            self.sources.push(node);
            for next in self.uncovered.row(node) {
                self.gain[next] += 1;
            }
        }
    }

    /// Ends the sequence, and gives it with all that it covers; what came after the last pair is cut off.
    pub(super) fn finish(&mut self) -> Made {
        self.path.truncate(self.useful);
        self.useful = 0;
        self.met.clear();
        self.sources.clear();
        self.gain.fill(0);
        Made { path: std::mem::take(&mut self.path), covered: std::mem::take(&mut self.covered) }
    }

    /// As if a sequence had not been made.
    pub(super) fn undo(&mut self, made: &Made) {
        for &(from, to) in &made.covered {
            self.add(from, to);
        }
    }

    /// What a sequence that was undone covers, once more.
    pub(super) fn redo(&mut self, made: &Made) {
        for &(from, to) in &made.covered {
            self.remove(from, to);
        }
    }

    fn add(&mut self, from: NodeIndex, to: NodeIndex) {
        if self.uncovered.add(from, to) {
            self.begins[from] += 1;
            self.ends[to] += 1;
            self.left += 1;
            if self.component[from] == self.component[to] {
                self.inner[self.component[from]] += 1;
            }
        }
    }

    fn remove(&mut self, from: NodeIndex, to: NodeIndex) -> bool {
        let was = self.uncovered.remove(from, to);
        if was {
            self.begins[from] -= 1;
            self.ends[to] -= 1;
            self.left -= 1;
            if self.component[from] == self.component[to] {
                self.inner[self.component[from]] -= 1;
            }
        }
        was
    }
}

/// A sequence, and the pairs that it was the first to cover.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) path: Vec<NodeIndex>,
    pub(super) covered: Vec<(NodeIndex, NodeIndex)>,
}
