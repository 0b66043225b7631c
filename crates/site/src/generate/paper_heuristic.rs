//! The paper's own heuristic (paper 5, section 3.2, figure 2), to compare with.

use crate::bits::Relation;
use crate::graph::{Graph, NodeIndex};

/// Sequences that cover every ordered pair, as the paper makes them: a list of nodes in which any two neighbours are a pair that
/// is left, extended at its end, its beginning and in its middle while it can be; then a shortest path between any two neighbours.
/// Where there is a start, a shortest path from there comes first.
pub fn paper_heuristic(graph: &Graph, start: Option<NodeIndex>) -> Vec<Vec<NodeIndex>> {
    let (visitable, reachable) = (graph.visitable(start), graph.reachable());
    let nodes: Vec<NodeIndex> =
        (0..graph.len()).filter(|&node| graph.dynamic[node] && visitable.has(node)).collect();
    let mut pairs = Relation::new(graph.len());
    for &node in &nodes {
        for other in reachable.row(node).filter(|&other| graph.dynamic[other]) {
            pairs.add(node, other);
        }
    }
    let mut sequences = Vec::new();
    let mut from = 0;
    while let Some(pair) = first_pair(&pairs, &nodes, &mut from) {
        let list = node_list(&mut pairs, &nodes, graph.len(), pair);
        let mut path = vec![start.unwrap_or(list[0])];
        for (place, &node) in list.iter().enumerate() {
            let here = path[path.len() - 1];
            if place == 0 && here == node {
                continue;
            }
            match way(graph, here, node) {
                Some(way) => path.extend(way),
                // A list's neighbours reach each other, and the start reaches all.
                None => break,
            }
        }
        sequences.push(path);
    }
    sequences
}

fn first_pair(pairs: &Relation, nodes: &[NodeIndex], from: &mut usize) -> Option<(NodeIndex, NodeIndex)> {
    while *from < nodes.len() {
        if let Some(to) = pairs.row(nodes[*from]).next() {
            return Some((nodes[*from], to));
        }
        *from += 1;
    }
    None
}

/// The list of nodes. What it covers is taken from the pairs.
fn node_list(
    pairs: &mut Relation,
    nodes: &[NodeIndex],
    longest: usize,
    (first, second): (NodeIndex, NodeIndex),
) -> Vec<NodeIndex> {
    let mut list = vec![first, second];
    pairs.remove(first, second);
    loop {
        let before = list.len();
        while list.len() < longest {
            let last = list[list.len() - 1];
            let Some(next) = pairs.row(last).next() else { break };
            for &earlier in &list {
                pairs.remove(earlier, next);
            }
            list.push(next);
        }
        while list.len() < longest {
            let Some(&earlier) = nodes.iter().find(|&&node| pairs.has(node, list[0])) else { break };
            for &later in &list {
                pairs.remove(earlier, later);
            }
            list.insert(0, earlier);
        }
        let mut place = 1;
        while place < list.len() && list.len() < longest {
            let (left, right) = (list[place - 1], list[place]);
            let between = pairs.row(left).find(|&node| pairs.has(node, right));
            if let Some(node) = between {
                for &earlier in &list[..place] {
                    pairs.remove(earlier, node);
                }
                for &later in &list[place..] {
                    pairs.remove(node, later);
                }
                list.insert(place, node);
            } else {
                place += 1;
            }
        }
        if list.len() == before {
            return list;
        }
    }
}

/// A shortest path of one step or more, without its first node.
fn way(graph: &Graph, from: NodeIndex, to: NodeIndex) -> Option<Vec<NodeIndex>> {
    if from != to {
        return graph.shortest_path(from, to);
    }
    let circles = graph.successors(from).iter().filter_map(|&next| {
        let mut way = vec![next];
        way.extend(graph.shortest_path(next, to)?);
        Some(way)
    });
    circles.min_by_key(Vec::len)
}
