//! Sequences that cover every edge.

use std::collections::VecDeque;

use super::criterion::Limits;
use crate::graph::{Graph, NodeIndex};

/// A walk takes an edge that nobody took where one leaves; else the shortest way to a node that has one. It ends where that
/// would be too long.
pub(super) fn all_edges(graph: &Graph, limits: Limits) -> Vec<Vec<NodeIndex>> {
    let visitable = graph.visitable(limits.start);
    let mut left: Vec<Vec<NodeIndex>> = (0..graph.len())
        .map(|node| {
            if visitable.has(node) {
                graph.successors(node).iter().rev().copied().collect()
            } else {
                Vec::new()
            }
        })
        .collect();
    let mut sequences = Vec::new();
    let mut arriving = vec![0_usize; graph.len()];
    for &next in left.iter().flatten() {
        arriving[next] += 1;
    }
    loop {
        let start = limits.start.or_else(|| {
            // Where more edges leave than arrive, a sequence has to begin anyway.
            let open = (0..graph.len()).filter(|&node| !left[node].is_empty());
            open.max_by_key(|&node| {
                (left[node].len() as isize - arriving[node] as isize, std::cmp::Reverse(node))
            })
        });
        let Some(start) = start else { return sequences };
        let mut path = vec![start];
        let mut covered = 0;
        loop {
            let here = path[path.len() - 1];
            let Some(way) = way_to_open(graph, &left, here) else { break };
            // One more for the edge itself.
            if covered > 0 && limits.longest.is_some_and(|most| path.len() + way.len() + 1 > most) {
                break;
            }
            path.extend(way);
            let here = path[path.len() - 1];
            // The one that leads on, before the one that leads to an end.
            let best = (0..left[here].len()).max_by_key(|&place| {
                let next = left[here][place];
                (!left[next].is_empty(), place)
            });
            let Some(best) = best else { break };
            let next = left[here].remove(best);
            arriving[next] -= 1;
            covered += 1;
            path.push(next);
        }
        if covered == 0 {
            return sequences;
        }
        sequences.push(path);
    }
}

/// The shortest way to a node that an edge leaves which nobody took; empty where that is here.
fn way_to_open(graph: &Graph, left: &[Vec<NodeIndex>], from: NodeIndex) -> Option<Vec<NodeIndex>> {
    let mut before = vec![None; graph.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if !left[node].is_empty() {
            let mut way = Vec::new();
            let mut at = node;
            while at != from {
                way.push(at);
                at = before[at]?;
            }
            way.reverse();
            return Some(way);
        }
        for &next in graph.successors(node) {
            if next != from && before[next].is_none() {
                before[next] = Some(node);
                queue.push_back(next);
            }
        }
    }
    None
}
