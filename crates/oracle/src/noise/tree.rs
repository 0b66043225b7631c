//! The elements of a page, as far as they nest.
//!
//! Not the tree that a browser builds: tags that are never closed end with their parent, a list item ends at the
//! next, and a closing tag that closes nothing is kept where it stands. Every token is in the tree once, in order.

use std::borrow::Cow;

use restage_html::{Token, Tokens};

use super::selector::{Level, Selector, element};
use crate::page::elements::Element;

/// A page's elements; the first node is the page itself.
pub(crate) struct Tree<'t> {
    pub(crate) tokens: &'t Tokens,
    pub(crate) nodes: Vec<Node<'t>>,
}

/// An element.
#[derive(Debug)]
pub(crate) struct Node<'t> {
    /// Its opening tag; none of the page itself.
    pub(crate) open: Option<usize>,
    /// Its closing tag, where it has one.
    pub(crate) close: Option<usize>,
    pub(crate) parent: usize,
    pub(crate) children: Vec<Child>,
    /// Its tag with what tells it from its siblings.
    pub(crate) element: Cow<'t, str>,
    /// Whether it is known by that among all elements.
    anchor: bool,
    /// Its number among the siblings that share its name, where there are several.
    pub(crate) nth: Option<u32>,
}

/// What an element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Child {
    /// An element, by its node.
    Element(usize),
    /// A text, by its token.
    Text(usize),
    /// A comment, a document type, or a closing tag that closes nothing, by its token.
    Other(usize),
}

impl<'t> Tree<'t> {
    pub(crate) fn of(tokens: &'t Tokens) -> Self {
        let root = Node {
            open: None,
            close: None,
            parent: 0,
            children: Vec::new(),
            element: Cow::Borrowed(""),
            anchor: false,
            nth: None,
        };
        // About one token in three opens an element: the others are texts and closing tags.
        let mut nodes = Vec::with_capacity(tokens.len() / 3 + 1);
        nodes.push(root);
        let mut tree = Self { tokens, nodes };
        let mut open = vec![0];
        for (at, token) in tokens.iter().enumerate() {
            let inner = open.last().copied().unwrap_or(0);
            match token {
                Token::Open { name, attrs, self_closing } => {
                    let ended = ends(name);
                    while let Some(&last) = open.last()
                        && last != 0
                        && ended.contains(&tree.name(last))
                    {
                        open.pop();
                    }
                    let parent = open.last().copied().unwrap_or(0);
                    let (element, anchor) = element(name, attrs);
                    let node = Node {
                        open: Some(at),
                        close: None,
                        parent,
                        children: Vec::new(),
                        element,
                        anchor,
                        nth: None,
                    };
                    tree.nodes.push(node);
                    let index = tree.nodes.len() - 1;
                    tree.nodes[parent].children.push(Child::Element(index));
                    if !self_closing && !Element::of(name).is_void() {
                        open.push(index);
                    }
                }
                Token::Close { name } => {
                    // No further than a page nests: a stray closing tag is not looked for everywhere.
                    let place =
                        open.iter().rev().take(256).position(|node| *node != 0 && tree.name(*node) == name);
                    match place {
                        Some(up) => {
                            let node = open[open.len() - 1 - up];
                            open.truncate(open.len() - 1 - up);
                            tree.nodes[node].close = Some(at);
                        }
                        None => tree.nodes[inner].children.push(Child::Other(at)),
                    }
                }
                Token::Text(_) => tree.nodes[inner].children.push(Child::Text(at)),
                Token::Comment(_) | Token::Doctype(_) => tree.nodes[inner].children.push(Child::Other(at)),
            }
        }
        tree.number();
        tree
    }

    /// A node's tag.
    pub(crate) fn name(&self, node: usize) -> &'t [u8] {
        match self.nodes[node].open.and_then(|at| self.tokens.get(at)) {
            Some(Token::Open { name, .. }) => name,
            _ => b"",
        }
    }

    /// The elements that a node holds.
    pub(crate) fn elements(&self, node: usize) -> impl Iterator<Item = usize> {
        self.nodes[node].children.iter().filter_map(|child| match child {
            Child::Element(node) => Some(*node),
            _ => None,
        })
    }

    /// The path to a node, from the nearest element that is known by itself.
    pub(crate) fn path(&self, node: usize) -> Vec<Level> {
        let mut path: Vec<Level> =
            self.upwards(node).map(|(element, nth)| Level { element: element.to_owned(), nth }).collect();
        path.reverse();
        path
    }

    /// Whether a selector names a node.
    pub(crate) fn is_at(&self, node: usize, selector: &Selector) -> bool {
        selector.matches_upwards(self.upwards(node))
    }

    /// The path to a node, from the node up.
    fn upwards(&self, node: usize) -> impl Iterator<Item = (&str, Option<u32>)> {
        let above = |at: &usize| {
            let Node { anchor, parent, .. } = &self.nodes[*at];
            (!anchor && *parent != 0).then_some(*parent)
        };
        std::iter::successors((node != 0).then_some(node), above)
            .map(|at| (&*self.nodes[at].element, self.nodes[at].nth))
            .enumerate()
            .filter(|(place, (element, _))| *place == 0 || !matches!(*element, "html" | "body"))
            .map(|(_, level)| level)
            .take(64)
    }

    /// Numbers siblings that share a name.
    fn number(&mut self) {
        // How many there are of a name so far, and the first of them.
        let mut counts: foldhash::HashMap<&str, (u32, usize)> = foldhash::HashMap::default();
        let mut numbers: Vec<(usize, u32)> = Vec::new();
        for node in (0..self.nodes.len()).filter(|node| self.elements(*node).nth(1).is_some()) {
            counts.clear();
            for child in self.elements(node) {
                let (count, first) = counts.entry(&self.nodes[child].element).or_insert((0, child));
                *count += 1;
                match *count {
                    1 => {}
                    2 => numbers.extend([(*first, 1), (child, 2)]),
                    count => numbers.push((child, count)),
                }
            }
        }
        numbers.into_iter().for_each(|(node, number)| self.nodes[node].nth = Some(number));
    }
}

/// The elements that a tag ends by opening, where they are still open.
fn ends(name: &[u8]) -> &'static [&'static [u8]] {
    match name {
        b"li" => &[b"li", b"p"],
        b"dt" | b"dd" => &[b"dt", b"dd", b"p"],
        b"option" | b"optgroup" => &[b"option"],
        b"td" | b"th" => &[b"td", b"th", b"p"],
        b"tr" => &[b"td", b"th", b"tr", b"p"],
        b"thead" | b"tbody" | b"tfoot" => &[b"td", b"th", b"tr", b"thead", b"tbody", b"tfoot"],
        b"p" | b"div" | b"ul" | b"ol" | b"dl" | b"table" | b"form" | b"section" | b"article" | b"h1"
        | b"h2" | b"h3" | b"h4" | b"pre" | b"hr" | b"fieldset" | b"header" | b"footer" | b"nav" | b"main"
        | b"aside" => &[b"p"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::super::selector::Selector;
    use super::*;

    fn paths(html: &str) -> Vec<String> {
        let tokens = Tokens::of(html.as_bytes());
        let tree = Tree::of(&tokens);
        (1..tree.nodes.len()).map(|node| Selector(tree.path(node)).to_string()).collect()
    }

    #[test]
    fn elements_are_named_by_what_tells_them_apart() {
        assert_eq!(
            paths(
                "<html><body><div class=box><p>a<p>b</div><ul id=news><li>x<li><a>y</a></ul><input name=q></body>"
            ),
            [
                "html",
                "body",
                "div.box",
                "div.box > p:nth(1)",
                "div.box > p:nth(2)",
                "ul#news",
                "ul#news > li:nth(1)",
                "ul#news > li:nth(2)",
                "ul#news > li:nth(2) > a",
                "input[name=\"q\"]"
            ]
        );
    }

    #[test]
    fn every_token_is_in_the_tree_once_and_in_order() {
        for html in [
            "</b><p>a</i><b>c<p>d</b></p></p>e<!-- x -->",
            "<table><tr><td>1<td>2<tr><td>3</table>",
            "<a><a></a>",
        ] {
            let tokens = Tokens::of(html.as_bytes());
            let tree = Tree::of(&tokens);
            let mut seen = Vec::new();
            collect(&tree, 0, &mut seen);
            assert_eq!(seen, (0..tokens.len()).collect::<Vec<_>>(), "{html}");
        }
    }

    fn collect(tree: &Tree<'_>, node: usize, out: &mut Vec<usize>) {
        out.extend(tree.nodes[node].open);
        for child in &tree.nodes[node].children {
            match child {
                Child::Element(node) => collect(tree, *node, out),
                Child::Text(at) | Child::Other(at) => out.push(*at),
            }
        }
        out.extend(tree.nodes[node].close);
    }
}
