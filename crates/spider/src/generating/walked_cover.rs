//! What of a user's map her sequences went along on the app.

use std::collections::{BTreeSet, HashMap, HashSet};

use restage_site::{Criterion, NodeKind, Site, UserGraph};

use crate::generating::missed::{MissedWay, MissedWhy};

/// What of a user's map was gone along.
#[derive(Debug)]
pub struct WalkedCover<'s> {
    wanted_edges: BTreeSet<(&'s str, &'s str)>,
    wanted_pairs: BTreeSet<(&'s str, &'s str)>,
    names: HashSet<&'s str>,
    edges: BTreeSet<(&'s str, &'s str)>,
    pairs: BTreeSet<(&'s str, &'s str)>,
    /// How often each node was visited.
    visits: HashMap<&'s str, usize>,
}

impl<'s> WalkedCover<'s> {
    /// Nothing of a user's map yet.
    pub fn new(site: &'s Site, graph: &UserGraph) -> Self {
        let id = |node: usize| site.nodes[graph.nodes[node]].id.as_str();
        let visitable = graph.graph.reached_from(graph.graph.home);
        let edges = graph.graph.edges.iter().filter(|(from, _)| visitable[*from]);
        let dynamic = |node: &usize| graph.graph.dynamic[*node];
        let mut wanted_pairs = BTreeSet::new();
        for node in (0..graph.nodes.len()).filter(|node| visitable[*node] && dynamic(node)) {
            wanted_pairs.extend(
                reached_after(graph, node).into_iter().filter(dynamic).map(|next| (id(node), id(next))),
            );
        }
        Self {
            wanted_edges: edges.map(|(from, to)| (id(*from), id(*to))).collect(),
            wanted_pairs,
            names: (0..graph.nodes.len()).map(id).collect(),
            edges: BTreeSet::new(),
            pairs: BTreeSet::new(),
            visits: HashMap::new(),
        }
    }

    /// Takes in the nodes that a sequence visited.
    pub fn add(&mut self, visited: &[String]) {
        // Names of the map in place of those that were visited: they live as long as it does.
        let known = |id: &String| self.names.get(id.as_str()).copied();
        let visited: Vec<Option<&'s str>> = visited.iter().map(known).collect();
        for window in visited.windows(2) {
            if let (Some(from), Some(to)) = (window[0], window[1])
                && self.wanted_edges.contains(&(from, to))
            {
                self.edges.insert((from, to));
            }
        }
        let mut before: BTreeSet<&'s str> = BTreeSet::new();
        for node in visited.into_iter().flatten() {
            *self.visits.entry(node).or_default() += 1;
            for earlier in &before {
                if self.wanted_pairs.contains(&(*earlier, node)) {
                    self.pairs.insert((*earlier, node));
                }
            }
            before.insert(node);
        }
    }

    /// How many edges were gone along.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// How many ordered pairs were visited.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// How many edges there are to go along.
    pub fn wanted_edges(&self) -> usize {
        self.wanted_edges.len()
    }

    /// How many ordered pairs there are to visit.
    pub fn wanted_pairs(&self) -> usize {
        self.wanted_pairs.len()
    }

    /// What is still to be covered: edges or pairs, as from where to where.
    pub(crate) fn left(&self, criterion: Criterion) -> Vec<(String, String)> {
        let (wanted, covered) = match criterion {
            Criterion::AllEdges => (&self.wanted_edges, &self.edges),
            Criterion::OrderedPairs => (&self.wanted_pairs, &self.pairs),
        };
        wanted.difference(covered).map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    }
}

impl WalkedCover<'_> {
    /// What is not covered, and why not.
    pub(crate) fn missed(&self, site: &Site, user: &str, criterion: Criterion) -> Vec<MissedWay> {
        let visits = |node: &str| self.visits.get(node).copied().unwrap_or(0);
        let is_form = |node: &str| {
            site.node(node).is_some_and(|node| node.kind == NodeKind::Form && node.status.is_some())
        };
        let why = |from: &str, to: &str| match criterion {
            _ if visits(from) == 0 => MissedWhy::NeverBegun,
            Criterion::OrderedPairs if visits(to) == 0 => MissedWhy::NeverReached,
            Criterion::OrderedPairs => MissedWhy::NotInThisOrder,
            Criterion::AllEdges if is_form(from) => MissedWhy::LedElsewhere,
            Criterion::AllEdges => MissedWhy::NotOffered,
        };
        self.left(criterion)
            .into_iter()
            .map(|(from, to)| {
                let (why, visits) = (why(&from, &to), visits(&from));
                MissedWay { user: user.to_owned(), from, to, why, visits }
            })
            .collect()
    }
}

/// The nodes that can be reached from a node in one step or more.
fn reached_after(graph: &UserGraph, node: usize) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let mut open = vec![node];
    while let Some(at) = open.pop() {
        open.extend(graph.graph.successors(at).iter().copied().filter(|next| seen.insert(*next)));
    }
    seen
}

#[cfg(test)]
mod tests {
    use restage_site::{SiteEdge, SiteNode, SiteUser, user_graphs};

    use super::*;

    /// Catches: something that counts as covered and is not on the map, or the other way round.
    #[test]
    fn what_is_covered_is_on_the_map_and_was_visited_in_this_order() {
        let node = |id: &str| SiteNode {
            id: id.to_owned(),
            dynamic: true,
            status: Some(200),
            users: ["anonymous".to_owned()].into(),
            ..SiteNode::default()
        };
        let edge = |from: &str, to: &str| SiteEdge {
            from: from.to_owned(),
            to: to.to_owned(),
            users: ["anonymous".to_owned()].into(),
            ..SiteEdge::default()
        };
        let site = Site {
            home: Some("a".to_owned()),
            users: vec![SiteUser { name: "anonymous".to_owned(), session: None, steps: 0 }],
            nodes: vec![node("a"), node("b"), node("c")],
            edges: vec![edge("a", "b"), edge("b", "c")],
        };
        let graphs = user_graphs(&site);
        let mut cover = WalkedCover::new(&site, &graphs[0]);
        let visited: Vec<String> = ["a", "c", "b"].iter().map(|id| (*id).to_owned()).collect();
        cover.add(&visited);
        assert_eq!((cover.edges(), cover.pairs()), (0, 2));
        assert_eq!(cover.left(Criterion::OrderedPairs), [("b".to_owned(), "c".to_owned())]);
        assert_eq!(cover.left(Criterion::AllEdges).len(), 2);
    }
}
