//! A map's nodes and edges by number, for algorithms.

use crate::bits::{Bits, Relation};
use crate::map_file::{MapError, NodeId, SiteMap};

/// A node's place in its map.
pub type NodeIndex = usize;

/// A map's nodes and edges by number.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where each edge begins and leads, in the map's order.
    pub edges: Vec<(NodeIndex, NodeIndex)>,
    /// Which nodes are dynamic.
    pub dynamic: Vec<bool>,
    /// The home node, where there is one.
    pub home: Option<NodeIndex>,
    successors: Vec<Vec<NodeIndex>>,
    predecessors: Vec<Vec<NodeIndex>>,
}

impl Graph {
    /// The graph of a map.
    pub fn of(map: &SiteMap) -> Result<Self, MapError> {
        let places = map.places()?;
        let place = |id: &NodeId| places[id];
        let edges = map.edges.iter().map(|edge| (place(&edge.from), place(&edge.to))).collect();
        let dynamic = map.nodes.iter().map(|node| node.dynamic).collect();
        Ok(Self::new(dynamic, edges, map.home.as_ref().map(place)))
    }

    /// A graph of its own. Every edge begins and leads to one of the nodes.
    pub fn new(dynamic: Vec<bool>, edges: Vec<(NodeIndex, NodeIndex)>, home: Option<NodeIndex>) -> Self {
        let mut successors = vec![Vec::new(); dynamic.len()];
        for &(from, to) in &edges {
            successors[from].push(to);
        }
        let mut predecessors = vec![Vec::new(); dynamic.len()];
        for (node, next) in successors.iter_mut().enumerate() {
            next.sort_unstable();
            next.dedup();
            next.iter().for_each(|&next| predecessors[next].push(node));
        }
        Self { edges, dynamic, home, successors, predecessors }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.dynamic.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.dynamic.is_empty()
    }

    /// Where one can go from a node, each place once.
    pub fn successors(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.successors[node]
    }

    /// From where one can come to a node, each place once.
    pub(crate) fn predecessors(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.predecessors[node]
    }

    /// The shortest way from one node to another, without the first; empty where they are the same. None where there is none.
    pub(crate) fn shortest_path(&self, from: NodeIndex, to: NodeIndex) -> Option<Vec<NodeIndex>> {
        if from == to {
            return Some(Vec::new());
        }
        let mut before = vec![usize::MAX; self.len()];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &next in self.successors(node).iter().filter(|&&next| next != from) {
                if before[next] == usize::MAX {
                    before[next] = node;
                    queue.push_back(next);
                }
            }
            if before[to] != usize::MAX {
                let mut path = vec![to];
                while before[path[path.len() - 1]] != from {
                    path.push(before[path[path.len() - 1]]);
                }
                path.reverse();
                return Some(path);
            }
        }
        None
    }

    /// Which nodes can be reached from which in one step or more.
    pub(crate) fn reachable(&self) -> Relation {
        let mut reachable = Relation::new(self.len());
        let (mut seen, mut open) = (Bits::new(self.len()), Vec::new());
        for node in 0..self.len() {
            seen.clear();
            open.push(node);
            while let Some(at) = open.pop() {
                open.extend(self.successors(at).iter().filter(|&&next| seen.add(next)));
            }
            reachable.add_all(node, &seen);
        }
        reachable
    }

    /// Of each node, whether a sequence can visit it that begins at this start; at any node where there is none.
    pub fn reached_from(&self, start: Option<NodeIndex>) -> Vec<bool> {
        let visitable = self.visitable(start);
        (0..self.len()).map(|node| visitable.has(node)).collect()
    }

    /// The nodes that sequences can visit: the start and those that it leads to, or all where there is no start.
    pub(crate) fn visitable(&self, start: Option<NodeIndex>) -> Bits {
        let mut seen = Bits::new(self.len());
        let mut open: Vec<NodeIndex> = match start {
            Some(start) => vec![start],
            None => (0..self.len()).collect(),
        };
        open.retain(|&node| seen.add(node));
        while let Some(at) = open.pop() {
            open.extend(self.successors(at).iter().filter(|&&next| seen.add(next)));
        }
        seen
    }
}
