//! The scene, placed: layers as columns, the order in them, and the room between them.

use crate::graph::NodeIndex;
use crate::render::svg::blocks::Block;
use crate::render::svg::ordering::Layering;
use crate::render::svg::placement::{Extent, Tie, place};
use crate::render::svg::scene::{Column, Direction, End, NODE_WIDTH, Rect, Scene, Stretch};

/// Between nodes of a frame.
const FRAME_GAP: f64 = 5.0;
/// Between a frame and its nodes.
const FRAME_PADDING: f64 = 6.0;
/// How high a line that passes a layer is.
const BEND_HEIGHT: f64 = 3.0;
/// A picture that is higher does not fit on a screen.
const SCREEN: f64 = 800.0;
/// The narrowest and the widest channel between two layers.
const CHANNELS: (f64, f64) = (90.0, 340.0);

impl Scene<'_> {
    /// Orders the layers, and gives everything its place.
    pub(crate) fn arrange(&mut self, layers: usize) {
        let mut block_of = vec![0; self.index.len()];
        for (place, block) in self.blocks.iter().enumerate() {
            block.nodes.iter().for_each(|&node| block_of[node] = place);
        }
        let blocks = self.blocks.len();
        let vertex = |end: End| match end {
            End::Node(node) => block_of[node],
            End::Frame(block) => block,
            End::Bend(bend) => blocks + bend,
        };
        // Each stretch between two layers, its left end first.
        let joined: Vec<(End, End)> = self
            .stretches
            .iter()
            .filter_map(|stretch| match stretch.direction {
                Direction::Forward => Some((stretch.from, stretch.to)),
                Direction::Back => Some((stretch.to, stretch.from)),
                Direction::Beside => None,
            })
            .collect();
        let mut vertices = vec![Vec::new(); layers];
        for (place, block) in self.blocks.iter().enumerate() {
            vertices[block.layer].push(place);
        }
        for (place, &(layer, _)) in self.bends.iter().enumerate() {
            vertices[layer].push(blocks + place);
        }
        let pairs: Vec<(usize, usize)> =
            joined.iter().map(|&(left, right)| (vertex(left), vertex(right))).collect();
        let mut layering = Layering::new(vertices, &pairs);
        layering.order();
        self.order_blocks(&layering, &joined, vertex);
        let extents: Vec<Extent> = self.extents();
        let offsets = self.offsets();
        let tie = |end: End| match end {
            End::Node(node) => (vertex(end), offsets[node]),
            _ => (vertex(end), 0.0),
        };
        let ties: Vec<Tie> =
            joined.iter().map(|&(left, right)| Tie { left: tie(left), right: tie(right) }).collect();
        let (mut middles, height) = place(&layering.layers, &extents, &ties);
        // Of a picture that is higher than a screen one sees the top first: there the reader finds where to begin.
        if let Some([home]) = layering.layers.first().map(Vec::as_slice)
            && height > SCREEN
        {
            middles[*home] = extents[*home].height / 2.0;
        }
        self.height = height;
        self.set_places(&middles, &extents, layers);
    }

    /// The nodes of a frame, each near to where it leads.
    fn order_blocks(&mut self, layering: &Layering, joined: &[(End, End)], vertex: impl Fn(End) -> usize) {
        let places = layering.places();
        let mut sums = vec![(0.0, 0_usize); self.index.len()];
        for &(left, right) in joined {
            if let End::Node(node) = left {
                sums[node].0 += places[vertex(right)] as f64;
                sums[node].1 += 1;
            }
        }
        let index = self.index;
        for block in &mut self.blocks {
            let key = |node: NodeIndex| match sums[node] {
                (_, 0) => f64::INFINITY,
                (sum, count) => sum / count as f64,
            };
            block
                .nodes
                .sort_by(|&a, &b| key(a).total_cmp(&key(b)).then_with(|| index.id(a).cmp(index.id(b))));
        }
    }

    fn extents(&self) -> Vec<Extent> {
        let row = self.node_height() + FRAME_GAP;
        let block = |block: &Block| {
            let padding = if block.is_framed() { 2.0 * FRAME_PADDING } else { 0.0 };
            Extent { height: block.rows() as f64 * row - FRAME_GAP + padding, gap: 9.0, weight: 1.0 }
        };
        let bend = Extent { height: BEND_HEIGHT, gap: 3.0, weight: 4.0 };
        self.blocks.iter().map(block).chain(std::iter::repeat_n(bend, self.bends.len())).collect()
    }

    /// How far below the middle of its block each node's middle is.
    fn offsets(&self) -> Vec<f64> {
        let row = self.node_height() + FRAME_GAP;
        let mut offsets = vec![0.0; self.index.len()];
        for block in &self.blocks {
            let rows = block.rows();
            for (place, &node) in block.nodes.iter().enumerate() {
                offsets[node] = ((place % rows) as f64 - (rows as f64 - 1.0) / 2.0) * row;
            }
        }
        offsets
    }

    fn set_places(&mut self, middles: &[f64], extents: &[Extent], layers: usize) {
        let block_width = |block: &Block| {
            let padding = if block.is_framed() { 2.0 * FRAME_PADDING } else { 0.0 };
            block.columns as f64 * (NODE_WIDTH + FRAME_GAP) - FRAME_GAP + padding
        };
        self.columns = vec![Column { x: 0.0, width: NODE_WIDTH, channel: CHANNELS.0 }; layers];
        for block in &self.blocks {
            let column = &mut self.columns[block.layer];
            column.width = column.width.max(block_width(block));
        }
        let blocks = self.blocks.len();
        for (bend, place) in self.bends.iter_mut().enumerate() {
            place.1 = middles[blocks + bend];
        }
        let offsets = self.offsets();
        for (place, block) in self.blocks.iter().enumerate() {
            for &node in &block.nodes {
                self.nodes[node].y = middles[place] + offsets[node] - self.node_height() / 2.0;
                self.nodes[node].height = self.node_height();
                self.nodes[node].width = NODE_WIDTH;
            }
            let height = extents[place].height;
            self.frames.push(Rect {
                x: 0.0,
                y: middles[place] - height / 2.0,
                width: block_width(block),
                height,
            });
        }
        self.set_channels();
        let mut x = 0.0;
        for column in &mut self.columns {
            column.x = x;
            x += column.width + column.channel;
        }
        // Lines within the last layer need its channel, too.
        let last = layers.saturating_sub(1);
        let beside =
            |stretch: &Stretch| stretch.direction == Direction::Beside && self.layer(stretch.from) == last;
        let after = if self.stretches.iter().any(beside) { self.columns[last].channel } else { 0.0 };
        self.width = self.columns.last().map_or(0.0, |last| last.x + last.width + after);
        for (place, block) in self.blocks.iter().enumerate() {
            let (x, padding) =
                (self.columns[block.layer].x, if block.is_framed() { FRAME_PADDING } else { 0.0 });
            self.frames[place].x = x;
            for (at, &node) in block.nodes.iter().enumerate() {
                self.nodes[node].x = x + padding + (at / block.rows()) as f64 * (NODE_WIDTH + FRAME_GAP);
            }
        }
    }

    /// The more lines a channel has, and the further they go, the wider it is.
    fn set_channels(&mut self) {
        let mut loads = vec![(0_usize, 0.0); self.columns.len()];
        for stretch in &self.stretches {
            let left = self.layer(stretch.from).min(self.layer(stretch.to));
            loads[left].0 += 1;
            loads[left].1 += (self.port(stretch.from, 0.0).1 - self.port(stretch.to, 0.0).1).abs();
        }
        for (column, (count, climb)) in self.columns.iter_mut().zip(loads) {
            let mean = climb / count.max(1) as f64;
            let wanted = CHANNELS.0 + 0.7 * count as f64 + 0.1 * mean;
            column.channel = wanted.min(CHANNELS.1);
        }
    }
}
