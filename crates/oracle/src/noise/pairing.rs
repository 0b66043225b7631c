//! Where two answers to the same step differ: the elements of one beside those of the other.

use std::collections::{BTreeMap, HashMap, HashSet};

use restage_html::{Attrs, Token};

use super::apply::{identity, known_by};
use super::number::aligned;
use super::selector::Level;
use super::tree::{Child, Tree};
use super::values::pattern::{Pattern, varying};

/// More places than these are no places: two different pages.
const MANY: usize = 400;
/// No deeper than this.
const DEEP: usize = 200;

/// One place where two answers differ.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) path: Vec<Level>,
    pub(crate) what: What,
    pub(crate) seen: Vec<String>,
    /// How many parts of the value differ; 1 where it is no value.
    pub(crate) parts: usize,
    /// The lists it is in, and what each was taken for: it counts where that is what they are.
    pub(crate) within: Vec<(Shape, List)>,
}

/// A path without the numbers.
pub(crate) type Shape = Vec<String>;

/// What a list of links is that differs between answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// An order in which some tie: items change places, or take each other's.
    Ties,
    /// A choice from many: each place has another item every time.
    Choice,
}

/// What differs there.
#[derive(Clone, Debug)]
pub(crate) enum What {
    Attribute {
        name: String,
        like: Pattern,
    },
    Text {
        like: Pattern,
    },
    /// Items that were seen in one order and in the other.
    Order(Vec<(String, String)>),
    /// Items that were seen in each other's place, one of them left out.
    Substitutes(Vec<(String, String)>),
    /// What the list looks like in this pair; and whether some items are left out for others.
    Vote(List, bool),
    Length,
    Presence,
}

/// Where two answers differ; none where they have too little in common.
pub(crate) fn pair(a: &Tree<'_>, b: &Tree<'_>) -> Option<Vec<Finding>> {
    let mut pairing = Pairing { a, b, findings: Vec::new(), loose: HashSet::new(), within: Vec::new() };
    pairing.nodes(0, 0, 0);
    (pairing.findings.len() <= MANY).then_some(pairing.findings)
}

struct Pairing<'p, 't> {
    a: &'p Tree<'t>,
    b: &'p Tree<'t>,
    findings: Vec<Finding>,
    /// Items whose number says nothing, as their order varies.
    loose: HashSet<usize>,
    within: Vec<(Shape, List)>,
}

impl Pairing<'_, '_> {
    fn find(&mut self, node: usize, what: What, seen: [&str; 2], parts: usize) {
        let mut path = self.a.path(node);
        // The numbers of items that change places.
        let mut at = node;
        for level in path.iter_mut().rev() {
            if self.loose.contains(&at)
                || matches!(what, What::Order(_) | What::Substitutes(_) | What::Vote(..) | What::Length)
                    && at == node
            {
                level.nth = None;
            }
            at = self.a.nodes[at].parent;
        }
        let seen = seen.into_iter().filter(|s| !s.trim().is_empty()).map(shown).collect();
        self.findings.push(Finding { path, what, seen, parts, within: self.within.clone() });
    }

    fn nodes(&mut self, a: usize, b: usize, depth: usize) {
        if depth > DEEP || self.findings.len() > MANY {
            return;
        }
        self.attributes(a, b);
        self.texts(a, b);
        let (mut in_a, mut in_b) = (by_element(self.a, a), by_element(self.b, b));
        // A closing and an opening pass: an element whose class is another on one side is the same element.
        rename(&mut in_a, &mut in_b);
        for (element, items_a) in &in_a {
            match in_b.get(element) {
                Some(items_b) => self.items(items_a, items_b, depth),
                None => items_a
                    .iter()
                    .for_each(|item| self.find(*item, What::Presence, ["there", "not there"], 1)),
            }
        }
        for (element, items) in &in_b {
            if !in_a.contains_key(element) {
                // Its path is known on the other side only.
                for item in items {
                    let path = self.b.path(*item);
                    self.findings.push(Finding {
                        path,
                        what: What::Presence,
                        seen: vec!["there".into(), "not there".into()],
                        parts: 1,
                        within: self.within.clone(),
                    });
                }
            }
        }
    }

    fn attributes(&mut self, a: usize, b: usize) {
        let (Some(in_a), Some(in_b)) = (attrs(self.a, a), attrs(self.b, b)) else { return };
        for (name, was) in in_a.iter() {
            let name = String::from_utf8_lossy(name);
            let Some(is) = in_b.get(&name) else { continue };
            if was != is {
                let (was, is) = (String::from_utf8_lossy(was), String::from_utf8_lossy(is));
                let parts = varying(&was, &is);
                for like in parts.iter().cloned() {
                    let name = name.clone().into_owned();
                    self.find(a, What::Attribute { name, like }, [&was, &is], parts.len());
                }
            }
        }
    }

    fn texts(&mut self, a: usize, b: usize) {
        if texts(self.a, a).eq(texts(self.b, b)) {
            return;
        }
        let read = |tree, node| -> Vec<String> { texts(tree, node).filter_map(words).collect() };
        let (in_a, in_b) = (read(self.a, a), read(self.b, b));
        if in_a == in_b {
            return;
        }
        if in_a.len() != in_b.len() {
            let like = Pattern::whole();
            self.find(a, What::Text { like }, [&in_a.join(" "), &in_b.join(" ")], 1);
            return;
        }
        for (was, is) in in_a.iter().zip(&in_b).filter(|(was, is)| was != is) {
            let parts = varying(was, is);
            for like in parts.iter().cloned() {
                self.find(a, What::Text { like }, [was, is], parts.len());
            }
        }
    }

    /// Siblings of one name, beside those of the same name in the other answer.
    fn items(&mut self, in_a: &[usize], in_b: &[usize], depth: usize) {
        if let ([a], [b]) = (in_a, in_b) {
            return self.nodes(*a, *b, depth + 1);
        }
        let known = |tree: &Tree<'_>, items: &[usize]| -> Vec<String> {
            items.iter().map(|item| identity(tree, *item)).collect()
        };
        let (ids_a, ids_b) = (known(self.a, in_a), known(self.b, in_b));
        let (Some(place_a), Some(place_b)) = (places(&ids_a), places(&ids_b)) else {
            return self.by_place(in_a, in_b, depth);
        };
        let gone: Vec<&String> = ids_a.iter().filter(|id| !place_b.contains_key(id.as_str())).collect();
        let new: Vec<&String> = ids_b.iter().filter(|id| !place_a.contains_key(id.as_str())).collect();
        let common: Vec<&String> = ids_a.iter().filter(|id| place_b.contains_key(id.as_str())).collect();
        let turned = inversions(&common, &place_b);
        // A link tells what an item is; a text that is another may be the same item with another text.
        let linked = in_a.iter().all(|item| known_by(self.a, *item).1);
        let differs = !turned.is_empty() || !gone.is_empty();
        if in_a.len() != in_b.len() || !differs || (!gone.is_empty() && !linked) || self.within.len() > 1 {
            return self.by_place(in_a, in_b, depth);
        }
        let list = if common.len() >= gone.len() { List::Ties } else { List::Choice };
        self.find(in_a[0], What::Vote(list, !gone.is_empty()), ["", ""], 1);
        let shape: Shape = self.a.path(in_a[0]).into_iter().map(|level| level.element).collect();
        self.within.push((shape.clone(), List::Choice));
        self.by_place(in_a, in_b, depth);
        self.within.pop();
        self.within.push((shape, List::Ties));
        let loose = self.loose.clone();
        self.loose.extend(in_a);
        if !turned.is_empty() {
            self.find(in_a[0], What::Order(turned), [&ids_a.join(", "), &ids_b.join(", ")], 1);
        }
        if !gone.is_empty() {
            let swapped: Vec<(String, String)> =
                gone.iter().zip(&new).map(|(a, b)| ((*a).clone(), (*b).clone())).collect();
            let [was, is] =
                [&gone, &new].map(|ids| ids.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(", "));
            self.find(in_a[0], What::Substitutes(swapped), [&was, &is], 1);
        }
        for id in common {
            self.nodes(in_a[place_a[id.as_str()]], in_b[place_b[id.as_str()]], depth + 1);
        }
        self.loose = loose;
        self.within.pop();
    }

    /// One by one. Where there are more on one side, the number of them varies; what is in those tells nothing.
    fn by_place(&mut self, in_a: &[usize], in_b: &[usize], depth: usize) {
        if in_a.len() == in_b.len() {
            in_a.iter().zip(in_b).for_each(|(a, b)| self.nodes(*a, *b, depth + 1));
            return;
        }
        let (was, is) = (in_a.len().to_string(), in_b.len().to_string());
        self.loose.extend(in_a);
        self.find(in_a[0], What::Length, [&was, &is], 1);
        for (a, b) in aligned((self.a, in_a), (self.b, in_b)) {
            self.nodes(a, b, depth + 1);
        }
    }
}

/// Children by the name they go by. Siblings that share it are one list.
fn by_element<'p>(tree: &'p Tree<'_>, node: usize) -> BTreeMap<&'p str, Vec<usize>> {
    let mut out: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for child in tree.elements(node) {
        out.entry(&tree.nodes[child].element).or_default().push(child);
    }
    out
}

/// An only child of its tag that goes by another name on the other side is the same child.
fn rename<'p>(in_a: &mut BTreeMap<&'p str, Vec<usize>>, in_b: &mut BTreeMap<&'p str, Vec<usize>>) {
    if in_a.keys().eq(in_b.keys()) {
        return;
    }
    let tag = |element: &'p str| element.split(['.', '#', '[']).next().unwrap_or_default();
    let alone = |of: &BTreeMap<&'p str, Vec<usize>>,
                 other: &BTreeMap<&'p str, Vec<usize>>|
     -> HashMap<&'p str, &'p str> {
        let mut alone: HashMap<&str, Vec<&str>> = HashMap::new();
        for (element, items) in of.iter().filter(|(element, _)| !other.contains_key(*element)) {
            alone.entry(tag(element)).or_default().extend(items.iter().map(|_| element));
        }
        alone.into_iter().filter(|(_, e)| e.len() == 1).map(|(tag, e)| (tag, e[0])).collect()
    };
    let (only_a, only_b) = (alone(in_a, in_b), alone(in_b, in_a));
    for (tag, was) in only_a {
        if let Some(is) = only_b.get(tag)
            && let Some(items) = in_b.remove(is)
        {
            in_b.insert(was, items);
        }
    }
}

fn attrs<'t>(tree: &Tree<'t>, node: usize) -> Option<Attrs<'t>> {
    match tree.tokens.get(tree.nodes[node].open?)? {
        Token::Open { attrs, .. } => Some(attrs),
        _ => None,
    }
}

/// The texts right inside a node.
fn texts<'t>(tree: &Tree<'t>, node: usize) -> impl Iterator<Item = &'t [u8]> {
    tree.nodes[node].children.iter().filter_map(|child| match child {
        Child::Text(at) => match tree.tokens.get(*at) {
            Some(Token::Text(text)) => Some(text),
            _ => None,
        },
        _ => None,
    })
}

/// A text's words; none of nothing but white space.
fn words(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// Where each item is; none where two go by the same name.
fn places(ids: &[String]) -> Option<HashMap<&str, usize>> {
    let places: HashMap<&str, usize> = ids.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
    (places.len() == ids.len()).then_some(places)
}

/// Neighbours in the other order that are the other way round: enough to tell who ties, as ties carry over.
fn inversions(common: &[&String], place: &HashMap<&str, usize>) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let at: Vec<usize> = common.iter().map(|id| place[id.as_str()]).collect();
    for i in 0..at.len() {
        for j in i + 1..at.len().min(i + 200) {
            if at[i] > at[j] {
                out.push((common[i].clone(), common[j].clone()));
            }
        }
    }
    out
}

fn shown(value: &str) -> String {
    restage_model::shortened(value.trim())
}
