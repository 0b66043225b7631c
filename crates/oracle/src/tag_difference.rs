//! What a person would say changed of tags: those in order, and those of lists in which order does not count.

use std::cell::OnceCell;
use std::collections::{HashMap, VecDeque};

use restage_html::{Attrs, Token};

use crate::difference::Compared;
use crate::document::Document;
use crate::said::{Said, shortened};
use crate::view::{Item, Origin};

/// As many entries are tried for the one that a lost entry became.
const TRIED: usize = 16;

/// Tells of tags that became others.
pub(crate) fn tell_tags(compared: Compared<'_>, said: &mut Said, removed: &[Item], added: &[Item]) {
    let Compared { expected, actual, .. } = compared;
    let pairs = || removed.iter().zip(added).filter_map(|(r, a)| tag_of(expected, r).zip(tag_of(actual, a)));
    // The same tags with other attributes: one difference a tag.
    if removed.len() == added.len() && pairs().all(|(was, is)| same_tag(was, is)) {
        let mut told = false;
        pairs().for_each(|(was, is)| told |= tell_attributes(compared, said, false, was, is));
        if told {
            return;
        }
    }
    let list = |document: &Document<'_>, items: &[Item]| {
        let mut out = String::new();
        for token in items.iter().filter_map(|item| tag_of(document, item)) {
            if !out.is_empty() {
                out.push(' ');
            }
            push_tag(&mut out, token);
        }
        out
    };
    said.tell(|| {
        let (was, is) = (list(expected, removed), list(actual, added));
        let summary = match (removed.len(), added.len()) {
            (0, 1) => format!("{} appeared", shortened(&is)),
            (1, 0) => format!("{} is gone", shortened(&was)),
            (0, n) => format!("{n} tags appeared: {}", shortened(&is)),
            (n, 0) => format!("{n} tags are gone: {}", shortened(&was)),
            _ => format!("{} became {}", shortened(&was), shortened(&is)),
        };
        (summary, was, is)
    });
}

/// Tells of entries of lists: which are gone, which appeared, and which of them are one that changed.
pub(crate) fn tell_entries(compared: Compared<'_>, said: &mut Said, before: &[Item], after: &[Item]) {
    let Compared { expected, actual, .. } = compared;
    let (gone, mut appeared) = (surplus(before, after), surplus(after, before));
    let mut candidates: HashMap<Known<'_>, VecDeque<usize>> = HashMap::new();
    for (at, item) in appeared.iter().enumerate() {
        if let Some(known) = Known::of(actual, item) {
            candidates.entry(known).or_default().push_back(at);
        }
    }
    let mut taken = vec![false; appeared.len()];
    for was in gone {
        let same = Known::of(expected, &was).and_then(|known| candidates.get_mut(&known));
        let changed = same.and_then(|same| {
            let place = (0..same.len().min(TRIED)).find(|&place| {
                let tags = tag_of(expected, &was).zip(tag_of(actual, &appeared[same[place]]));
                tags.is_some_and(|(was, is)| tell_attributes(compared, said, true, was, is))
            })?;
            same.remove(place)
        });
        match changed {
            Some(at) => taken[at] = true,
            None => said.tell(|| {
                let shown = entry(expected, &was);
                (format!("{} is gone", shortened(&shown)), shown, String::new())
            }),
        }
    }
    let mut taken = taken.into_iter();
    appeared.retain(|_| taken.next() != Some(true));
    for is in appeared {
        said.tell(|| {
            let shown = entry(actual, &is);
            (format!("{} appeared", shortened(&shown)), String::new(), shown)
        });
    }
}

/// The entries of one list that the other has not, or not as often; as they stand in the page.
fn surplus(list: &[Item], other: &[Item]) -> Vec<Item> {
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
struct Known<'a> {
    element: &'a [u8],
    by: Option<&'a [u8]>,
    /// The `select` that a choice is one of.
    select: Option<&'a [u8]>,
}

impl<'a> Known<'a> {
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

/// An entry as it is shown: a choice with what it is a choice of.
fn entry(document: &Document<'_>, item: &Item) -> String {
    let mut out = String::new();
    tag_of(document, item).into_iter().for_each(|token| push_tag(&mut out, token));
    if let Some(select) = select_of(document, item) {
        out.push_str(&format!(" of <select name=\"{}\">", String::from_utf8_lossy(select)));
    }
    out
}

/// The name of the `select` that a choice is one of.
fn select_of<'a>(document: &'a Document<'_>, item: &Item) -> Option<&'a [u8]> {
    let Origin::Listed { select: Some(select), .. } = item.origin else { return None };
    match document.token(select) {
        Some(Token::Open { attrs, .. }) => Some(attrs.get("name").unwrap_or_default()),
        _ => None,
    }
}

/// Tells what changed of the attributes of a tag, as far as the comparator sees it; whether anything did.
fn tell_attributes(
    compared: Compared<'_>,
    said: &mut Said,
    listed: bool,
    was: Token<'_>,
    is: Token<'_>,
) -> bool {
    let (Token::Open { name: element, attrs: before, .. }, Token::Open { attrs: after, .. }) = (was, is)
    else {
        return false;
    };
    // What a tag is known by, where something else of it changed.
    let known_by: &[&str] = if element == b"option" { &["value"] } else { &["name", "id"] };
    let known_as = known_by.iter().find_map(|name| before.text(name));
    let element_shown = String::from_utf8_lossy(element);
    // A tag may have very many attributes: it is shown once for all of them.
    let (shown_was, shown_is) = (OnceCell::new(), OnceCell::new());
    let mut changed = false;
    for (name, old, new) in both(before, after) {
        if old == new || !compared.comparator.features().sees_attribute(listed, element, name) {
            continue;
        }
        changed = true;
        said.tell(|| {
            let attribute = String::from_utf8_lossy(name);
            let of = match &known_as {
                Some(known) if !known_by.contains(&&*attribute) => {
                    format!("of <{element_shown}> \"{}\"", shortened(known))
                }
                _ => format!("of <{element_shown}>"),
            };
            let shown = |value: &[u8]| shortened(&String::from_utf8_lossy(value));
            let summary = match (old, new) {
                (Some(old), Some(new)) => {
                    format!("{attribute} {of} became \"{}\", was \"{}\"", shown(new), shown(old))
                }
                (Some(b""), None) => format!("{attribute} {of} is gone"),
                (Some(old), None) => format!("{attribute}=\"{}\" {of} is gone", shown(old)),
                (None, Some(b"")) => format!("{attribute} {of} appeared"),
                (None, new) => format!("{attribute}=\"{}\" {of} appeared", shown(new.unwrap_or_default())),
            };
            let tag = |cell: &OnceCell<String>, token| cell.get_or_init(|| shown_tag(token)).clone();
            (summary, tag(&shown_was, was), tag(&shown_is, is))
        });
    }
    changed
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

fn shown_tag(token: Token<'_>) -> String {
    let mut out = String::new();
    push_tag(&mut out, token);
    out
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
