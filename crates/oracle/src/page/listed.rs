//! Links, images and form controls as lists in which order does not count (paper 2's P5 to P7).

use restage_html::Attrs;

use crate::page::digest::{Digest, both, hash};
use crate::page::elements;
use crate::page::tag::{Tag, with_attributes, with_events};

/// One entry of a list: its hash, and the tag it stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) hash: u64,
    /// Whether it is chosen when the page opens; hashed apart, since some comparators do not look at it.
    pub(crate) selected: bool,
    pub(crate) token: u32,
    /// The `select` that a choice is grouped under.
    pub(crate) select: Option<u32>,
}

/// The links and images of a page, and its inputs and choices.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) links: Vec<Entry>,
    pub(crate) controls: Vec<Entry>,
    /// The last `select`, and the hash of its name: its choices are grouped under it. Its closing tag is not
    /// waited for, as comparators that see more do not see it.
    select: Option<(u32, u64)>,
}

impl Lists {
    pub(crate) fn open(&mut self, tag: &Tag, name: &[u8], attrs: Attrs<'_>) {
        let token = tag.token;
        let entry = |selected: bool, select: Option<(u32, u64)>| {
            let attributes = match elements::listed(name) {
                Some(listed) => with_events(with_attributes(tag.name, listed, attrs), tag.events),
                None => tag.important,
            };
            Entry {
                hash: both(select.map_or(0, |(_, name)| name), attributes),
                selected,
                token,
                select: select.map(|(token, _)| token),
            }
        };
        match name {
            b"a" | b"area" | b"img" => self.links.push(entry(false, None)),
            b"input" => self.controls.push(entry(attrs.has("checked"), None)),
            b"button" | b"textarea" => self.controls.push(entry(false, None)),
            b"select" => {
                self.select = Some((token, hash(attrs.get("name").unwrap_or_default())));
                self.controls.push(entry(false, None));
            }
            b"option" => self.controls.push(entry(attrs.has("selected"), self.select)),
            _ => {}
        }
    }

    /// The links in an order of their own.
    pub(crate) fn sorted_links(&self) -> Vec<Entry> {
        sorted(&self.links, true)
    }

    /// The controls in an order of their own; with or without what is selected.
    pub(crate) fn sorted_controls(&self, selection: bool) -> Vec<Entry> {
        sorted(&self.controls, selection)
    }

    /// Digests of the links, the controls, and the controls with what is selected.
    pub(crate) fn digests(&self) -> [Digest; 3] {
        let digest = |entries: &[Entry], selection: bool| {
            let mut digest = Digest::default();
            entries.iter().for_each(|entry| digest.add_in_any_order(seen(entry, selection)));
            digest
        };
        [digest(&self.links, true), digest(&self.controls, false), digest(&self.controls, true)]
    }
}

fn sorted(entries: &[Entry], selection: bool) -> Vec<Entry> {
    let mut entries: Vec<Entry> =
        entries.iter().map(|entry| Entry { hash: seen(entry, selection), ..*entry }).collect();
    entries.sort_unstable_by_key(|e| (e.hash, e.token));
    entries
}

/// The hash of an entry, with or without what is selected.
fn seen(entry: &Entry, selection: bool) -> u64 {
    if selection { both(entry.hash, u64::from(entry.selected)) } else { entry.hash }
}
