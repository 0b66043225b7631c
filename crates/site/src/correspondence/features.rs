//! What is known of each node of two maps, as bags of features, and how telling each feature is.
//!
//! A feature that one node has tells everything, one that all nodes have tells nothing: the site's name in every title, the link to the
//! start page on every page.

use std::collections::{BTreeSet, HashMap};

use crate::correspondence::evidence::{BAGS, Evidence};
use crate::correspondence::words::{normal, words};
use crate::graph::NodeIndex;
use crate::site::NodeKind;
use crate::site_index::SiteIndex;

/// Of no more edges to or from a node is a feature made.
const EDGES: usize = 64;

/// The number of a feature.
pub(crate) type Feature = u32;

/// The old map or the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Old = 0,
    New = 1,
}

/// The neighbours of a node, each with the text that joins them.
#[derive(Default)]
struct Around {
    arriving: Vec<(NodeIndex, String)>,
    leaving: Vec<(NodeIndex, String)>,
    /// Each page that leads to it, with the texts of the links before and after the one that does.
    beside: Vec<(NodeIndex, Option<String>, Option<String>)>,
}

/// The bags of all nodes of both maps.
pub(crate) struct Features<'a> {
    pub(crate) sites: [&'a SiteIndex<'a>; 2],
    numbers: HashMap<(Evidence, String), Feature>,
    /// Of each side, node and evidence: the features, sorted.
    bags: [Vec<[Vec<Feature>; BAGS.len()]>; 2],
    /// How many nodes of each side have a feature.
    counts: Vec<[u32; 2]>,
    around: [Vec<Around>; 2],
}

impl<'a> Features<'a> {
    pub(crate) fn of(old: &'a SiteIndex<'a>, new: &'a SiteIndex<'a>) -> Self {
        let mut features = Self {
            sites: [old, new],
            numbers: HashMap::new(),
            bags: [old, new].map(|index| vec![Default::default(); index.len()]),
            counts: Vec::new(),
            around: [old, new].map(around),
        };
        for side in [Side::Old, Side::New] {
            let index = features.sites[side as usize];
            for node in 0..index.len() {
                for (evidence, texts) in content(index, node) {
                    features.set(side, node, evidence, texts);
                }
                let around = &features.around[side as usize][node];
                let labels = |edges: &[(NodeIndex, String)]| {
                    let labels = edges.iter().map(|(_, label)| label).filter(|label| !label.is_empty());
                    let labels: BTreeSet<&String> = labels.collect();
                    labels.into_iter().take(EDGES).cloned().collect()
                };
                let (to, from) = (labels(&around.arriving), labels(&around.leaving));
                features.set(side, node, Evidence::Labels, to);
                features.set(side, node, Evidence::OwnLabels, from);
            }
        }
        features
    }

    /// Takes in which nodes are the same, as far as that is known: who leads to a node, and where it leads, become features.
    pub(crate) fn set_neighbours(&mut self, partner: &[Option<NodeIndex>]) {
        let mut is_known = vec![false; self.sites[1].len()];
        partner.iter().flatten().for_each(|&new| is_known[new] = true);
        for side in [Side::Old, Side::New] {
            // A neighbour is called by its number in the new map.
            let name = |node: NodeIndex| match side {
                Side::Old => partner[node],
                Side::New => is_known[node].then_some(node),
            };
            for node in 0..self.sites[side as usize].len() {
                let around = &self.around[side as usize][node];
                let sources = neighbours(&around.arriving, name);
                let targets = neighbours(&around.leaving, name);
                let mut siblings: Vec<String> = Vec::new();
                for (from, before, after) in &around.beside {
                    if let Some(from) = name(*from) {
                        siblings.extend(before.iter().map(|label| format!("{from} < {label}")));
                        siblings.extend(after.iter().map(|label| format!("{from} > {label}")));
                    }
                }
                self.set(side, node, Evidence::Sources, sources);
                self.set(side, node, Evidence::Targets, targets);
                self.set(side, node, Evidence::Siblings, siblings);
            }
        }
    }

    fn set(&mut self, side: Side, node: NodeIndex, evidence: Evidence, texts: Vec<String>) {
        let mut bag: Vec<Feature> = texts
            .into_iter()
            .map(|text| {
                let next = self.counts.len() as Feature;
                *self.numbers.entry((evidence, text)).or_insert_with(|| {
                    self.counts.push([0, 0]);
                    next
                })
            })
            .collect();
        bag.sort_unstable();
        bag.dedup();
        bag.iter().for_each(|&feature| self.counts[feature as usize][side as usize] += 1);
        let place = bag_place(evidence);
        let former = std::mem::replace(&mut self.bags[side as usize][node][place], bag);
        former.iter().for_each(|&feature| self.counts[feature as usize][side as usize] -= 1);
    }

    pub(crate) fn bag(&self, side: Side, node: NodeIndex, evidence: Evidence) -> &[Feature] {
        &self.bags[side as usize][node][bag_place(evidence)]
    }

    /// How telling a feature is: 1 where one node of a side has it, 0 where all have.
    pub(crate) fn telling(&self, feature: Feature) -> f64 {
        let counts = self.counts[feature as usize];
        let all = self.sites[0].len().max(self.sites[1].len());
        1.0 - f64::from(counts[0].max(counts[1]).max(1)).ln() / ((all + 1) as f64).ln()
    }

    /// How telling the name of a field is.
    pub(crate) fn telling_field(&self, name: &str) -> f64 {
        self.numbers.get(&(Evidence::Fields, name.to_owned())).map_or(1.0, |&feature| self.telling(feature))
    }

    /// How many nodes of the new map have a feature.
    pub(crate) fn in_new(&self, feature: Feature) -> usize {
        self.counts[feature as usize][Side::New as usize] as usize
    }

    /// How many features there are.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// How much of what is known of two nodes agrees, and how telling it is; none where nothing is known of one of them.
    pub(crate) fn likeness(&self, evidence: Evidence, old: NodeIndex, new: NodeIndex) -> Option<(f64, f64)> {
        let (a, b) = (self.bag(Side::Old, old, evidence), self.bag(Side::New, new, evidence));
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let mass = |bag: &[Feature]| bag.iter().map(|&feature| self.telling(feature)).sum::<f64>();
        let (mut both, mut rest) = (0.0, b);
        for &feature in a {
            let at = rest.partition_point(|&other| other < feature);
            rest = &rest[at..];
            if rest.first() == Some(&feature) {
                both += self.telling(feature);
            }
        }
        let sum = mass(a) + mass(b);
        (sum > 0.0).then(|| (2.0 * both / sum, sum / 2.0))
    }
}

fn bag_place(evidence: Evidence) -> usize {
    BAGS.iter().position(|&bag| bag == evidence).unwrap_or_default()
}

/// What a node says about itself.
fn content(index: &SiteIndex<'_>, place: NodeIndex) -> [(Evidence, Vec<String>); 5] {
    let node = &index.site.nodes[place];
    let key = if node.key.is_empty() { &node.id } else { &node.key };
    let path = key.split_once(' ').map_or(key.as_str(), |(_, path)| path);
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    // A form's key has its fields' names. A parameter with a value says which page it is.
    let is_form = node.kind == NodeKind::Form;
    let parameters =
        query.split('&').filter(|part| !part.is_empty() && !is_form).map(str::to_owned).collect();
    let mut of_path = words(path);
    of_path.extend(query.split('&').filter(|part| part.contains('=')).map(str::to_owned));
    [
        (Evidence::Title, words(&node.title)),
        (Evidence::Headings, words(&node.headings.join(" "))),
        (Evidence::Fields, node.fields.iter().map(|field| field.name.clone()).collect()),
        (Evidence::Path, of_path),
        (Evidence::Parameters, parameters),
    ]
}

/// The neighbours of a node that are known, and by which text they are joined with it.
fn neighbours(edges: &[(NodeIndex, String)], name: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Vec<String> {
    let mut known: Vec<(NodeIndex, &String)> =
        edges.iter().filter_map(|(node, label)| Some((name(*node)?, label))).collect();
    known.sort_unstable();
    known.dedup();
    known.truncate(EDGES);
    let mut features: Vec<String> = known.iter().map(|(node, _)| node.to_string()).collect();
    features.extend(known.into_iter().map(|(node, label)| format!("{node} {label}")));
    features
}

fn around(index: &SiteIndex<'_>) -> Vec<Around> {
    let mut around: Vec<Around> = Vec::new();
    around.resize_with(index.len(), Around::default);
    for from in 0..index.len() {
        let leaving: Vec<(NodeIndex, String)> =
            index.leaving(from).map(|(to, edge)| (to, normal(&edge.label))).collect();
        for (place, (to, label)) in leaving.iter().enumerate() {
            let text = |at: Option<usize>| {
                at.and_then(|at| leaving.get(at))
                    .map(|(_, label)| label.clone())
                    .filter(|label| !label.is_empty())
            };
            let of_target = &mut around[*to];
            of_target.arriving.push((from, label.clone()));
            if of_target.beside.len() < EDGES {
                of_target.beside.push((from, text(place.checked_sub(1)), text(Some(place + 1))));
            }
        }
        around[from].leaving = leaving;
    }
    around
}
