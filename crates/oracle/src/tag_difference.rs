//! What a person would say changed of tags: those in order, and those of lists in which order does not count.

use std::collections::HashMap;

use restage_html::Token;
use restage_model::Difference;

use crate::comparator::Comparator;
use crate::difference::difference;
use crate::document::Document;
use crate::said::shortened;
use crate::view::{Item, Origin};

/// Tags that became others.
pub(crate) fn tags(
    comparator: &Comparator,
    expected: &Document<'_>,
    removed: &[Item],
    actual: &Document<'_>,
    added: &[Item],
) -> Vec<Difference> {
    // The same tags with other attributes: one difference a tag.
    let pairs: Vec<(Token<'_>, Token<'_>)> =
        removed.iter().zip(added).filter_map(|(r, a)| tag_of(expected, r).zip(tag_of(actual, a))).collect();
    if removed.len() == added.len() && pairs.iter().all(|(was, is)| same_tag(*was, *is)) {
        let found: Vec<Difference> =
            pairs.iter().flat_map(|(was, is)| attributes(comparator, false, *was, *is)).collect();
        if !found.is_empty() {
            return found;
        }
    }
    let list = |document: &Document<'_>, items: &[Item]| -> Vec<String> {
        items.iter().filter_map(|item| tag_of(document, item)).map(shown_tag).collect()
    };
    let (was, is) = (list(expected, removed), list(actual, added));
    let (was_text, is_text) = (was.join(" "), is.join(" "));
    let summary = match (was.len(), is.len()) {
        (0, 1) => format!("{} appeared", shortened(&is[0])),
        (1, 0) => format!("{} is gone", shortened(&was[0])),
        (0, n) => format!("{n} tags appeared: {}", shortened(&is_text)),
        (n, 0) => format!("{n} tags are gone: {}", shortened(&was_text)),
        _ => format!("{} became {}", shortened(&was_text), shortened(&is_text)),
    };
    vec![difference(comparator, summary, was_text, is_text)]
}

/// Entries of lists: which are gone, which appeared, and which of them are one that changed.
pub(crate) fn entries(
    comparator: &Comparator,
    expected: &Document<'_>,
    before: &[Item],
    actual: &Document<'_>,
    after: &[Item],
) -> Vec<Difference> {
    let gone = surplus(before, after);
    let mut appeared: Vec<Option<Item>> = surplus(after, before).into_iter().map(Some).collect();
    let mut found = Vec::new();
    for was in gone {
        let changed =
            appeared.iter_mut().filter(|is| is.is_some_and(|is| same_entry(expected, &was, actual, &is)));
        let attributes = changed.into_iter().find_map(|slot| {
            let (was, is) = (tag_of(expected, &was)?, tag_of(actual, slot.as_ref()?)?);
            let found = attributes(comparator, true, was, is);
            (!found.is_empty()).then(|| (*slot = None, found).1)
        });
        match attributes {
            Some(attributes) => found.extend(attributes),
            None => {
                let shown = entry(expected, &was);
                found.push(difference(
                    comparator,
                    format!("{} is gone", shortened(&shown)),
                    shown,
                    String::new(),
                ));
            }
        }
    }
    for is in appeared.into_iter().flatten() {
        let shown = entry(actual, &is);
        found.push(difference(comparator, format!("{} appeared", shortened(&shown)), String::new(), shown));
    }
    found
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

/// Whether two entries are the same thing to a user: the field of a name, the choice of a value, the link or
/// image itself is what its one attribute says.
fn same_entry(expected: &Document<'_>, was: &Item, actual: &Document<'_>, is: &Item) -> bool {
    let (Some(Token::Open { name, attrs, .. }), Some(Token::Open { name: other, attrs: others, .. })) =
        (tag_of(expected, was), tag_of(actual, is))
    else {
        return false;
    };
    let known_by = match name {
        b"option" => "value",
        b"a" | b"area" | b"img" => return name == other,
        _ => "name",
    };
    name == other
        && attrs.get(known_by) == others.get(known_by)
        && select_of(expected, was) == select_of(actual, is)
}

/// An entry as it is shown: a choice with what it is a choice of.
fn entry(document: &Document<'_>, item: &Item) -> String {
    let tag = tag_of(document, item).map(shown_tag).unwrap_or_default();
    match select_of(document, item) {
        Some(select) => format!("{tag} of <select name=\"{select}\">"),
        None => tag,
    }
}

fn select_of(document: &Document<'_>, item: &Item) -> Option<String> {
    let Origin::Listed { select: Some(select), .. } = item.origin else { return None };
    match document.token(select) {
        Some(Token::Open { attrs, .. }) => Some(attrs.text("name").unwrap_or_default()),
        _ => None,
    }
}

/// What changed of the attributes of a tag, as far as the comparator sees it.
fn attributes(comparator: &Comparator, listed: bool, was: Token<'_>, is: Token<'_>) -> Vec<Difference> {
    let (Token::Open { name: element, attrs: before, .. }, Token::Open { attrs: after, .. }) = (was, is)
    else {
        return Vec::new();
    };
    let mut names: Vec<&[u8]> = before.iter().chain(after.iter()).map(|(n, _)| n).collect();
    names.retain(|name| comparator.features().sees_attribute(listed, element, name));
    names.sort_unstable();
    names.dedup();
    // What a tag is known by, where something else of it changed.
    let known_by: &[&str] = if element == b"option" { &["value"] } else { &["name", "id"] };
    let element = String::from_utf8_lossy(element);
    let mut differences = Vec::new();
    for name in names {
        let attribute = String::from_utf8_lossy(name);
        let (old, new) = (before.text(&attribute), after.text(&attribute));
        if old == new {
            continue;
        }
        let which = known_by
            .iter()
            .find_map(|name| before.text(name))
            .filter(|_| !known_by.contains(&&*attribute))
            .map(|n| format!(" \"{}\"", shortened(&n)))
            .unwrap_or_default();
        let summary = match (&old, &new) {
            (Some(old), Some(new)) => {
                format!(
                    "{attribute} of <{element}>{which} became \"{}\", was \"{}\"",
                    shortened(new),
                    shortened(old)
                )
            }
            (Some(old), None) if old.is_empty() => format!("{attribute} of <{element}>{which} is gone"),
            (Some(old), None) => format!("{attribute}=\"{}\" of <{element}>{which} is gone", shortened(old)),
            (None, Some(new)) if new.is_empty() => format!("{attribute} of <{element}>{which} appeared"),
            (None, Some(new)) => format!("{attribute}=\"{}\" of <{element}>{which} appeared", shortened(new)),
            (None, None) => continue,
        };
        differences.push(difference(comparator, summary, shown_tag(was), shown_tag(is)));
    }
    differences
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

/// A tag as it is shown.
pub(crate) fn shown_tag(token: Token<'_>) -> String {
    match token {
        Token::Open { name, attrs, .. } => {
            let mut out = format!("<{}", String::from_utf8_lossy(name));
            for (name, value) in attrs.iter() {
                out.push_str(&format!(
                    " {}=\"{}\"",
                    String::from_utf8_lossy(name),
                    String::from_utf8_lossy(value)
                ));
            }
            out.push('>');
            out
        }
        Token::Close { name } => format!("</{}>", String::from_utf8_lossy(name)),
        Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => String::new(),
    }
}
