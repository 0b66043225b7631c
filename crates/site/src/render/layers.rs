//! How far each node is from home.

use std::collections::VecDeque;

use crate::graph::NodeIndex;
use crate::site_index::SiteIndex;

/// The distance of each node from home, in clicks; none where home does not lead there, and of home's own way: the node before it.
///
/// A map without a home begins where nothing leads, and where there is no such node, at its first.
pub(crate) struct Layers {
    pub(crate) distance: Vec<Option<usize>>,
    /// The node before it on a shortest way from home.
    pub(crate) before: Vec<Option<NodeIndex>>,
}

impl Layers {
    pub(crate) fn of(index: &SiteIndex<'_>) -> Self {
        let mut layers = Self { distance: vec![None; index.len()], before: vec![None; index.len()] };
        let mut queue = VecDeque::from(starts(index));
        queue.iter().for_each(|&start| layers.distance[start] = Some(0));
        while let Some(node) = queue.pop_front() {
            let next = layers.distance[node].map(|distance| distance + 1);
            for (to, _) in index.leaving(node) {
                if layers.distance[to].is_none() {
                    layers.distance[to] = next;
                    layers.before[to] = Some(node);
                    queue.push_back(to);
                }
            }
        }
        layers
    }

    /// The nodes of each layer; those that home does not lead to come last, where there are any.
    pub(crate) fn nodes(&self) -> Vec<Vec<NodeIndex>> {
        let count = self.distance.iter().flatten().max().map_or(0, |&last| last + 1);
        let mut nodes = vec![Vec::new(); count + 1];
        for (node, distance) in self.distance.iter().enumerate() {
            nodes[distance.unwrap_or(count)].push(node);
        }
        nodes.retain(|layer| !layer.is_empty());
        nodes
    }

    /// Whether every node can be reached.
    pub(crate) fn reach_all(&self) -> bool {
        self.distance.iter().all(Option::is_some)
    }
}

fn starts(index: &SiteIndex<'_>) -> Vec<NodeIndex> {
    if let Some(home) = index.home() {
        return vec![home];
    }
    let is_start = |node: &NodeIndex| index.arriving(*node).all(|(from, _)| from == *node);
    let starts: Vec<NodeIndex> = (0..index.len()).filter(is_start).collect();
    if starts.is_empty() && index.len() > 0 { vec![0] } else { starts }
}
