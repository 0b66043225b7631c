//! Links that changed.

use std::collections::{BTreeMap, BTreeSet};

use crate::diff::site_diff::{LinkChange, LinkDiff, SharedLinkDiff};
use crate::graph::NodeIndex;
use crate::plain::one_line;
use crate::site::EdgeKind;
use crate::site_index::SiteIndex;

/// A change that so many pages share is told once.
const SHARED: usize = 4;

/// A node, by its number in the new map, or in the old one where it is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    New(NodeIndex),
    Gone(NodeIndex),
}

/// What is clicked, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    kind: EdgeKind,
    label: String,
    to: Place,
}

/// Two maps, and which nodes are the same.
pub(crate) struct Sides<'a> {
    pub(crate) old: &'a SiteIndex<'a>,
    pub(crate) new: &'a SiteIndex<'a>,
    /// Of each old node, the new one.
    pub(crate) partner: &'a [Option<NodeIndex>],
    /// Of each new node, the old one.
    pub(crate) former: &'a [Option<NodeIndex>],
}

impl Sides<'_> {
    pub(crate) fn place(&self, old: NodeIndex) -> Place {
        self.partner[old].map_or(Place::Gone(old), Place::New)
    }

    /// The id of a node, in the new map, or in the old one where it is gone.
    fn id(&self, place: Place) -> String {
        match place {
            Place::New(new) => self.new.id(new).to_owned(),
            Place::Gone(old) => self.old.id(old).to_owned(),
        }
    }

    /// Where a link of the old map led, by its id there.
    fn old_id(&self, place: Place) -> String {
        match place {
            Place::Gone(old) => self.old.id(old).to_owned(),
            Place::New(new) => self.former[new].map_or(self.new.id(new), |old| self.old.id(old)).to_owned(),
        }
    }
}

/// What changed of the links of each page, and what of the links that many pages share.
pub(crate) fn links(sides: &Sides<'_>) -> (BTreeMap<Place, Vec<LinkDiff>>, Vec<SharedLinkDiff>) {
    let mut changes: BTreeMap<Place, Vec<Change>> = BTreeMap::new();
    for (page, (old, new)) in pages(sides) {
        changes.insert(page, compared(old, new));
    }
    let shared = take_shared(&mut changes);
    let moved = take_moved(&mut changes);
    let mut found: BTreeMap<Place, Vec<LinkDiff>> = BTreeMap::new();
    for (page, changes) in changes.into_iter().chain(moved) {
        found.entry(page).or_default().extend(changes.into_iter().map(|change| change.told(sides)));
    }
    found.retain(|_, links| !links.is_empty());
    found.values_mut().for_each(|links| links.sort_by_key(|link| link.change));
    let mut shared: Vec<SharedLinkDiff> = shared
        .into_iter()
        .map(|(change, pages)| SharedLinkDiff {
            link: change.told(sides),
            pages: pages.into_iter().map(|page| sides.id(page)).collect(),
        })
        .collect();
    shared.sort_by_key(|shared| (shared.link.change, std::cmp::Reverse(shared.pages.len())));
    (found, shared)
}

/// A change of a link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    change: LinkChange,
    old: Option<Link>,
    new: Option<Link>,
    moved_from: Option<Place>,
}

impl Change {
    fn of(change: LinkChange, old: Option<Link>, new: Option<Link>) -> Self {
        Self { change, old, new, moved_from: None }
    }

    fn told(self, sides: &Sides<'_>) -> LinkDiff {
        let kind = self.new.as_ref().or(self.old.as_ref()).map_or(EdgeKind::Link, |link| link.kind);
        let label = |link: &Option<Link>| link.as_ref().map(|link| link.label.clone());
        LinkDiff {
            change: self.change,
            kind,
            old_label: label(&self.old),
            new_label: label(&self.new),
            old_to: self.old.map(|link| sides.old_id(link.to)),
            new_to: self.new.map(|link| sides.id(link.to)),
            moved_from: self.moved_from.map(|page| sides.old_id(page)),
        }
    }
}

/// The links of each page in the old map and in the new one, each once.
fn pages(sides: &Sides<'_>) -> BTreeMap<Place, (BTreeSet<Link>, BTreeSet<Link>)> {
    let mut pages: BTreeMap<Place, (BTreeSet<Link>, BTreeSet<Link>)> = BTreeMap::new();
    let link = |edge: &crate::site::SiteEdge, to| Link { kind: edge.kind, label: one_line(&edge.label), to };
    for &(from, to, edge) in &sides.old.edges {
        pages.entry(sides.place(from)).or_default().0.insert(link(edge, sides.place(to)));
    }
    for &(from, to, edge) in &sides.new.edges {
        pages.entry(Place::New(from)).or_default().1.insert(link(edge, Place::New(to)));
    }
    pages
}

/// What changed of the links of a page.
fn compared(old: BTreeSet<Link>, new: BTreeSet<Link>) -> Vec<Change> {
    let mut changes = Vec::new();
    // One link of a text on both sides, that leads elsewhere.
    let by_text = |links: &BTreeSet<Link>| {
        let mut texts: BTreeMap<(EdgeKind, String), Vec<Link>> = BTreeMap::new();
        for link in links.iter().filter(|link| !link.label.is_empty()) {
            texts.entry((link.kind, link.label.clone())).or_default().push(link.clone());
        }
        texts
    };
    let (texts_old, texts_new) = (by_text(&old), by_text(&new));
    let mut is_told: BTreeSet<Link> = BTreeSet::new();
    for (text, was) in &texts_old {
        if let ([was], Some([is])) = (was.as_slice(), texts_new.get(text).map(Vec::as_slice))
            && was != is
        {
            changes.push(Change::of(LinkChange::LeadsElsewhere, Some(was.clone()), Some(is.clone())));
            is_told.extend([was.clone(), is.clone()]);
        }
    }
    // What leads to the same place by another text.
    let mut came: BTreeMap<(EdgeKind, Place), Vec<Link>> = BTreeMap::new();
    for link in
        new.difference(&old).filter(|link| !is_told.contains(link)).collect::<Vec<_>>().into_iter().rev()
    {
        came.entry((link.kind, link.to)).or_default().push(link.clone());
    }
    for was in old.difference(&new).filter(|link| !is_told.contains(link)) {
        let change = match came.get_mut(&(was.kind, was.to)).and_then(Vec::pop) {
            Some(is) => Change::of(LinkChange::Renamed, Some(was.clone()), Some(is)),
            None => Change::of(LinkChange::Went, Some(was.clone()), None),
        };
        changes.push(change);
    }
    changes.extend(came.into_values().flatten().map(|link| Change::of(LinkChange::Came, None, Some(link))));
    changes
}

/// Takes out the changes that many pages share.
fn take_shared(changes: &mut BTreeMap<Place, Vec<Change>>) -> Vec<(Change, Vec<Place>)> {
    let mut pages: BTreeMap<&Change, Vec<Place>> = BTreeMap::new();
    for (page, changes) in &*changes {
        changes.iter().for_each(|change| pages.entry(change).or_default().push(*page));
    }
    let shared: Vec<(Change, Vec<Place>)> = pages
        .into_iter()
        .filter(|(_, pages)| pages.len() >= SHARED)
        .map(|(change, pages)| (change.clone(), pages))
        .collect();
    let names: BTreeSet<&Change> = shared.iter().map(|(change, _)| change).collect();
    changes.values_mut().for_each(|changes| changes.retain(|change| !names.contains(change)));
    shared
}

/// Takes out links that went from one page and came on another.
fn take_moved(changes: &mut BTreeMap<Place, Vec<Change>>) -> BTreeMap<Place, Vec<Change>> {
    let mut went: BTreeMap<Link, Vec<Place>> = BTreeMap::new();
    let mut came: BTreeMap<Link, Vec<Place>> = BTreeMap::new();
    for (page, changes) in &*changes {
        for change in changes {
            match (change.change, &change.old, &change.new) {
                (LinkChange::Went, Some(link), _) => went.entry(link.clone()).or_default().push(*page),
                (LinkChange::Came, _, Some(link)) => came.entry(link.clone()).or_default().push(*page),
                _ => {}
            }
        }
    }
    let mut moved: BTreeMap<Place, Vec<Change>> = BTreeMap::new();
    for (link, from) in went {
        let ([from], Some([to])) = (from.as_slice(), came.get(&link).map(Vec::as_slice)) else { continue };
        // A redirect is no link that stands somewhere.
        if from == to || !matches!(link.kind, EdgeKind::Link | EdgeKind::Submit | EdgeKind::Frame) {
            continue;
        }
        let remove = |changes: Option<&mut Vec<Change>>, change: LinkChange| {
            if let Some(changes) = changes {
                changes.retain(|c| c.change != change || c.old.as_ref().or(c.new.as_ref()) != Some(&link));
            }
        };
        remove(changes.get_mut(from), LinkChange::Went);
        remove(changes.get_mut(to), LinkChange::Came);
        let change = Change {
            change: LinkChange::Moved,
            old: Some(link.clone()),
            new: Some(link),
            moved_from: Some(*from),
        };
        moved.entry(*to).or_default().push(change);
    }
    moved
}
