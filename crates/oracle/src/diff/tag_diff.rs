//! What a person would say changed of tags: those in order, and those of lists in which order does not count.

use std::collections::{HashMap, VecDeque};

use restage_html::{Attrs, Token};
use restage_model::Place;

use crate::comparators::view::{Item, Origin};
use crate::diff::collector::{DifferenceCollector, Found};
use crate::diff::hunks::hunks;
use crate::diff::page_diff::{Compared, Order};
use crate::diff::touched::{Edit, Touched};
use crate::page::document::Document;

/// As many entries are tried for the one that a lost entry became.
const TRIED: usize = 16;

/// The tags that became others, with all that is seen of them.
pub(crate) fn tag_edits(compared: Compared<'_>) -> Vec<Edit> {
    let Compared { features, expected, actual } = compared;
    let (before, after) = (expected.tags_seen(features), actual.tags_seen(features));
    let mut edits = Vec::new();
    for hunk in hunks(&before, &after) {
        let removed = &before[hunk.before.start as usize..hunk.before.end as usize];
        let added = &after[hunk.after.start as usize..hunk.after.end as usize];
        if let Some(changed) = attributes_of_same_tags(compared, removed, added) {
            edits.extend(
                changed.into_iter().map(|((was, is), found)| Edit::of(Touched::tags(was, is), found)),
            );
            continue;
        }
        // A closing tag goes with its opening one.
        let opening = |document: &Document<'_>, items: &[Item]| -> Vec<Item> {
            let is_open = |item: &&Item| matches!(tag_of(document, item), Some(Token::Open { .. }));
            items.iter().filter(is_open).copied().collect()
        };
        let (open_removed, open_added) = (opening(expected, removed), opening(actual, added));
        let found = if open_removed.is_empty() && open_added.is_empty() {
            tags(compared, removed, added)
        } else {
            tags(compared, &open_removed, &open_added)
        };
        edits.push(Edit::of(Touched::of(Order::Counts, removed, added), found));
    }
    edits
}

/// Tells of tags that became others.
pub(crate) fn tell_tags(
    compared: Compared<'_>,
    found: &mut DifferenceCollector,
    removed: &[Item],
    added: &[Item],
) {
    match attributes_of_same_tags(compared, removed, added) {
        Some(changed) => changed.into_iter().for_each(|(_, attribute)| found.add(|| attribute)),
        None => found.add(|| tags(compared, removed, added)),
    }
}

/// The same tags with other attributes: one difference an attribute, with the tokens of both tags. None where there is
/// none, or they are not the same tags.
fn attributes_of_same_tags(
    compared: Compared<'_>,
    removed: &[Item],
    added: &[Item],
) -> Option<Vec<((u32, u32), Found)>> {
    let Compared { expected, actual, .. } = compared;
    let pairs = || removed.iter().zip(added).filter_map(|(r, a)| tag_of(expected, r).zip(tag_of(actual, a)));
    if removed.len() != added.len() || !pairs().all(|(was, is)| same_tag(was, is)) {
        return None;
    }
    let mut changed = Vec::new();
    for ((was, is), (removed, added)) in pairs().zip(removed.iter().zip(added)) {
        let tokens = (token_of(removed), token_of(added));
        changed.extend(attributes(compared, false, was, is).into_iter().map(|found| (tokens, found)));
    }
    (!changed.is_empty()).then_some(changed)
}

fn tags(compared: Compared<'_>, removed: &[Item], added: &[Item]) -> Found {
    let list = |document: &Document<'_>, items: &[Item]| {
        let mut out = String::new();
        for token in items.iter().filter_map(|item| tag_of(document, item)) {
            if !out.is_empty() {
                out.push(' ');
            }
            push_tag(&mut out, token);
        }
        (!items.is_empty()).then_some(out)
    };
    let place = Place::Tags { removed: removed.len(), added: added.len() };
    (place, list(compared.expected, removed), list(compared.actual, added))
}

/// Tells of entries of lists: which are gone, which appeared, and which of them are one that changed.
pub(crate) fn tell_entries(
    compared: Compared<'_>,
    found: &mut DifferenceCollector,
    gone: &[Item],
    appeared: &[Item],
) {
    let Compared { expected, actual, .. } = compared;
    let mut candidates: HashMap<EntryName<'_>, VecDeque<usize>> = HashMap::new();
    for (at, item) in appeared.iter().enumerate() {
        if let Some(name) = EntryName::of(actual, item) {
            candidates.entry(name).or_default().push_back(at);
        }
    }
    let mut taken = vec![false; appeared.len()];
    for was in gone {
        let same = EntryName::of(expected, was).and_then(|name| candidates.get_mut(&name));
        let changed = same.and_then(|same| {
            let place = (0..same.len().min(TRIED)).find(|&place| {
                let tags = tag_of(expected, was).zip(tag_of(actual, &appeared[same[place]]));
                let changed = tags.map(|(was, is)| attributes(compared, true, was, is)).unwrap_or_default();
                let any = !changed.is_empty();
                changed.into_iter().for_each(|attribute| found.add(|| attribute));
                any
            })?;
            same.remove(place)
        });
        match changed {
            Some(at) => taken[at] = true,
            None => found.add(|| {
                let (place, shown) = entry(expected, was);
                (place, Some(shown), None)
            }),
        }
    }
    for is in appeared.iter().zip(taken).filter(|(_, taken)| !taken).map(|(is, _)| is) {
        found.add(|| {
            let (place, shown) = entry(actual, is);
            (place, None, Some(shown))
        });
    }
}

/// The entries of one list that the other has not, or not as often; as they stand in the page.
pub(crate) fn surplus(list: &[Item], other: &[Item]) -> Vec<Item> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for item in other {
        *counts.entry(item.hash).or_default() += 1;
    }
    let mut surplus: Vec<Item> = list
        .iter()
        .filter(|item| match counts.get_mut(&item.hash) {
            Some(n) if *n > 0 => {
                *n -= 1;
                false
            }
            _ => true,
        })
        .copied()
        .collect();
    surplus.sort_by_key(token_of);
    surplus
}

/// What an entry is known by to a user: the field by its name, the choice by its value. A link or image itself is what
/// its one attribute says, so that any may have become any.
#[derive(PartialEq, Eq, Hash)]
struct EntryName<'a> {
    element: &'a [u8],
    by: Option<&'a [u8]>,
    /// The `select` that a choice is one of.
    select: Option<&'a [u8]>,
}

impl<'a> EntryName<'a> {
    fn of(document: &'a Document<'_>, item: &Item) -> Option<Self> {
        let Some(Token::Open { name: element, attrs, .. }) = tag_of(document, item) else { return None };
        let by = match element {
            b"a" | b"area" | b"img" => return Some(Self { element, by: None, select: None }),
            b"option" => attrs.get("value"),
            _ => attrs.get("name"),
        };
        Some(Self { element, by, select: select_of(document, item) })
    }
}

/// An entry as it is shown, and what it is a choice of.
fn entry(document: &Document<'_>, item: &Item) -> (Place, String) {
    let mut out = String::new();
    tag_of(document, item).into_iter().for_each(|token| push_tag(&mut out, token));
    let choice_of = select_of(document, item).map(|select| String::from_utf8_lossy(select).into_owned());
    (Place::Entry { choice_of }, out)
}

/// The name of the `select` that a choice is one of.
fn select_of<'a>(document: &'a Document<'_>, item: &Item) -> Option<&'a [u8]> {
    let Origin::Listed { select: Some(select), .. } = item.origin else { return None };
    match document.token(select) {
        Some(Token::Open { attrs, .. }) => Some(attrs.get("name").unwrap_or_default()),
        _ => None,
    }
}

/// What changed of the attributes of a tag, as far as it is seen.
fn attributes(compared: Compared<'_>, listed: bool, was: Token<'_>, is: Token<'_>) -> Vec<Found> {
    let (Token::Open { name: element, attrs: before, .. }, Token::Open { attrs: after, .. }) = (was, is)
    else {
        return Vec::new();
    };
    // What a tag is known by, where something else of it changed.
    let known_by: &[&str] = if element == b"option" { &["value"] } else { &["name", "id"] };
    let known_as = known_by.iter().find_map(|name| before.text(name));
    let shown = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let seen = |(name, old, new): &(&[u8], Option<&[u8]>, Option<&[u8]>)| {
        old != new && compared.features.sees_attribute(listed, element, name)
    };
    let found = |(name, old, new): (&[u8], Option<&[u8]>, Option<&[u8]>)| {
        let attribute = shown(name);
        let named = known_as.clone().filter(|_| !known_by.contains(&&*attribute));
        let place = Place::Attribute { element: shown(element), named, attribute };
        (place, old.map(shown), new.map(shown))
    };
    both(before, after).filter(seen).map(found).collect()
}

/// Each attribute of either tag with its values in both, by its name.
fn both<'a>(
    before: Attrs<'a>,
    after: Attrs<'a>,
) -> impl Iterator<Item = (&'a [u8], Option<&'a [u8]>, Option<&'a [u8]>)> {
    let sorted = |attrs: Attrs<'a>| {
        let mut attrs: Vec<_> = attrs.iter().collect();
        attrs.sort_unstable();
        attrs.into_iter().peekable()
    };
    let (mut before, mut after) = (sorted(before), sorted(after));
    std::iter::from_fn(move || {
        let name = before.peek().into_iter().chain(after.peek()).map(|(name, _)| *name).min()?;
        let old = before.next_if(|(n, _)| *n == name).map(|(_, value)| value);
        let new = after.next_if(|(n, _)| *n == name).map(|(_, value)| value);
        Some((name, old, new))
    })
}

fn token_of(item: &Item) -> u32 {
    match item.origin {
        Origin::Tag(token) | Origin::Listed { token, .. } | Origin::Sheet(token) => token,
        _ => 0,
    }
}

fn tag_of<'a>(document: &'a Document<'_>, item: &Item) -> Option<Token<'a>> {
    match item.origin {
        Origin::Tag(token) | Origin::Listed { token, .. } => document.token(token),
        _ => None,
    }
}

fn same_tag(was: Token<'_>, is: Token<'_>) -> bool {
    matches!((was, is), (Token::Open { name: a, .. }, Token::Open { name: b, .. }) if a == b)
}

/// Adds a tag as it is shown.
pub(crate) fn push_tag(out: &mut String, token: Token<'_>) {
    match token {
        Token::Open { name, attrs, .. } => {
            out.push('<');
            out.push_str(&String::from_utf8_lossy(name));
            for (name, value) in attrs.iter() {
                out.push(' ');
                out.push_str(&String::from_utf8_lossy(name));
                out.push_str("=\"");
                out.push_str(&String::from_utf8_lossy(value));
                out.push('"');
            }
            out.push('>');
        }
        Token::Close { name } => {
            out.push_str("</");
            out.push_str(&String::from_utf8_lossy(name));
            out.push('>');
        }
        Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => {}
    }
}
