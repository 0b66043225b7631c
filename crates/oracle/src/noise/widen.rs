//! From single places to masks: siblings that vary alike are one place, and what stands around a part counts
//! where it is the same everywhere.

use std::collections::{BTreeMap, BTreeSet};

use super::mask::{Mask, Part};
use super::pairing::{Finding, List, Shape, What};
use super::selector::{Level, Selector};
use super::source;
use super::ties::Gathered;
use super::values::atoms::Class;
use super::values::pattern::Pattern;

/// What is shown of what was seen.
const SEEN: usize = 3;

/// Gathers places and makes masks of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Widened {
    ties_all: bool,
    findings: Vec<Finding>,
    votes: BTreeMap<Shape, Votes>,
}

/// What a list was taken for, pair by pair.
#[derive(Clone, Copy, Debug, Default)]
struct Votes {
    ties: usize,
    choice: usize,
    substitutes: usize,
}

/// Parts of different kinds are never one: a date beside a text does not make all texts vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Date,
    Number,
    Loose,
}

/// Where something varies: the numbers on the way to it, and what was seen.
#[derive(Clone, Debug, Default)]
struct Place {
    numbers: BTreeSet<Vec<Option<u32>>>,
    seen: BTreeSet<String>,
    patterns: BTreeSet<Pattern>,
    /// The most parts that one value had.
    parts: usize,
    ties: Gathered,
}

/// What varies there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Varies {
    Presence,
    Length,
    Order,
    Value(Option<String>, Kind),
}

impl Widened {
    /// Nothing so far. `ties_all`: too little is seen to tell which items of a list tie.
    pub(crate) fn new(ties_all: bool) -> Self {
        Self { ties_all, ..Self::default() }
    }

    pub(crate) fn add(&mut self, finding: Finding) {
        let What::Vote(list, substitutes) = finding.what else { return self.findings.push(finding) };
        let votes = self.votes.entry(shape(&finding)).or_default();
        match list {
            List::Ties => votes.ties += 1,
            List::Choice => votes.choice += 1,
        }
        votes.substitutes += usize::from(substitutes);
    }

    /// What a list is, by most of what was seen of it.
    fn list(&self, shape: &Shape) -> List {
        let votes = self.votes.get(shape).copied().unwrap_or_default();
        let choice =
            votes.choice * 5 >= votes.ties + votes.choice || (self.ties_all && votes.substitutes > 0);
        if choice { List::Choice } else { List::Ties }
    }

    /// The masks that cover all of it.
    pub(crate) fn masks(&self) -> Vec<Mask> {
        let mut places: BTreeMap<(Varies, Shape), Place> = BTreeMap::new();
        for finding in &self.findings {
            if finding.within.iter().any(|(shape, list)| self.list(shape) != *list) {
                continue;
            }
            let varies = match &finding.what {
                What::Attribute { name, like } => Varies::Value(Some(name.clone()), kind(like)),
                What::Text { like } => Varies::Value(None, kind(like)),
                What::Order(_) | What::Substitutes(_) => Varies::Order,
                What::Length => Varies::Length,
                What::Presence => Varies::Presence,
                What::Vote(..) => continue,
            };
            let place = places.entry((varies, shape(finding))).or_default();
            place.numbers.insert(finding.path.iter().map(|level| level.nth).collect());
            place.parts = place.parts.max(finding.parts);
            match &finding.what {
                What::Attribute { like, .. } | What::Text { like } => {
                    place.patterns.insert(like.clone());
                }
                What::Order(pairs) => pairs.iter().for_each(|(a, b)| place.ties.tie(a, b)),
                What::Substitutes(pairs) => pairs.iter().for_each(|(a, b)| place.ties.substitute(a, b)),
                _ => {}
            }
            remember(&mut place.seen, &finding.seen);
        }
        let mut out = Vec::new();
        for ((varies, shape), mut place) in places {
            let at = selector(&shape, &place.numbers);
            let parts = match varies {
                Varies::Presence => vec![Part::Presence],
                Varies::Length => vec![Part::Length],
                Varies::Order => vec![Part::Order(place.ties.ties(self.ties_all))],
                Varies::Value(attribute, _) => patterns(&place.patterns, place.parts)
                    .into_iter()
                    .map(|like| match &attribute {
                        Some(name) => Part::Attribute { name: name.clone(), like },
                        None => Part::Text { like },
                    })
                    .collect(),
            };
            out.extend(parts.into_iter().map(|part| Mask {
                at: at.clone(),
                part,
                seen: place.seen.clone(),
                sessions: BTreeSet::new(),
            }));
        }
        drop_covered(out)
    }
}

fn shape(finding: &Finding) -> Shape {
    finding.path.iter().map(|level| level.element.clone()).collect()
}

fn kind(like: &Pattern) -> Kind {
    match like.class {
        Class::Ago | Class::Day | Class::Date => Kind::Date,
        Class::Number => Kind::Number,
        Class::Token | Class::Word | Class::Text => Kind::Loose,
    }
}

fn remember(seen: &mut BTreeSet<String>, more: &[String]) {
    for value in more {
        if seen.len() < SEEN {
            seen.insert(value.clone());
        }
    }
}

/// A path that names all these places: a level keeps its number where it is the same in all of them. Items of a
/// list are alike by nature.
fn selector(shape: &Shape, numbers: &BTreeSet<Vec<Option<u32>>>) -> Selector {
    let level = |(at, element): (usize, &String)| {
        let mut nth = numbers.iter().map(|n| n[at]);
        let first = nth.next().flatten();
        let tag = element.split(['.', '#', '[']).next().unwrap_or_default();
        let alike = matches!(tag, "li" | "tr" | "option" | "dt" | "dd") || element == source::ITEM;
        Level { element: element.clone(), nth: first.filter(|_| !alike && nth.all(|n| n == first)) }
    };
    Selector(shape.iter().enumerate().map(level).collect())
}

/// As few patterns as one value has parts. More than that means that what stands around a part is other from value to
/// value, and says nothing.
fn patterns(of: &BTreeSet<Pattern>, parts: usize) -> Vec<Pattern> {
    let class = of.iter().map(|p| p.class).max().unwrap_or(Class::Text);
    if of.iter().any(Pattern::is_whole) {
        return vec![Pattern::whole()];
    }
    if of.len() <= parts {
        return of.iter().cloned().collect();
    }
    // What stands before says more than what stands after: it is the label.
    let before: BTreeSet<Pattern> =
        of.iter().map(|p| Pattern { before: p.before.clone(), ..Pattern::bare(class) }).collect();
    let after: BTreeSet<Pattern> =
        of.iter().map(|p| Pattern { after: p.after.clone(), ..Pattern::bare(class) }).collect();
    let bare = |p: &Pattern| p.before.is_empty() && p.after.is_empty();
    for side in [before, after] {
        if side.len() <= parts && !side.iter().any(bare) {
            return side.into_iter().collect();
        }
    }
    vec![Pattern::bare(class)]
}

/// Without masks that another one covers: the same part of the same elements, or of more.
fn drop_covered(masks: Vec<Mask>) -> Vec<Mask> {
    let covers = |wide: &Mask, narrow: &Mask| {
        let of_same = match (&wide.part, &narrow.part) {
            (Part::Attribute { name: a, like }, Part::Attribute { name: b, like: other }) => {
                a == b && (like.is_whole() || like == other)
            }
            (Part::Text { like }, Part::Text { like: other }) => like.is_whole() || like == other,
            (a, b) => a == b,
        };
        of_same && (wide.at == narrow.at || wide.at.matches(&narrow.at.0))
    };
    let mut kept: Vec<Mask> = Vec::new();
    for mask in masks {
        if kept.iter().any(|k| covers(k, &mask)) {
            continue;
        }
        kept.retain(|k| !covers(&mask, k));
        kept.push(mask);
    }
    kept
}
