//! What is drawn, and where it stands.

use std::collections::BTreeMap;

use crate::graph::NodeIndex;
use crate::render::layers::Layers;
use crate::render::palette::{Palette, UserSet};
use crate::render::svg::blocks::{Block, Way, blocks};
use crate::render::svg::caption::SiteName;
use crate::render::svg::lines::{Line, lines};
use crate::render::svg::menus::{Menu, menus};
use crate::site::EdgeKind;
use crate::site_index::SiteIndex;

/// How wide a node is.
pub(crate) const NODE_WIDTH: f64 = 210.0;
/// Up to so many nodes have two lines of text each.
const SPACIOUS: usize = 150;

/// More lines than so many for each node are too many to follow all of them.
const DENSE: usize = 3;

/// A rectangle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Rect {
    pub(crate) fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }

    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }
}

/// Where a stretch of a line begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// At a node.
    Node(NodeIndex),
    /// At the frame of a block.
    Frame(usize),
    /// Where a line passes a layer.
    Bend(usize),
}

/// Which way a stretch goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To the next layer.
    Forward,
    /// To the layer before.
    Back,
    /// Within a layer.
    Beside,
}

/// A line, or of a line that passes layers the part between two of them.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    pub(crate) from: End,
    pub(crate) to: End,
    pub(crate) direction: Direction,
    pub(crate) kind: EdgeKind,
    /// Of what leads the other way between the same two, where it is drawn as one with it.
    pub(crate) opposite: Option<EdgeKind>,
    pub(crate) users: UserSet,
    /// Whether it is on the shortest way from home to a node.
    pub(crate) on_way: bool,
    /// The lines that it is a part of, by their places.
    pub(crate) lines: Vec<usize>,
}

/// The place of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) x: f64,
    pub(crate) width: f64,
    /// Between it and the next.
    pub(crate) channel: f64,
}

/// The picture, placed.
pub(crate) struct Scene<'a> {
    pub(crate) index: &'a SiteIndex<'a>,
    pub(crate) palette: Palette,
    pub(crate) lines: Vec<Line<'a>>,
    /// Which of them are drawn.
    pub(crate) drawn: Vec<bool>,
    pub(crate) menus: Vec<Menu>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) stretches: Vec<Stretch>,
    pub(crate) columns: Vec<Column>,
    /// Whether the last column is of nodes that home does not lead to.
    pub(crate) has_unreached: bool,
    /// Whether there are so many lines that those that are not on a shortest way from home are drawn lightly.
    pub(crate) dense: bool,
    /// Whether nodes have two lines of text.
    pub(crate) spacious: bool,
    /// Whether the map says what was visited.
    pub(crate) knows_visits: bool,
    /// What the titles of most pages begin and end with: the site's name.
    pub(crate) site_name: SiteName,
    pub(crate) nodes: Vec<Rect>,
    pub(crate) frames: Vec<Rect>,
    /// The layer and the height of each bend.
    pub(crate) bends: Vec<(usize, f64)>,
    layer_of: Vec<usize>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(index: &'a SiteIndex<'a>) -> Self {
        let layers = Layers::of(index);
        let lines = lines(index);
        let (menus, drawn) = menus(&lines, &layers);
        let sets = index.site.nodes.iter().map(|node| &node.users);
        let palette = Palette::of(&index.site.users, sets.chain(lines.iter().map(|line| &line.users)));
        let ways: Vec<Way> = lines
            .iter()
            .enumerate()
            .filter(|&(place, line)| drawn[place] && line.from != line.to)
            .map(|(place, line)| Way {
                from: line.from,
                to: line.to,
                kind: line.kind,
                users: palette.set(&line.users),
                line: place,
            })
            .collect();
        let layered = layers.nodes();
        let mut layer_of = vec![0; index.len()];
        for (layer, nodes) in layered.iter().enumerate() {
            nodes.iter().for_each(|&node| layer_of[node] = layer);
        }
        let blocks = blocks(&layered, &ways);
        let mut scene = Self {
            index,
            palette,
            lines,
            drawn,
            menus,
            blocks,
            stretches: Vec::new(),
            columns: Vec::new(),
            has_unreached: !layers.reach_all(),
            dense: false,
            spacious: index.len() <= SPACIOUS,
            knows_visits: index.site.nodes.iter().any(|node| node.status.is_some()),
            site_name: SiteName::of(&index.site.nodes),
            nodes: vec![Rect::default(); index.len()],
            frames: Vec::new(),
            bends: Vec::new(),
            layer_of,
            width: 0.0,
            height: 0.0,
        };
        scene.route(&ways);
        for stretch in &mut scene.stretches {
            let is_on_way = |line: &Line<'_>| layers.before[line.to] == Some(line.from);
            stretch.on_way = stretch.direction == Direction::Forward
                && stretch.lines.iter().any(|&line| is_on_way(&scene.lines[line]));
        }
        scene.dense = scene.stretches.len() > DENSE * index.len();
        scene.arrange(layered.len());
        scene
    }

    /// How high a node is.
    pub(crate) fn node_height(&self) -> f64 {
        if self.spacious { 36.0 } else { 22.0 }
    }

    /// The stretches of all lines; lines that go back over layers to the same end are one from where they meet.
    fn route(&mut self, ways: &[Way]) {
        let mut block_of = vec![0; self.index.len()];
        for (place, block) in self.blocks.iter().enumerate() {
            block.nodes.iter().for_each(|&node| block_of[node] = place);
        }
        let mut stretches: BTreeMap<(End, End, EdgeKind, UserSet), Vec<usize>> = BTreeMap::new();
        let mut bends: BTreeMap<(End, EdgeKind, UserSet, usize), usize> = BTreeMap::new();
        for way in ways {
            let (from_block, to_block) = (block_of[way.from], block_of[way.to]);
            let mut from = match self.blocks[from_block].joins_leaving {
                true => End::Frame(from_block),
                false => End::Node(way.from),
            };
            let to = match self.blocks[to_block].joins_arriving {
                true => End::Frame(to_block),
                false => End::Node(way.to),
            };
            let (start, end) = (self.layer_of[way.from], self.layer_of[way.to]);
            for layer in (end + 1..start).rev() {
                let bend = *bends.entry((to, way.kind, way.users, layer)).or_insert_with(|| {
                    self.bends.push((layer, 0.0));
                    self.bends.len() - 1
                });
                let lines = stretches.entry((from, End::Bend(bend), way.kind, way.users)).or_default();
                lines.push(way.line);
                from = End::Bend(bend);
            }
            stretches.entry((from, to, way.kind, way.users)).or_default().push(way.line);
        }
        for ((from, to, kind, users), mut lines) in stretches {
            lines.dedup();
            let direction = match self.layer(from).cmp(&self.layer(to)) {
                std::cmp::Ordering::Less => Direction::Forward,
                std::cmp::Ordering::Equal => Direction::Beside,
                std::cmp::Ordering::Greater => Direction::Back,
            };
            self.stretches.push(Stretch {
                from,
                to,
                direction,
                kind,
                opposite: None,
                users,
                on_way: false,
                lines,
            });
        }
        self.join_opposites();
    }

    /// What leads to a node of the next layer and back is one line with a head at each end.
    fn join_opposites(&mut self) {
        let mut forward: BTreeMap<(End, End, UserSet), usize> = BTreeMap::new();
        for (place, stretch) in self.stretches.iter().enumerate() {
            if stretch.direction == Direction::Forward {
                forward.entry((stretch.from, stretch.to, stretch.users)).or_insert(place);
            }
        }
        let mut kept = vec![true; self.stretches.len()];
        for place in 0..self.stretches.len() {
            let Stretch { from, to, direction, kind, users, .. } = self.stretches[place];
            let Some(&there) = forward.get(&(to, from, users)) else { continue };
            if direction == Direction::Back && self.stretches[there].opposite.is_none() {
                kept[place] = false;
                self.stretches[there].opposite = Some(kind);
                let lines = std::mem::take(&mut self.stretches[place].lines);
                self.stretches[there].lines.extend(lines);
            }
        }
        let mut kept = kept.into_iter();
        self.stretches.retain(|_| kept.next() == Some(true));
    }

    pub(crate) fn layer(&self, end: End) -> usize {
        match end {
            End::Node(node) => self.layer_of[node],
            End::Frame(block) => self.blocks[block].layer,
            End::Bend(bend) => self.bends[bend].0,
        }
    }
}
