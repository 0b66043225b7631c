//! Element-wise comparison of two XML bodies: feeds, SOAP, site maps.
//!
//! The order of attributes, white space between and around words, comments, processing instructions and the
//! document type are not looked at. Names are compared with their prefixes as written. Elements are lined up
//! first, so that one put in is one difference. Bodies that are not well formed, on both sides, are compared
//! as lines of text, and so are bodies that nest too deep to follow.
//!
//! - `node`: a body as a tree, each element with its hash.

mod node;

use std::collections::HashMap;

use restage_model::{Difference, Place, shortened};

use crate::body::plain::tell_lines;
use crate::diff::align::{Sameness, Uneven, in_order};
use crate::diff::collector::DifferenceCollector;
use node::{Content, Element, Node, Unread};

/// What differs between two XML bodies.
pub fn xml_differences(expected: &[u8], actual: &[u8]) -> Vec<Difference> {
    if expected == actual {
        return Vec::new();
    }
    let mut found = DifferenceCollector::by("XML");
    let validity = |now_valid, why| Place::Validity { format: "XML".to_owned(), now_valid, why };
    let text = |body: &[u8]| String::from_utf8_lossy(body).into_owned();
    match (Node::read(expected), Node::read(actual)) {
        (Ok(expected), Ok(actual)) => {
            let mut comparison = Comparison { path: String::new(), found: &mut found };
            comparison.children(std::slice::from_ref(&expected), std::slice::from_ref(&actual));
        }
        (Ok(_), Err(Unread::Malformed(why))) => {
            found.changed(|| (validity(false, why), text(expected), text(actual)));
        }
        (Err(Unread::Malformed(why)), Ok(_)) => {
            found.changed(|| (validity(true, why), text(expected), text(actual)));
        }
        _ => tell_lines(&mut found, expected, actual),
    }
    found.finish()
}

struct Comparison<'s> {
    /// The element it is in: `/rss/channel`.
    path: String,
    found: &'s mut DifferenceCollector,
}

impl Comparison<'_> {
    fn children(&mut self, before: &[Node], after: &[Node]) {
        let uneven = in_order(before, after, &Sameness::Hash);
        if uneven.is_empty() {
            return;
        }
        let (places_before, places_after) = (segments(before), segments(after));
        for place in uneven {
            match place {
                Uneven::Changed(e, a) => {
                    self.within(&places_before[e], |this| this.nodes(&before[e], &after[a]));
                }
                Uneven::Gone(e) => self.within(&places_before[e], |this| {
                    let (place, was) = this.named(&before[e]);
                    this.found.add(|| (place, Some(was), None));
                }),
                Uneven::Appeared(a) => self.within(&places_after[a], |this| {
                    let (place, is) = this.named(&after[a]);
                    this.found.add(|| (place, None, Some(is)));
                }),
            }
        }
    }

    fn nodes(&mut self, expected: &Node, actual: &Node) {
        match (&expected.content, &actual.content) {
            (Content::Element(before), Content::Element(after)) => {
                self.attributes(before, after);
                self.children(&before.children, &after.children);
            }
            (Content::Text(before), Content::Text(after)) => {
                let place = self.place(None, true);
                self.found.changed(|| (place, before.clone(), after.clone()));
            }
            _ => {}
        }
    }

    fn attributes(&mut self, before: &Element, after: &Element) {
        let (mut before, mut after) =
            (before.attributes.iter().peekable(), after.attributes.iter().peekable());
        while let Some(name) = before.peek().into_iter().chain(after.peek()).map(|(name, _)| name).min() {
            let was = before.next_if(|(n, _)| n == name).map(|(_, value)| value.as_str());
            let is = after.next_if(|(n, _)| n == name).map(|(_, value)| value.as_str());
            self.attribute(name, was, is);
        }
    }

    fn attribute(&mut self, name: &str, was: Option<&str>, is: Option<&str>) {
        if was == is {
            return;
        }
        let place = self.place(Some(name.to_owned()), false);
        self.found.add(|| (place, was.map(str::to_owned), is.map(str::to_owned)));
    }

    /// An element by its path; a text by what it says and the path of what it is in.
    fn named(&self, node: &Node) -> (Place, String) {
        match &node.content {
            Content::Element(_) => (self.place(None, false), node.to_string()),
            Content::Text(text) => (self.place(None, true), text.clone()),
        }
    }

    fn place(&self, attribute: Option<String>, text: bool) -> Place {
        Place::Xml { path: self.path.clone(), attribute, text }
    }

    fn within(&mut self, segment: &str, compare: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(segment);
        compare(self);
        self.path.truncate(length);
    }
}

/// What each child adds to the path: its name, and which it is where several have it. Text adds nothing.
fn segments(children: &[Node]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in children.iter().filter_map(name) {
        *counts.entry(name).or_default() += 1;
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut segments = Vec::with_capacity(children.len());
    for child in children {
        let Some(name) = name(child) else {
            segments.push(String::new());
            continue;
        };
        let nth = seen.entry(name).or_default();
        *nth += 1;
        let alone = counts.get(name) == Some(&1);
        let name = shortened(name);
        segments.push(if alone { format!("/{name}") } else { format!("/{name}[{nth}]") });
    }
    segments
}

fn name(node: &Node) -> Option<&str> {
    match &node.content {
        Content::Element(element) => Some(&element.name),
        Content::Text(_) => None,
    }
}

#[cfg(test)]
mod tests;
