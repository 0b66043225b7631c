//! Pairs of nodes that are worth a look: those that share something telling, so that not every node is compared with every other.

use crate::correspondence::evidence::{BAGS, Evidence};
use crate::correspondence::features::{Features, Side};
use crate::graph::NodeIndex;

/// A feature that more new nodes have leads to no candidates.
const COMMON: usize = 48;
/// So many candidates of each old node are looked at.
const LOOKED_AT: usize = 12;

/// The candidates of every old node: the new node of the same id, and those that share most.
pub(crate) fn candidates(features: &Features<'_>) -> Vec<Vec<NodeIndex>> {
    let [old, new] = features.sites;
    let mut having: Vec<Vec<NodeIndex>> = vec![Vec::new(); features.len()];
    for node in 0..new.len() {
        for feature in BAGS.iter().flat_map(|&evidence| features.bag(Side::New, node, evidence)) {
            if features.in_new(*feature) <= COMMON {
                having[*feature as usize].push(node);
            }
        }
    }
    let mut votes = vec![0.0; new.len()];
    (0..old.len())
        .map(|node| {
            let mut touched: Vec<NodeIndex> = Vec::new();
            for &evidence in &BAGS {
                let weight = worth(evidence);
                for &feature in features.bag(Side::Old, node, evidence) {
                    let vote = weight * features.telling(feature);
                    for &other in &having[feature as usize] {
                        if votes[other] == 0.0 {
                            touched.push(other);
                        }
                        votes[other] += vote;
                    }
                }
            }
            touched.sort_by(|&a, &b| votes[b].total_cmp(&votes[a]).then(a.cmp(&b)));
            touched.dedup();
            touched.iter().for_each(|&other| votes[other] = 0.0);
            touched.truncate(LOOKED_AT);
            if let Some(same) = new.place(old.id(node))
                && !touched.contains(&same)
            {
                touched.push(same);
            }
            touched
        })
        .collect()
}

/// What one shared feature is worth: of a bag of few, more.
fn worth(evidence: Evidence) -> f64 {
    let weight = evidence.weight();
    weight.agrees / weight.full
}
