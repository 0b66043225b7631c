//! A map's nodes and edges by number, for what draws, compares and walks it.

use std::collections::HashMap;

use crate::graph::{Graph, NodeIndex};
use crate::site::{Site, SiteEdge};

/// A map by number. Of nodes with the same id the first counts; an edge that begins or ends nowhere is left out.
pub(crate) struct SiteIndex<'a> {
    pub(crate) site: &'a Site,
    by_id: HashMap<&'a str, NodeIndex>,
    /// Where each edge begins and leads.
    pub(crate) edges: Vec<(NodeIndex, NodeIndex, &'a SiteEdge)>,
    leaving: Vec<Vec<usize>>,
    arriving: Vec<Vec<usize>>,
}

impl<'a> SiteIndex<'a> {
    pub(crate) fn of(site: &'a Site) -> Self {
        let mut by_id = HashMap::with_capacity(site.nodes.len());
        for (place, node) in site.nodes.iter().enumerate() {
            by_id.entry(node.id.as_str()).or_insert(place);
        }
        let place = |id: &String| by_id.get(id.as_str()).copied();
        let edges: Vec<_> =
            site.edges.iter().filter_map(|edge| Some((place(&edge.from)?, place(&edge.to)?, edge))).collect();
        let mut leaving = vec![Vec::new(); site.nodes.len()];
        let mut arriving = vec![Vec::new(); site.nodes.len()];
        for (number, &(from, to, _)) in edges.iter().enumerate() {
            leaving[from].push(number);
            arriving[to].push(number);
        }
        Self { site, by_id, edges, leaving, arriving }
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.site.nodes.len()
    }

    pub(crate) fn place(&self, id: &str) -> Option<NodeIndex> {
        self.by_id.get(id).copied()
    }

    pub(crate) fn home(&self) -> Option<NodeIndex> {
        self.site.home.as_deref().and_then(|home| self.place(home))
    }

    pub(crate) fn id(&self, node: NodeIndex) -> &'a str {
        &self.site.nodes[node].id
    }

    /// The edges that leave a node, and where they lead, in the map's order.
    pub(crate) fn leaving(&self, node: NodeIndex) -> impl Iterator<Item = (NodeIndex, &'a SiteEdge)> {
        self.leaving[node].iter().map(|&edge| (self.edges[edge].1, self.edges[edge].2))
    }

    /// The edges that lead to a node, and where they begin, in the map's order.
    pub(crate) fn arriving(&self, node: NodeIndex) -> impl Iterator<Item = (NodeIndex, &'a SiteEdge)> {
        self.arriving[node].iter().map(|&edge| (self.edges[edge].0, self.edges[edge].2))
    }

    /// The same as a graph, edges in the same order.
    pub(crate) fn graph(&self) -> Graph {
        let dynamic = self.site.nodes.iter().map(|node| node.dynamic).collect();
        let edges = self.edges.iter().map(|&(from, to, _)| (from, to)).collect();
        Graph::new(dynamic, edges, self.home())
    }
}
