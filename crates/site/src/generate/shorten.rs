//! What later sequences made needless is taken back.

use super::criterion::Limits;
use crate::bits::{Bits, Relation};
use crate::graph::{Graph, NodeIndex};

/// The sequences without those, and without the ends of those, that cover only what others cover too. The last ones are kept
/// first: they were made for what is hard to cover, and cover much that is easy on their way.
pub(super) fn shorten(graph: &Graph, limits: Limits, sequences: Vec<Vec<NodeIndex>>) -> Vec<Vec<NodeIndex>> {
    let mut covered = Relation::new(graph.len());
    let mut met = Bits::new(graph.len());
    let mut kept = Vec::new();
    for mut path in sequences.into_iter().rev() {
        met.clear();
        let (mut sources, mut useful, mut first) = (Vec::new(), 0, path.len());
        for (place, &node) in path.iter().enumerate().filter(|&(_, &node)| graph.dynamic[node]) {
            for &(source, at) in &sources {
                if covered.add(source, node) {
                    useful = place + 1;
                    first = first.min(at);
                }
            }
            if met.add(node) {
                sources.push((node, place));
            }
        }
        path.truncate(useful);
        if path.is_empty() {
            continue;
        }
        if limits.start.is_none() {
            path.drain(..first);
        }
        kept.push(path);
    }
    kept.reverse();
    kept
}
