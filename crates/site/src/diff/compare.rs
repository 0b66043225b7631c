//! Two maps, compared.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::correspondence::correspondence;
use crate::diff::known_users::KnownUsers;
use crate::diff::links::{Place, Sides, links};
use crate::diff::nodes::{came, changed, went};
use crate::diff::site_diff::{LinkChange, NodeChange, NodeDiff, PropertyDiff, SiteDiff};
use crate::graph::NodeIndex;
use crate::site::{NodeKind, Site};
use crate::site_index::SiteIndex;

/// What a newer map changed: pages, forms, parameters and links that came, went, moved or were renamed. Nodes are told by what
/// [`correspondence`] finds, so that a page with another path is the same page.
pub fn diff(old: &Site, new: &Site) -> SiteDiff {
    let found = correspondence(old, new);
    let (old, new) = (SiteIndex::of(old), SiteIndex::of(new));
    let is_first = |index: &SiteIndex<'_>, node: NodeIndex| index.place(index.id(node)) == Some(node);
    let mut partner: Vec<Option<NodeIndex>> = vec![None; old.len()];
    let mut former: Vec<Option<NodeIndex>> = vec![None; new.len()];
    for node in (0..old.len()).filter(|&node| is_first(&old, node)) {
        partner[node] = found.new_id(old.id(node)).and_then(|id| new.place(id));
        partner[node].into_iter().for_each(|new| former[new] = Some(node));
    }
    let users = KnownUsers::of(old.site, new.site);
    let sides = Sides { old: &old, new: &new, partner: &partner, former: &former, users: &users };
    let (mut of_pages, shared_links) = links(&sides);
    let mut nodes = Vec::new();
    for node in (0..old.len()).filter(|&node| is_first(&old, node)) {
        let links = of_pages.remove(&sides.place(node)).unwrap_or_default();
        match partner[node] {
            Some(new) => nodes.extend(changed(&sides, &found, (node, new), links)),
            None => nodes.push(went(&sides, node, links)),
        }
    }
    for node in (0..new.len()).filter(|&node| former[node].is_none() && is_first(&new, node)) {
        nodes.push(came(&sides, node, of_pages.remove(&Place::New(node)).unwrap_or_default()));
    }
    nodes.sort_by_cached_key(|node| {
        (importance(node), Reverse(node.kind), node.new.clone(), node.old.clone())
    });
    let names =
        |site: &Site| -> BTreeSet<String> { site.users.iter().map(|user| user.name.clone()).collect() };
    let (users_old, users_new) = (names(old.site), names(new.site));
    SiteDiff {
        home: home(&sides),
        users_came: users_new.difference(&users_old).cloned().collect(),
        users_went: users_old.difference(&users_new).cloned().collect(),
        shared_links,
        nodes,
    }
}

/// Where users begin, where that is another node now.
fn home(sides: &Sides<'_>) -> Option<PropertyDiff> {
    let (was, is) = (sides.old.home(), sides.new.home());
    let is_same = match (was, is) {
        (Some(was), Some(is)) => sides.partner[was] == Some(is),
        (None, None) => true,
        _ => false,
    };
    let id =
        |index: &SiteIndex<'_>, home: Option<NodeIndex>| home.map_or("", |home| index.id(home)).to_owned();
    (!is_same).then(|| PropertyDiff { property: "home", old: id(sides.old, was), new: id(sides.new, is) })
}

/// What breaks what users do comes first; what they may not even notice comes last.
fn importance(node: &NodeDiff) -> usize {
    let is_error = |status: &str| status.parse::<u16>().is_ok_and(|status| status >= 400);
    let fails = node
        .properties
        .iter()
        .any(|change| change.property == "status" && !is_error(&change.old) && is_error(&change.new));
    let loses_links =
        node.links.iter().any(|link| matches!(link.change, LinkChange::Went | LinkChange::LeadsElsewhere));
    match node.change {
        // Nobody looked who could see it.
        NodeChange::Came | NodeChange::Went if !node.seen_only_by.is_empty() => 10,
        NodeChange::Went => 0,
        _ if fails => 1,
        _ if node.kind == NodeKind::Form && !node.parameters.is_empty() => 2,
        NodeChange::Renamed => 3,
        NodeChange::Moved => 4,
        _ if !node.parameters.is_empty() => 5,
        NodeChange::Came => 6,
        NodeChange::Changed if loses_links => 7,
        NodeChange::Changed if !node.links.is_empty() => 8,
        NodeChange::Changed => 9,
    }
}
