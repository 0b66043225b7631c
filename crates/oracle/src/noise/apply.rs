//! A page with its masks on: stand-ins for what varies, and what they cover.

use std::borrow::Cow;
use std::collections::BTreeMap;

use restage_html::{Token, Tokens};
use restage_model::{Masked, ValueShape};

use super::STAND_IN;
use super::mask::{Masks, Part, Ties};
use super::tree::{Child, Tree};
use crate::page::digest::hash;

/// Deeper elements are left as they are: a page of endless nesting must not exhaust the stack.
const DEEP: usize = 200;

/// What the masks of a page cover: by mask, in the page's order.
pub(crate) type Covered = BTreeMap<usize, Vec<String>>;

/// A page with its masks on, and what they cover.
pub(crate) fn apply(tokens: &Tokens, masks: &Masks<'_>) -> (Tokens, Covered) {
    let tree = Tree::of(tokens);
    let mut page = Page { tree: &tree, masks, covered: Covered::new() };
    let mut out = Tokens::with_room_for(tokens);
    let on = masks.on("", |selector| tree.is_at(0, selector));
    page.inside(0, &on, 0, &mut out);
    (out, page.covered)
}

/// What two pages have under the same masks, where it is not the same.
pub(crate) fn covered_differences(masks: &Masks<'_>, expected: &Covered, actual: &Covered) -> Vec<Masked> {
    let mut indexes: Vec<usize> = expected.keys().chain(actual.keys()).copied().collect();
    indexes.sort_unstable();
    indexes.dedup();
    let none = Vec::new();
    let said = |values: &Vec<String>| values.join(" · ");
    indexes
        .into_iter()
        .map(|index| (index, expected.get(&index).unwrap_or(&none), actual.get(&index).unwrap_or(&none)))
        .filter(|(_, was, is)| was != is)
        .map(|(index, was, is)| Masked {
            place: masks.get(index).to_string(),
            expected: said(was),
            actual: said(is),
        })
        .collect()
}

/// What an item of a list is known by, among its siblings and in other answers: its first link, or its text.
pub(crate) fn identity(tree: &Tree<'_>, item: usize) -> String {
    known_by(tree, item).0
}

/// The same; and whether it is a link.
pub(crate) fn known_by(tree: &Tree<'_>, item: usize) -> (String, bool) {
    let mut text = String::new();
    let mut left = vec![Child::Element(item)];
    let mut budget = 2_000;
    while let Some(child) = left.pop() {
        budget -= 1;
        if budget == 0 {
            break;
        }
        match child {
            Child::Element(node) => {
                if let Some(Token::Open { name: b"a", attrs, .. }) =
                    tree.nodes[node].open.and_then(|at| tree.tokens.get(at))
                    && let Some(href) = attrs.text("href")
                {
                    return (without_tokens(&href), true);
                }
                left.extend(tree.nodes[node].children.iter().rev().copied());
            }
            Child::Text(at) => {
                if let Some(Token::Text(piece)) = tree.tokens.get(at)
                    && text.len() < 80
                {
                    text.push_str(&String::from_utf8_lossy(piece));
                    text.push(' ');
                }
            }
            Child::Other(_) => {}
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    (words.join(" ").chars().take(80).collect(), false)
}

/// An address without what looks drawn at random or from a clock: the token in it does not make it another link.
fn without_tokens(address: &str) -> String {
    let is_token = |run: &str| match ValueShape::of(run) {
        ValueShape::Token => true,
        // Short ones only in hexadecimal, as nonces are: a slug may well end in a year.
        ValueShape::Hash => run.len() >= 8,
        ValueShape::Mixed => run.len() >= 12 && run.contains(|c: char| c.is_ascii_digit()),
        ValueShape::Number => run.len() >= 9,
        _ => false,
    };
    let mut out = String::with_capacity(address.len());
    let mut rest = address;
    while let Some(from) = rest.find(|c: char| c.is_alphanumeric()) {
        let length = rest[from..].find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len() - from);
        let run = &rest[from..from + length];
        out.push_str(&rest[..from]);
        out.push_str(if is_token(run) { "*" } else { run });
        rest = &rest[from + length..];
    }
    out + rest
}

struct Page<'a, 't, 'm> {
    tree: &'a Tree<'t>,
    masks: &'a Masks<'m>,
    covered: Covered,
}

/// An item of a list, written apart: its content decides where it goes.
struct Item {
    place: usize,
    group: Option<usize>,
    content: Tokens,
    hash: u64,
}

impl Page<'_, '_, '_> {
    fn cover(&mut self, mask: usize, values: impl IntoIterator<Item = String>) {
        self.covered.entry(mask).or_default().extend(values);
    }

    fn element(&mut self, node: usize, depth: usize, out: &mut Tokens) {
        let tree = self.tree;
        let on = self.masks.on(&tree.nodes[node].element, |selector| tree.is_at(node, selector));
        if let Some(&mask) = on.iter().find(|m| self.masks.get(**m).part == Part::Presence) {
            self.cover(mask, ["there".to_owned()]);
            return;
        }
        if let Some(Token::Open { name, attrs, self_closing }) =
            tree.nodes[node].open.and_then(|at| tree.tokens.get(at))
        {
            if on.iter().any(|m| matches!(self.masks.get(*m).part, Part::Attribute { .. })) {
                let attrs: Vec<(&[u8], Cow<'_, [u8]>)> =
                    attrs.iter().map(|(name, value)| (name, self.attribute(&on, name, value))).collect();
                out.push_open(name, attrs.iter().map(|(n, v)| (*n, v.as_ref())), self_closing);
            } else {
                out.push_open(name, attrs.iter(), self_closing);
            }
        }
        self.inside(node, &on, depth + 1, out);
        if let Some(close) = tree.nodes[node].close.and_then(|at| tree.tokens.get(at)) {
            out.push(close);
        }
    }

    fn attribute<'v>(&mut self, on: &[usize], attribute: &[u8], value: &'v [u8]) -> Cow<'v, [u8]> {
        let mut covered = Cow::Borrowed(value);
        for &index in on {
            if let Part::Attribute { name, like } = &self.masks.get(index).part
                && name.as_bytes() == attribute
                && let Some((value, pieces)) = like.cover(&String::from_utf8_lossy(&covered))
            {
                self.cover(index, pieces);
                covered = Cow::Owned(value.into_bytes());
            }
        }
        covered
    }

    /// What a node holds, under the masks on it.
    fn inside(&mut self, node: usize, on: &[usize], depth: usize, out: &mut Tokens) {
        if depth > DEEP {
            return self.as_it_is(node, out);
        }
        let tree = self.tree;
        let whole_text = on
            .iter()
            .copied()
            .find(|m| matches!(&self.masks.get(*m).part, Part::Text { like } if like.is_whole()));
        if whole_text.is_some() {
            out.push(Token::Text(STAND_IN.as_bytes()));
        }
        let lists = self.lists(node, depth);
        let mut listed = lists.into_iter().peekable();
        for (place, child) in tree.nodes[node].children.iter().enumerate() {
            if listed.peek().is_some_and(|(at, _)| *at == place) {
                if let Some((_, content)) = listed.next()
                    && let Some(content) = content
                {
                    content.iter().for_each(|token| out.push(token));
                }
                continue;
            }
            match *child {
                Child::Element(child) => self.element(child, depth, out),
                Child::Other(at) => tree.tokens.get(at).into_iter().for_each(|token| out.push(token)),
                Child::Text(at) => {
                    let Some(Token::Text(text)) = tree.tokens.get(at) else { continue };
                    match whole_text {
                        Some(mask) => {
                            let text = String::from_utf8_lossy(text);
                            if !text.trim().is_empty() {
                                self.cover(mask, [text.trim().to_owned()]);
                            }
                        }
                        None => {
                            let text = self.text(on, text);
                            out.push(Token::Text(&text));
                        }
                    }
                }
            }
        }
    }

    fn text<'v>(&mut self, on: &[usize], text: &'v [u8]) -> Cow<'v, [u8]> {
        let mut covered = Cow::Borrowed(text);
        for &index in on {
            if let Part::Text { like } = &self.masks.get(index).part
                && let Some((value, pieces)) = like.cover(&String::from_utf8_lossy(&covered))
            {
                self.cover(index, pieces);
                covered = Cow::Owned(value.into_bytes());
            }
        }
        covered
    }

    /// The children whose order or number does not count, each with what goes to its place; nothing goes to the
    /// place of one that is left out.
    fn lists(&mut self, node: usize, depth: usize) -> Vec<(usize, Option<Tokens>)> {
        if !self.masks.are_of_lists() {
            return Vec::new();
        }
        let tree = self.tree;
        // By their masks of that kind: items of one list share them.
        let mut lists: BTreeMap<Vec<usize>, Vec<(usize, usize)>> = BTreeMap::new();
        for (place, child) in tree.nodes[node].children.iter().enumerate() {
            let Child::Element(child) = *child else { continue };
            let on = self.masks.on(&tree.nodes[child].element, |selector| tree.is_at(child, selector));
            let of_list: Vec<usize> =
                on.into_iter().filter(|m| self.masks.get(*m).part.is_of_lists()).collect();
            if !of_list.is_empty() {
                lists.entry(of_list).or_default().push((place, child));
            }
        }
        let mut out = Vec::new();
        for (masks, items) in lists {
            out.extend(self.list(&masks, &items, depth));
        }
        out.sort_by_key(|(place, _)| *place);
        out
    }

    fn list(
        &mut self,
        masks: &[usize],
        items: &[(usize, usize)],
        depth: usize,
    ) -> Vec<(usize, Option<Tokens>)> {
        let tree = self.tree;
        let ties: Vec<(usize, &Ties)> = masks
            .iter()
            .filter_map(|m| match &self.masks.get(*m).part {
                Part::Order(ties) => Some((*m, ties)),
                _ => None,
            })
            .collect();
        let mut written: Vec<Item> = Vec::with_capacity(items.len());
        for &(place, item) in items {
            let known_by = identity(tree, item);
            let tied = ties.iter().find_map(|(mask, ties)| Some((*mask, *ties, ties.group(&known_by)?)));
            let mut content = Tokens::default();
            match tied {
                Some((mask, Ties::Groups(groups), group)) if groups[group].substitutes => {
                    // An element all the same: how many there are counts.
                    let name = tree.name(item);
                    content.push_open(name, std::iter::empty(), false);
                    content.push(Token::Text(format!("{STAND_IN} one of {group}").as_bytes()));
                    content.push(Token::Close { name });
                    self.cover(mask, [known_by]);
                }
                _ => {
                    self.element(item, depth, &mut content);
                    if let Some((mask, ..)) = tied {
                        self.cover(mask, [known_by]);
                    }
                }
            }
            let hash = hash(&content.source());
            written.push(Item { place, group: tied.map(|(_, _, group)| group), content, hash });
        }
        let mut from = 0;
        while from < written.len() {
            let group = written[from].group;
            let mut to = from + 1;
            while group.is_some() && to < written.len() && written[to].group == group {
                to += 1;
            }
            let places: Vec<usize> = written[from..to].iter().map(|item| item.place).collect();
            written[from..to].sort_by_key(|item| item.hash);
            written[from..to].iter_mut().zip(places).for_each(|(item, place)| item.place = place);
            from = to;
        }
        let length = masks.iter().copied().find(|m| self.masks.get(*m).part == Part::Length);
        if let Some(mask) = length {
            self.cover(mask, [items.len().to_string()]);
        }
        written.into_iter().map(|item| (item.place, Some(item.content))).collect()
    }

    /// A node's inside without masks, however deep it is.
    fn as_it_is(&self, node: usize, out: &mut Tokens) {
        let tree = self.tree;
        let mut left: Vec<Result<Child, usize>> =
            tree.nodes[node].children.iter().rev().map(|c| Ok(*c)).collect();
        while let Some(next) = left.pop() {
            match next {
                Ok(Child::Element(node)) => {
                    let node = &tree.nodes[node];
                    node.open
                        .and_then(|at| tree.tokens.get(at))
                        .into_iter()
                        .for_each(|token| out.push(token));
                    left.extend(node.close.map(Err));
                    left.extend(node.children.iter().rev().map(|c| Ok(*c)));
                }
                Ok(Child::Text(at) | Child::Other(at)) | Err(at) => {
                    tree.tokens.get(at).into_iter().for_each(|token| out.push(token));
                }
            }
        }
    }
}

/// A page with its masks on, as its source: for tests and for whoever wants to see it.
#[cfg(test)]
pub(crate) fn masked_source(html: &str, masks: &[super::mask::Mask]) -> String {
    let (tokens, _) = apply(&Tokens::of(html.as_bytes()), &Masks::of(masks));
    String::from_utf8(tokens.source()).unwrap()
}
