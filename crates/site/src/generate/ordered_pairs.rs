//! Sequences that cover every ordered pair of dynamic nodes (paper 5), in far fewer requests than the paper's heuristic.
//!
//! A sequence is made step by step: it goes where most pairs are covered for each request that it takes to get there. In a part
//! of the graph in which every node reaches every other, that comes to about two tours: the first meets every node, and the
//! second finds all of them met. Several ways to weigh what a node is worth are tried for each sequence, and the one that covers
//! most for each request is taken.

use super::criterion::Limits;
use super::pair_state::{Made, PairState};
use super::shorten::shorten;
use crate::graph::{Graph, NodeIndex};

/// What a node is worth, beside the pairs that a visit covers at once.
#[derive(Clone, Copy, Debug)]
struct Weights {
    /// Of each pair that a node begins, where it was not met yet.
    begun: f64,
    /// Where it goes at last.
    aim: Aim,
}

/// Where a sequence goes at last.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Aim {
    /// Wherever most is covered.
    Free,
    /// The same; but a part of the graph to which no way leads back is entered only when nothing is left to cover before.
    Inside,
    /// To the node that ends most pairs, after all nodes that begin one of those; then to the next such node.
    Target,
}

const FREE: &[Weights] = &[
    Weights { begun: 0.5, aim: Aim::Free },
    Weights { begun: 0.1, aim: Aim::Free },
    Weights { begun: 0.5, aim: Aim::Inside },
    Weights { begun: 1.0, aim: Aim::Inside },
    Weights { begun: 0.05, aim: Aim::Inside },
];
const TARGETED: &[Weights] = &[
    Weights { begun: 0.0, aim: Aim::Target },
    Weights { begun: 0.05, aim: Aim::Target },
    Weights { begun: 0.3, aim: Aim::Target },
];
/// Which of them are tried for each sequence. One choice is best where every node leads everywhere, another where there are many
/// ends; which, the number of requests shows.
const TRIED: [&[&[Weights]]; 3] = [&[FREE, TARGETED], &[FREE], &[TARGETED]];

/// How many steps along edges are looked at before less is tried: on a large graph, more would take longer than it saves.
const LOOKED_WITH_CARE: usize = 100_000_000;
/// How much further than the nearest node of any worth is looked.
const FURTHER: u32 = 2;
const FAR: u32 = u32::MAX;

pub(super) fn ordered_pairs(graph: &Graph, limits: Limits) -> Vec<Vec<NodeIndex>> {
    let all = PairState::new(graph, limits.start);
    let requests = |sequences: &Vec<Vec<NodeIndex>>| sequences.iter().map(Vec::len).sum::<usize>();
    let mut search = Search::new(graph.len());
    let mut best: Option<Vec<Vec<NodeIndex>>> = None;
    for tried in TRIED {
        if best.is_some() && search.looked > LOOKED_WITH_CARE {
            break;
        }
        let tried: Vec<Weights> = tried.iter().flat_map(|weights| weights.iter().copied()).collect();
        let made = shorten(graph, limits, cover(&mut search, all.clone(), limits, &tried));
        if best.as_ref().is_none_or(|best| requests(&made) < requests(best)) {
            best = Some(made);
        }
    }
    best.unwrap_or_default()
}

/// Sequences that cover all pairs: for each, the best of what is tried.
fn cover(
    search: &mut Search,
    mut state: PairState<'_>,
    limits: Limits,
    tried: &[Weights],
) -> Vec<Vec<NodeIndex>> {
    let mut sequences = Vec::new();
    // What was best for the sequence before.
    let mut winner = 0;
    while state.left > 0 {
        let mut best: Option<(Made, usize)> = None;
        for (number, &weights) in tried.iter().enumerate() {
            let careful = search.looked <= LOOKED_WITH_CARE;
            let challenger = sequences.len() % tried.len();
            if !careful && number != winner && number != challenger {
                continue;
            }
            let made = search.sequence(&mut state, limits, weights);
            state.undo(&made);
            if best.as_ref().is_none_or(|(best, _)| density(&made) > density(best)) {
                best = Some((made, number));
            }
        }
        match best.filter(|(best, _)| !best.covered.is_empty()) {
            Some((best, number)) => {
                state.redo(&best);
                sequences.push(best.path);
                winner = number;
            }
            // No pair that is left fits into a sequence: one gets as many requests as it needs.
            None => match beyond_limit(&mut state, limits) {
                Some(path) => sequences.push(path),
                None => break,
            },
        }
    }
    sequences
}

/// Pairs for each request.
fn density(made: &Made) -> f64 {
    made.covered.len() as f64 / made.path.len().max(1) as f64
}

/// The shortest sequence that covers a pair that is left.
fn beyond_limit(state: &mut PairState<'_>, limits: Limits) -> Option<Vec<NodeIndex>> {
    let graph = state.graph;
    let first = (0..graph.len()).find(|&node| state.begins[node] > 0)?;
    let last = state.pair_from(first)?;
    let start = limits.start.unwrap_or(first);
    let mut path = vec![start];
    path.extend(graph.shortest_path(start, first)?);
    let next = graph.successors(first).iter().filter_map(|&next| {
        let rest = graph.shortest_path(next, last)?;
        Some((rest.len(), next, rest))
    });
    let (_, next, rest) = next.min_by_key(|(length, ..)| *length)?;
    path.push(next);
    path.extend(rest);
    path.iter().for_each(|&node| state.visit(node));
    Some(state.finish().path)
}

/// Looks for where to go next; keeps its memory from one look to the next.
struct Search {
    /// Of each node, which look reached it last.
    reached: Vec<u32>,
    look: u32,
    depth: Vec<u32>,
    /// What the best shortest way to a node is worth.
    worth: Vec<f64>,
    before: Vec<NodeIndex>,
    queue: Vec<NodeIndex>,
    /// Where the sequence goes, and how many steps it is from each node there.
    target: Option<NodeIndex>,
    to_target: Vec<u32>,
    /// How many steps along edges were looked at.
    looked: usize,
}

impl Search {
    fn new(count: usize) -> Self {
        Self {
            reached: vec![0; count],
            look: 0,
            depth: vec![0; count],
            worth: vec![0.0; count],
            before: vec![0; count],
            queue: Vec::new(),
            target: None,
            to_target: vec![FAR; count],
            looked: 0,
        }
    }

    /// Makes one sequence.
    fn sequence(&mut self, state: &mut PairState<'_>, limits: Limits, weights: Weights) -> Made {
        let most = limits.longest.unwrap_or(usize::MAX);
        let targeted = weights.aim == Aim::Target;
        self.target = None;
        let start = limits.start.or_else(|| {
            let best = |score: &dyn Fn(NodeIndex) -> u32| {
                (0..state.graph.len()).max_by_key(|&node| (score(node), std::cmp::Reverse(node)))
            };
            let last = best(&|node| state.ends[node]).filter(|_| targeted);
            best(&|node| {
                last.map_or(state.begins[node], |last| {
                    if state.is_left(node, last) { state.begins[node] } else { 0 }
                })
            })
        });
        let Some(start) = start else { return state.finish() };
        state.visit(start);
        if targeted {
            self.aim(state, most);
        }
        loop {
            let left = most.saturating_sub(state.path.len());
            if let Some(way) = self.way(state, left, weights) {
                way.into_iter().for_each(|node| state.visit(node));
            } else if let Some(target) = self.target.take() {
                let here = state.path[state.path.len() - 1];
                let way = state.graph.shortest_path(here, target).unwrap_or_default();
                let before = state.left;
                way.into_iter().for_each(|node| state.visit(node));
                // A target whose pairs begin where this sequence cannot come: what is left here, others cover.
                if state.left < before {
                    self.aim(state, most);
                }
            } else {
                break;
            }
        }
        state.finish()
    }

    /// Chooses the next target: of the nodes that can be reached, the one that ends most pairs which can still be covered.
    fn aim(&mut self, state: &PairState<'_>, most: usize) {
        let Some(&from) = state.path.last() else { return };
        let left = most.saturating_sub(state.path.len());
        self.look += 1;
        self.queue.clear();
        self.queue.push(from);
        let mut at = 0;
        let mut best = None;
        while at < self.queue.len() {
            let node = self.queue[at];
            let depth = if at == 0 { 0 } else { self.depth[node] };
            at += 1;
            if depth as usize >= left {
                break;
            }
            self.looked += state.graph.successors(node).len();
            for &next in state.graph.successors(node) {
                if self.reached[next] != self.look {
                    self.reached[next] = self.look;
                    self.depth[next] = depth + 1;
                    self.queue.push(next);
                }
            }
        }
        for &node in self.queue.iter().skip(1) {
            // The node itself is no target: it is met.
            let value = if state.path.len() == 1 {
                state.ends[node]
            } else {
                state.gain[node] * 2 + state.ends[node].min(left as u32)
            };
            if node != from && state.ends[node] > 0 && best.is_none_or(|(most, _)| value > most) {
                best = Some((value, node));
            }
        }
        self.target = best.map(|(_, node)| node);
        let Some(target) = self.target else { return };
        self.to_target.fill(FAR);
        self.to_target[target] = 0;
        self.queue.clear();
        self.queue.push(target);
        let mut at = 0;
        while at < self.queue.len() {
            let node = self.queue[at];
            at += 1;
            self.looked += state.graph.predecessors(node).len();
            for &previous in state.graph.predecessors(node) {
                if self.to_target[previous] == FAR {
                    self.to_target[previous] = self.to_target[node] + 1;
                    self.queue.push(previous);
                }
            }
        }
    }

    /// The way to where most is covered for each request; none where nothing more can be covered in so many requests.
    fn way(&mut self, state: &PairState<'_>, left: usize, weights: Weights) -> Option<Vec<NodeIndex>> {
        let from = *state.path.last()?;
        let stays = weights.aim == Aim::Inside && state.inner[state.component[from]] > 0;
        let target = self.target;
        if weights.aim == Aim::Target && target.is_none() {
            return None;
        }
        let to_target = &self.to_target;
        // Whether the target can still be reached after so many steps to a node.
        let allowed = |node: NodeIndex, depth: u32| {
            target.is_none_or(|target| {
                node != target && to_target[node] != FAR && depth as usize + to_target[node] as usize <= left
            })
        };
        let worth = |node: NodeIndex| {
            let met = state.has_met(node);
            let begun = if met { 0.0 } else { f64::from(state.begins[node]).min(left as f64) };
            let for_target = target.is_some_and(|target| !met && state.is_left(node, target));
            f64::from(state.gain[node]) + begun * weights.begun + f64::from(u8::from(for_target))
        };
        self.look += 1;
        self.queue.clear();
        self.queue.push(from);
        let (mut at, mut best, mut deepest) = (0, None::<(f64, NodeIndex)>, u32::MAX);
        // The node that it begins from may be visited again: it is reached as any other then.
        while at < self.queue.len() {
            let node = self.queue[at];
            let depth = if at == 0 { 0 } else { self.depth[node] };
            let so_far = if at == 0 { 0.0 } else { self.worth[node] };
            at += 1;
            if depth >= deepest || depth as usize >= left {
                break;
            }
            self.looked += state.graph.successors(node).len();
            for &next in state.graph.successors(node) {
                if stays && state.component[next] != state.component[from] || !allowed(next, depth + 1) {
                    continue;
                }
                if self.reached[next] == self.look {
                    if self.depth[next] == depth + 1 {
                        let through = so_far + worth(next);
                        if through > self.worth[next] {
                            self.worth[next] = through;
                            self.before[next] = node;
                        }
                    }
                } else {
                    self.reached[next] = self.look;
                    self.depth[next] = depth + 1;
                    self.worth[next] = so_far + worth(next);
                    self.before[next] = node;
                    self.queue.push(next);
                }
            }
            if at == self.queue.len() || self.depth[self.queue[at]] > depth {
                // All of this depth are final.
                for &reached in &self.queue[at..] {
                    let value = self.worth[reached];
                    if value > 0.0 {
                        let each = value / f64::from(depth + 1);
                        if best.is_none_or(|(most, _)| each > most) {
                            best = Some((each, reached));
                        }
                        deepest = deepest.min(depth + 1 + FURTHER);
                    }
                }
            }
        }
        let (_, target) = best?;
        let mut way = vec![target];
        let mut steps = self.depth[target];
        while steps > 1 {
            let last = way[way.len() - 1];
            way.push(self.before[last]);
            steps -= 1;
        }
        way.reverse();
        Some(way)
    }
}
