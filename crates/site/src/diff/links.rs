//! Links that changed.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::correspondence::normal;
use crate::diff::known_users::KnownUsers;
use crate::diff::site_diff::{LinkChange, LinkDiff, SharedLinkDiff};
use crate::graph::NodeIndex;
use crate::plain::one_line;
use crate::site::{EdgeKind, SiteEdge, SiteNode};
use crate::site_index::SiteIndex;

/// A change that so many pages share is told once.
const SHARED: usize = 4;
/// A page that so many texts lead to, in both maps, shows one of many things, and the texts name them.
const MANY_TEXTS: usize = 6;

/// A node, by its number in the new map, or in the old one where it is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    New(NodeIndex),
    Gone(NodeIndex),
}

/// What is clicked, and where it leads.
#[derive(Clone, Debug)]
struct Link {
    kind: EdgeKind,
    /// What it is compared by: its words. Numbers are data: `Cart (2)`.
    words: String,
    to: Place,
    /// What it says.
    label: String,
}

impl Link {
    fn name(&self) -> (EdgeKind, &str, Place) {
        (self.kind, &self.words, self.to)
    }
}

impl PartialEq for Link {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Link {}

impl PartialOrd for Link {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Link {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(&other.name())
    }
}

/// Two maps, and which nodes are the same.
pub(crate) struct Sides<'a> {
    pub(crate) old: &'a SiteIndex<'a>,
    pub(crate) new: &'a SiteIndex<'a>,
    /// Of each old node, the new one.
    pub(crate) partner: &'a [Option<NodeIndex>],
    /// Of each new node, the old one.
    pub(crate) former: &'a [Option<NodeIndex>],
    pub(crate) users: &'a KnownUsers,
}

impl Sides<'_> {
    pub(crate) fn place(&self, old: NodeIndex) -> Place {
        self.partner[old].map_or(Place::Gone(old), Place::New)
    }

    /// Whether two answers are of one kind. What is sent on in one map and refused in the other shows two different pages: that is the
    /// change, not what is on them.
    pub(crate) fn are_same_answers(&self, old: NodeIndex, new: NodeIndex) -> bool {
        let kind = |status: Option<u16>| status.map(|status| status / 100);
        let (was, is) = (kind(self.old.site.nodes[old].status), kind(self.new.site.nodes[new].status));
        was.is_none() || is.is_none() || was == is
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
    let pages = pages(sides);
    let data = DataLabels::of(sides, &pages);
    for (page, (old, new)) in pages {
        changes.insert(page, compared(old, new, &data));
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

type Pages = BTreeMap<Place, (BTreeSet<Link>, BTreeSet<Link>)>;

/// Which texts of links are data: of a link to a page that shows one of many things, the name of the one that it was seen with.
struct DataLabels {
    /// Whether a node of the new map, or one that is gone, shows one of many things.
    is_of_many: BTreeSet<Place>,
    /// On how many pages a text leads to a node, in the old map and in the new one.
    uses: [BTreeMap<(String, Place), usize>; 2],
    /// How many texts lead to a node, and from how many pages, in both maps.
    texts: BTreeMap<Place, (usize, usize)>,
}

impl DataLabels {
    fn of(sides: &Sides<'_>, pages: &Pages) -> Self {
        let is_of_many =
            |node: &SiteNode| node.key.contains('{') || node.key.is_empty() && node.id.contains('{');
        let old = (0..sides.old.len())
            .filter(|&node| is_of_many(&sides.old.site.nodes[node]))
            .map(|node| sides.place(node));
        let new =
            (0..sides.new.len()).filter(|&node| is_of_many(&sides.new.site.nodes[node])).map(Place::New);
        let mut uses = [BTreeMap::new(), BTreeMap::new()];
        for (old, new) in pages.values() {
            for (links, uses) in [old, new].into_iter().zip(&mut uses) {
                links.iter().for_each(|link| *uses.entry((link.words.clone(), link.to)).or_default() += 1);
            }
        }
        let mut texts: BTreeMap<Place, (usize, usize)> = BTreeMap::new();
        for ((_, to), pages) in uses.iter().flatten() {
            let known = texts.entry(*to).or_default();
            *known = (known.0 + 1, known.1 + pages);
        }
        Self { is_of_many: old.chain(new).collect(), uses, texts }
    }

    /// Whether a link has another text only because it was seen with another thing: texts that no other page has, or one of many.
    fn are(&self, was: &Link, is: &Link) -> bool {
        let once = |side: usize, link: &Link| self.uses[side].get(&(link.words.clone(), link.to)) == Some(&1);
        let (texts, pages) = self.texts.get(&is.to).copied().unwrap_or_default();
        let has_many = texts >= MANY_TEXTS && 3 * texts >= pages;
        was.kind == EdgeKind::Link
            && self.is_of_many.contains(&is.to)
            && (has_many || once(0, was) && once(1, is))
    }
}

/// The links of each page in the old map and in the new one, each once.
fn pages(sides: &Sides<'_>) -> Pages {
    let mut pages: Pages = BTreeMap::new();
    let link = |edge: &SiteEdge, to| Link {
        kind: edge.kind,
        words: normal(&edge.label),
        to,
        label: one_line(&edge.label),
    };
    for &(from, to, edge) in sides.old.edges.iter().filter(|(.., edge)| sides.users.can_compare(&edge.users))
    {
        pages.entry(sides.place(from)).or_default().0.insert(link(edge, sides.place(to)));
    }
    for &(from, to, edge) in sides.new.edges.iter().filter(|(.., edge)| sides.users.can_compare(&edge.users))
    {
        pages.entry(Place::New(from)).or_default().1.insert(link(edge, Place::New(to)));
    }
    pages.retain(|page, _| match page {
        Place::New(new) => sides.former[*new].is_none_or(|old| sides.are_same_answers(old, *new)),
        Place::Gone(_) => true,
    });
    pages
}

/// What changed of the links of a page.
fn compared(old: BTreeSet<Link>, new: BTreeSet<Link>, data: &DataLabels) -> Vec<Change> {
    let mut changes = Vec::new();
    // One link of a text on both sides, that leads elsewhere.
    let by_text = |links: &BTreeSet<Link>| {
        let mut texts: BTreeMap<(EdgeKind, String), Vec<Link>> = BTreeMap::new();
        for link in links.iter().filter(|link| !link.words.is_empty()) {
            texts.entry((link.kind, link.words.clone())).or_default().push(link.clone());
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
            Some(is) if data.are(was, &is) => continue,
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
