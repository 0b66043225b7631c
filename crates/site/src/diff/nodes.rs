//! Pages and forms that came, went, moved, were renamed, or changed.

use std::collections::BTreeSet;

use crate::correspondence::{Correspondence, normal};
use crate::diff::known_users::KnownUsers;
use crate::diff::links::Sides;
use crate::diff::parameters::parameters;
use crate::diff::site_diff::{LinkDiff, Move, NodeChange, NodeDiff, PropertyDiff, Reached};
use crate::graph::NodeIndex;
use crate::site::{EdgeKind, NodeKind, SiteNode};
use crate::site_index::SiteIndex;

/// So many pages that lead to a node are named.
const NAMED: usize = 5;

/// A node that is new.
pub(crate) fn came(sides: &Sides<'_>, place: NodeIndex, links: Vec<LinkDiff>) -> NodeDiff {
    alone((sides.new, sides.users), place, links, NodeChange::Came)
}

/// A node that is gone.
pub(crate) fn went(sides: &Sides<'_>, place: NodeIndex, links: Vec<LinkDiff>) -> NodeDiff {
    alone((sides.old, sides.users), place, links, NodeChange::Went)
}

fn alone(
    (index, users): (&SiteIndex<'_>, &KnownUsers),
    place: NodeIndex,
    links: Vec<LinkDiff>,
    change: NodeChange,
) -> NodeDiff {
    let node = &index.site.nodes[place];
    let unknown =
        if users.can_compare(&node.users) { Vec::new() } else { node.users.iter().cloned().collect() };
    let id = |is: bool| is.then(|| node.id.clone());
    NodeDiff {
        change,
        kind: node.kind,
        old: id(change == NodeChange::Went),
        new: id(change == NodeChange::Came),
        title: node.title.clone(),
        seen_only_by: unknown,
        confidence: None,
        reasons: Vec::new(),
        reached: reached(index, place),
        moved: None,
        properties: Vec::new(),
        parameters: Vec::new(),
        links,
    }
}

/// A node that is in both maps; none where nothing changed.
pub(crate) fn changed(
    sides: &Sides<'_>,
    found: &Correspondence,
    (old, new): (NodeIndex, NodeIndex),
    links: Vec<LinkDiff>,
) -> Option<NodeDiff> {
    let (was, is) = (&sides.old.site.nodes[old], &sides.new.site.nodes[new]);
    let moved = moved(sides, old, new);
    let properties = properties(sides, (was, is), sides.are_same_answers(old, new));
    let parameters = parameters((sides.old, old), (sides.new, new));
    let is_renamed = was.id != is.id;
    let change = match (is_renamed, &moved) {
        (true, _) => NodeChange::Renamed,
        (false, Some(_)) => NodeChange::Moved,
        (false, None) => NodeChange::Changed,
    };
    let is_same =
        change == NodeChange::Changed && properties.is_empty() && parameters.is_empty() && links.is_empty();
    let about = found.of_old(&was.id).filter(|_| is_renamed);
    (!is_same).then(|| NodeDiff {
        change,
        kind: is.kind,
        old: Some(was.id.clone()),
        new: Some(is.id.clone()),
        title: is.title.clone(),
        seen_only_by: Vec::new(),
        confidence: about.map(|found| found.confidence),
        reasons: about.map(|found| found.reasons.clone()).unwrap_or_default(),
        reached: None,
        moved,
        properties,
        parameters,
        links,
    })
}

/// The pages where a user finds what leads to a node.
fn sources(index: &SiteIndex<'_>, node: NodeIndex) -> BTreeSet<NodeIndex> {
    let by_user = |kind: EdgeKind| matches!(kind, EdgeKind::Link | EdgeKind::Submit | EdgeKind::Frame);
    index
        .arriving(node)
        .filter(|&(from, edge)| from != node && by_user(edge.kind))
        .map(|(from, _)| from)
        .collect()
}

fn reached(index: &SiteIndex<'_>, node: NodeIndex) -> Option<Reached> {
    let mut pages: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for (from, _) in index.arriving(node).filter(|(from, _)| *from != node) {
        if seen.insert(from) && pages.len() < NAMED {
            pages.push(index.id(from));
        }
    }
    let label = index.arriving(node).map(|(_, edge)| edge.label.clone()).find(|label| !label.is_empty());
    (!pages.is_empty()).then(|| Reached {
        from: pages.into_iter().map(str::to_owned).collect(),
        pages: seen.len(),
        label: label.unwrap_or_default(),
    })
}

/// Where a node was and is, where no page that led to it still does.
fn moved(sides: &Sides<'_>, old: NodeIndex, new: NodeIndex) -> Option<Move> {
    let (from, to) = (sources(sides.old, old), sources(sides.new, new));
    let still = from.iter().any(|&page| sides.partner[page].is_some_and(|page| to.contains(&page)));
    let ids = |index: &SiteIndex<'_>, pages: &BTreeSet<NodeIndex>| {
        pages.iter().take(NAMED).map(|&page| index.id(page).to_owned()).collect()
    };
    (!still && !from.is_empty() && !to.is_empty())
        .then(|| Move { from: ids(sides.old, &from), to: ids(sides.new, &to) })
}

fn properties(sides: &Sides<'_>, (was, is): (&SiteNode, &SiteNode), same_answers: bool) -> Vec<PropertyDiff> {
    let mut found = Vec::new();
    let mut add = |property, old: String, new: String| {
        if old != new {
            found.push(PropertyDiff { property, old, new });
        }
    };
    let kind = |node: &SiteNode| if node.kind == NodeKind::Form { "form" } else { "page" }.to_owned();
    // What was only seen from afar in one of both has no status and no title there.
    if let (Some(old), Some(new)) = (was.status, is.status) {
        add("status", old.to_string(), new.to_string());
        // The title of a page that shows one of many things names the thing; numbers are data anywhere.
        let is_of_many = is.key.contains('{') || was.key.contains('{');
        if same_answers && !is_of_many && normal(&was.title) != normal(&is.title) {
            add("title", was.title.clone(), is.title.clone());
        }
    }
    add("kind", kind(was), kind(is));
    let computed = |node: &SiteNode| if node.dynamic { "dynamic" } else { "static" }.to_owned();
    add("dynamic", computed(was), computed(is));
    let users = |node: &SiteNode| sides.users.known(&node.users).collect::<Vec<_>>().join(", ");
    add("users", users(was), users(is));
    found
}
