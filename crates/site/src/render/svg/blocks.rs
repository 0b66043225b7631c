//! Blocks: nodes that are placed, and led to, as one.
//!
//! Nodes of a layer that exactly the same pages lead to in the same manner stand in one frame, and one line leads to the frame. Where they
//! also lead to the same nodes, one line leaves the frame, and they may stand in several columns.

use std::collections::BTreeMap;

use crate::graph::NodeIndex;
use crate::render::palette::UserSet;
use crate::site::EdgeKind;

/// Fewer nodes are no block: a frame would cost more than the lines that it saves.
const FEWEST: usize = 3;
/// A frame of more rows gets another column.
const ROWS: usize = 10;
/// A frame has no more columns.
const COLUMNS: usize = 4;

/// A line between two nodes, for what is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) from: NodeIndex,
    pub(crate) to: NodeIndex,
    pub(crate) kind: EdgeKind,
    pub(crate) users: UserSet,
    /// Its place among the lines.
    pub(crate) line: usize,
}

/// One node, or several in a frame.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) layer: usize,
    pub(crate) nodes: Vec<NodeIndex>,
    pub(crate) columns: usize,
    /// Whether lines lead to the frame, not to each node.
    pub(crate) joins_arriving: bool,
    /// Whether lines leave from the frame, not from each node.
    pub(crate) joins_leaving: bool,
}

impl Block {
    pub(crate) fn rows(&self) -> usize {
        self.nodes.len().div_ceil(self.columns)
    }

    pub(crate) fn is_framed(&self) -> bool {
        self.joins_arriving
    }
}

/// A block for each node of a layer, or for several.
pub(crate) fn blocks(layers: &[Vec<NodeIndex>], ways: &[Way]) -> Vec<Block> {
    let count = layers.iter().map(Vec::len).sum();
    let mut arriving: Vec<Vec<(NodeIndex, EdgeKind, UserSet)>> = vec![Vec::new(); count];
    let mut leaving: Vec<Vec<(NodeIndex, EdgeKind, UserSet)>> = vec![Vec::new(); count];
    for way in ways {
        arriving[way.to].push((way.from, way.kind, way.users));
        leaving[way.from].push((way.to, way.kind, way.users));
    }
    arriving.iter_mut().chain(&mut leaving).for_each(|list| list.sort_unstable());
    let mut blocks = Vec::new();
    for (layer, nodes) in layers.iter().enumerate() {
        let mut alike: BTreeMap<_, Vec<NodeIndex>> = BTreeMap::new();
        for &node in nodes {
            alike.entry((&arriving[node], &leaving[node])).or_default().push(node);
        }
        let mut same_arriving: BTreeMap<_, Vec<NodeIndex>> = BTreeMap::new();
        for ((arriving, _), nodes) in alike {
            if nodes.len() >= FEWEST {
                let columns = nodes.len().div_ceil(ROWS).min(COLUMNS);
                blocks.push(Block { layer, nodes, columns, joins_arriving: true, joins_leaving: true });
            } else {
                same_arriving.entry(arriving).or_default().extend(nodes);
            }
        }
        for (arriving, nodes) in same_arriving {
            if nodes.len() >= FEWEST && !arriving.is_empty() {
                blocks.push(Block { layer, nodes, columns: 1, joins_arriving: true, joins_leaving: false });
            } else {
                let single = |node| Block {
                    layer,
                    nodes: vec![node],
                    columns: 1,
                    joins_arriving: false,
                    joins_leaving: false,
                };
                blocks.extend(nodes.into_iter().map(single));
            }
        }
    }
    blocks
}
