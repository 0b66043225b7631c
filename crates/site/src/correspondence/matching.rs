//! The pairs that are taken: the best first, as long as nothing else is as good.

use std::collections::HashMap;

use crate::correspondence::candidates::candidates;
use crate::correspondence::evidence::{BAGS, Evidence, OTHER_KIND, OTHER_METHOD, Reason, UNKNOWN};
use crate::correspondence::features::Features;
use crate::correspondence::fields::{FieldPair, pair_fields};
use crate::correspondence::found::{Correspondence, FieldMatch, NodeMatch};
use crate::graph::NodeIndex;
use crate::site::{NodeKind, Site, SiteNode};
use crate::site_index::SiteIndex;

/// So sure must be what is known before any neighbour is, and what is known at last.
const SURE: f64 = 0.8;
const ACCEPTED: f64 = 0.6;
/// What is known of nodes is taken to their neighbours so often, as long as it changes anything.
const ROUNDS: usize = 6;
/// More certain than this is certain: beyond, numbers only overflow.
const CERTAIN: f64 = 30.0;

/// A pair that is worth a look, with its odds.
#[derive(Clone, Copy, Debug)]
struct Pair {
    old: NodeIndex,
    new: NodeIndex,
    odds: f64,
}

/// Which nodes of a newer map are those of an older one, though they were renamed, moved or changed, and which field of a form became which.
///
/// Nodes are known by their ids, by what they say (titles, headings, fields), by their neighbours (who leads to them with which text, where
/// they lead) and by their places (paths, the links beside them); what many nodes have in common counts little. The same maps give the
/// same correspondence.
pub fn correspondence(old: &Site, new: &Site) -> Correspondence {
    let (old, new) = (SiteIndex::of(old), SiteIndex::of(new));
    let mut matcher =
        Matcher { features: Features::of(&old, &new), fields: HashMap::new(), sites: [&old, &new] };
    let mut taken: Vec<Option<(NodeIndex, f64)>> = vec![None; old.len()];
    for round in 0..ROUNDS {
        let pairs = matcher.pairs();
        let next = take(&pairs, (old.len(), new.len()), if round == 0 { SURE } else { ACCEPTED });
        let partners = |taken: &[Option<(NodeIndex, f64)>]| -> Vec<Option<NodeIndex>> {
            taken.iter().map(|pair| pair.map(|(new, _)| new)).collect()
        };
        let is_settled = round > 1 && partners(&next) == partners(&taken);
        taken = next;
        if is_settled {
            break;
        }
        matcher.features.set_neighbours(&partners(&taken));
    }
    let is_first = |place: &NodeIndex| old.place(old.id(*place)) == Some(*place);
    let nodes = (0..old.len()).filter(is_first).map(|place| matcher.found(place, taken[place])).collect();
    Correspondence::new(nodes)
}

struct Matcher<'a> {
    features: Features<'a>,
    /// Of two forms, how alike their fields are, and how telling that is.
    fields: HashMap<(NodeIndex, NodeIndex), (f64, f64)>,
    sites: [&'a SiteIndex<'a>; 2],
}

impl Matcher<'_> {
    /// Every pair that is worth a look, with its odds.
    fn pairs(&mut self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (old, found) in candidates(&self.features).into_iter().enumerate() {
            if self.sites[0].place(self.sites[0].id(old)) != Some(old) {
                continue;
            }
            for new in found {
                if self.sites[1].place(self.sites[1].id(new)) == Some(new) {
                    let odds = self.evidence(old, new).iter().map(|(odds, _)| odds).sum::<f64>()
                        + self.prior(old, new);
                    pairs.push(Pair { old, new, odds: odds.clamp(-CERTAIN, CERTAIN) });
                }
            }
        }
        pairs
    }

    /// What is known of two nodes before they are looked at.
    fn prior(&self, old: NodeIndex, new: NodeIndex) -> f64 {
        let (a, b) = self.nodes(old, new);
        // A link that changed something is a button now: what a form at the same path, with nothing to fill in, is.
        let is_button = a.kind != b.kind && path(a) == path(b) && (is_bare(a) || is_bare(b));
        let kind = if a.kind == b.kind || is_button { 0.0 } else { OTHER_KIND };
        let method = if method(a) == method(b) || is_button { 0.0 } else { OTHER_METHOD };
        UNKNOWN + kind + method
    }

    fn nodes(&self, old: NodeIndex, new: NodeIndex) -> (&SiteNode, &SiteNode) {
        (&self.sites[0].site.nodes[old], &self.sites[1].site.nodes[new])
    }

    /// What speaks for and against two nodes being the same.
    fn evidence(&mut self, old: NodeIndex, new: NodeIndex) -> Vec<(f64, Reason)> {
        let mut found = Vec::new();
        let mut add = |evidence: Evidence, (likeness, mass): (f64, f64)| {
            found.push((evidence.odds(likeness, mass), Reason { evidence, likeness }));
        };
        if self.sites[0].id(old) == self.sites[1].id(new) {
            add(Evidence::Id, (1.0, 1.0));
        }
        let is_home = (self.sites[0].home() == Some(old), self.sites[1].home() == Some(new));
        if is_home.0 || is_home.1 {
            add(Evidence::Home, (if is_home == (true, true) { 1.0 } else { 0.0 }, 1.0));
        }
        for evidence in BAGS {
            match evidence {
                Evidence::Fields => self.field_likeness(old, new),
                _ => self.features.likeness(evidence, old, new),
            }
            .into_iter()
            .for_each(|likeness| add(evidence, likeness));
        }
        found
    }

    /// How alike the fields of two forms are, by how telling their names are; none where none has any.
    fn field_likeness(&mut self, old: NodeIndex, new: NodeIndex) -> Option<(f64, f64)> {
        let (a, b) = self.nodes(old, new);
        if a.kind != NodeKind::Form || b.kind != NodeKind::Form || a.fields.is_empty() && b.fields.is_empty()
        {
            return None;
        }
        if let Some(known) = self.fields.get(&(old, new)) {
            return Some(*known);
        }
        // A field of any form says something: that it is there.
        let worth = |name: &str| self.features.telling_field(name).max(0.15);
        let sum: f64 = a.fields.iter().chain(&b.fields).map(|field| worth(&field.name)).sum();
        let shared = |pair: &FieldPair| {
            let (of_a, of_b) = (&a.fields[pair.old].name, &b.fields[pair.new].name);
            let sure = if of_a == of_b { pair.confidence } else { pair.confidence * 0.7 };
            sure * (worth(of_a) + worth(of_b))
        };
        let both: f64 = pair_fields(&a.fields, &b.fields).iter().map(shared).sum();
        let likeness = (both / sum, sum / 2.0);
        self.fields.insert((old, new), likeness);
        Some(likeness)
    }

    /// What became of an old node.
    fn found(&mut self, old: NodeIndex, taken: Option<(NodeIndex, f64)>) -> NodeMatch {
        let id = self.sites[0].id(old).to_owned();
        let Some((new, confidence)) = taken else {
            let fields = self.nodes_fields(old, None);
            return NodeMatch { old: id, new: None, confidence: 0.0, reasons: Vec::new(), fields };
        };
        let mut evidence = self.evidence(old, new);
        evidence.retain(|(odds, _)| *odds > 0.1);
        evidence.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.evidence.cmp(&b.1.evidence)));
        let reasons = evidence
            .into_iter()
            .map(|(_, reason)| Reason { likeness: rounded(reason.likeness), ..reason })
            .collect();
        NodeMatch {
            old: id,
            new: Some(self.sites[1].id(new).to_owned()),
            confidence: rounded(confidence),
            reasons,
            fields: self.nodes_fields(old, Some(new)),
        }
    }

    fn nodes_fields(&self, old: NodeIndex, new: Option<NodeIndex>) -> Vec<FieldMatch> {
        let old = &self.sites[0].site.nodes[old].fields;
        let new = new.map_or(&[][..], |new| &self.sites[1].site.nodes[new].fields);
        let mut pairs = pair_fields(old, new).into_iter().peekable();
        old.iter()
            .enumerate()
            .map(|(place, field)| match pairs.next_if(|pair| pair.old == place) {
                Some(pair) => FieldMatch {
                    old: field.name.clone(),
                    new: Some(new[pair.new].name.clone()),
                    confidence: rounded(pair.confidence),
                    reasons: pair.reasons,
                },
                None => {
                    FieldMatch { old: field.name.clone(), new: None, confidence: 0.0, reasons: Vec::new() }
                }
            })
            .collect()
    }
}

/// Takes pairs one to one, those with the best odds first. A pair is taken where it is sure enough beside all others that its two nodes
/// could be in; what is taken leaves fewer of those, so that more can be.
fn take(pairs: &[Pair], (old, new): (usize, usize), sure: f64) -> Vec<Option<(NodeIndex, f64)>> {
    let mut order: Vec<&Pair> = pairs.iter().collect();
    order.sort_by(|a, b| b.odds.total_cmp(&a.odds).then((a.old, a.new).cmp(&(b.old, b.new))));
    let (mut of_old, mut of_new): (Vec<Vec<&Pair>>, Vec<Vec<&Pair>>) =
        (vec![Vec::new(); old], vec![Vec::new(); new]);
    for &pair in &order {
        of_old[pair.old].push(pair);
        of_new[pair.new].push(pair);
    }
    let (mut taken, mut is_taken) = (vec![None; old], vec![false; new]);
    loop {
        let mut any = false;
        for &pair in &order {
            if taken[pair.old].is_some() || is_taken[pair.new] {
                continue;
            }
            let is_free = |other: &&&Pair| taken[other.old].is_none() && !is_taken[other.new];
            let others = of_old[pair.old].iter().chain(&of_new[pair.new]).filter(is_free);
            // The pair itself is in both lists.
            let all = others.map(|other| (other.odds - pair.odds).exp()).sum::<f64>() - 1.0;
            let confidence = 1.0 / (all + (-pair.odds).exp());
            if confidence >= sure {
                taken[pair.old] = Some((pair.new, confidence));
                is_taken[pair.new] = true;
                any = true;
            }
        }
        if !any {
            return taken;
        }
    }
}

/// The method of a node's request, where its key tells.
fn method(node: &SiteNode) -> &str {
    let key = if node.key.is_empty() { &node.id } else { &node.key };
    key.split_once(' ').map_or("", |(method, _)| method)
}

/// The path of a node's request.
fn path(node: &SiteNode) -> &str {
    let key = if node.key.is_empty() { &node.id } else { &node.key };
    let address = key.split_once(' ').map_or(key.as_str(), |(_, address)| address);
    address.split_once('?').map_or(address, |(path, _)| path)
}

/// Whether a node is a form with nothing to fill in.
fn is_bare(node: &SiteNode) -> bool {
    node.kind == NodeKind::Form
        && node.fields.iter().all(|field| matches!(field.control.as_str(), "hidden" | "submit"))
}

/// Three digits: more say nothing.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
