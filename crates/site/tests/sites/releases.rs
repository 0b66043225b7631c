//! The next release of an application, as a map, with what became of each node.

use std::collections::{BTreeMap, HashMap};

use fastrand::Rng;
use restage_site::{NodeKind, Site, SiteNode};

/// A release, and what became of each node of the one before it.
pub(crate) struct Release {
    pub(crate) site: Site,
    /// The new id of each old node; none where it is gone.
    pub(crate) became: BTreeMap<String, Option<String>>,
}

/// How many of a hundred nodes are changed in each way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) renamed: u8,
    pub(crate) retitled: u8,
    pub(crate) fields: u8,
    pub(crate) relabelled: u8,
    pub(crate) moved: u8,
    pub(crate) gone: u8,
    pub(crate) added: u8,
}

/// The next release of an application. Nodes and edges come in another order.
pub(crate) fn release(old: &Site, changes: Changes, seed: u64) -> Release {
    let mut random = Rng::with_seed(seed);
    let mut site = old.clone();
    let mut hit = |percent: u8| random.u8(..100) < percent;
    let mut ids: HashMap<String, Option<String>> = HashMap::new();
    let mut number = 0;
    for node in &mut site.nodes {
        let former = node.id.clone();
        if Some(&former) == old.home.as_ref() {
            ids.insert(former.clone(), Some(former));
            continue;
        }
        if hit(changes.gone) {
            ids.insert(former, None);
            continue;
        }
        number += 1;
        if hit(changes.renamed) {
            rename(node, number);
        }
        if hit(changes.retitled) {
            node.title = format!("Fresh words number{number} – Example Works");
            node.headings = vec![format!("Fresh words number{number}")];
        }
        if node.kind == NodeKind::Form && hit(changes.fields) {
            change_field(node, number);
        }
        ids.insert(former, Some(node.id.clone()));
    }
    // Ids that two changes made the same would be one node.
    let mut seen: HashMap<String, usize> = HashMap::new();
    for node in &site.nodes {
        *seen.entry(node.id.clone()).or_default() += 1;
    }
    ids.values_mut().for_each(|id| {
        if id.as_ref().is_some_and(|id| seen[id] > 1) {
            *id = None;
        }
    });
    let kept: Vec<SiteNode> = old
        .nodes
        .iter()
        .zip(site.nodes)
        .filter(|(former, _)| ids.get(&former.id).is_some_and(Option::is_some))
        .map(|(_, node)| node)
        .collect();
    site.nodes = kept;
    site.edges.retain_mut(|edge| match (&ids[&edge.from], &ids[&edge.to]) {
        (Some(from), Some(to)) => {
            (edge.from, edge.to) = (from.clone(), to.clone());
            true
        }
        _ => false,
    });
    for place in 0..site.edges.len() {
        if hit(changes.relabelled) && !site.edges[place].label.is_empty() {
            site.edges[place].label = format!("Go {place}");
        }
    }
    for node in site.nodes.clone().iter().filter(|node| node.kind == NodeKind::Form) {
        if hit(changes.moved) {
            let page = &site.nodes[(number * 7 + node.id.len()) % site.nodes.len()].id.clone();
            number += 1;
            site.edges.iter_mut().filter(|edge| edge.to == node.id).for_each(|edge| edge.from = page.clone());
        }
    }
    let added = old.nodes.len() * usize::from(changes.added) / 100;
    let other = super::web_like(seed + 1000, added.max(1) * 4);
    let news: Vec<SiteNode> = other.nodes.into_iter().rev().take(added).collect();
    for (place, mut node) in news.into_iter().enumerate() {
        node.id = format!("{} /fresh/{place}", node.id.split(' ').next().unwrap_or("GET"));
        node.key = node.id.clone();
        node.title = format!("Novelty item{place} – Example Works");
        node.headings = vec![format!("Novelty item{place}")];
        let from = site.nodes[random.usize(..site.nodes.len())].id.clone();
        site.edges.push(restage_site::SiteEdge {
            from,
            to: node.id.clone(),
            label: format!("Novelty {place}"),
            ..restage_site::SiteEdge::default()
        });
        site.nodes.push(node);
    }
    random.shuffle(&mut site.nodes);
    let became = ids.into_iter().collect();
    Release { site, became }
}

fn rename(node: &mut SiteNode, number: usize) {
    let method = node.id.split(' ').next().unwrap_or("GET").to_owned();
    let names: Vec<&str> = node.fields.iter().map(|field| field.name.as_str()).collect();
    let query = if names.is_empty() { String::new() } else { format!("?{}", names.join("&")) };
    node.id = format!("{method} /changed/place-{number}{query}");
    node.key = node.id.clone();
}

fn change_field(node: &mut SiteNode, number: usize) {
    let path = node.id.split('?').next().unwrap_or_default().to_owned();
    if let Some(field) = node.fields.first_mut() {
        field.name = format!("{}_new", field.name);
    }
    let mut names: Vec<&str> = node.fields.iter().map(|field| field.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let _ = number;
    node.id = format!("{path}?{}", names.join("&"));
    node.key = node.id.clone();
}
