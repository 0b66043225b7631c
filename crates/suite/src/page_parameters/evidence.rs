//! What the pages of one path say of one parameter.

use std::collections::{BTreeMap, BTreeSet};

use restage_model::{KeyRules, PageParameter};

use super::page_features::DocumentKind;
use super::seen_page::{SeenAnswer, SeenPage};

/// So much of its own a page must have to be told from others.
const OWN: usize = 3;
/// Of that, so much must be fields, buttons and what they are called.
const CONTROLS: usize = 2;

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// Its values lead to different pages.
    Pages,
    /// Its values are data: they lead to the same page with other content.
    Data,
    /// Not enough was seen.
    Unknown,
}

/// The pages of one path, and what is known so far.
pub(super) struct Evidence<'a> {
    pub(super) pages: &'a [SeenPage],
    pub(super) rules: &'a KeyRules,
    /// What was found by now, on all paths.
    pub(super) found: &'a [PageParameter],
    /// Whether a parameter of this path is data.
    pub(super) is_data: &'a dyn Fn(&str) -> bool,
    /// Whether something of a page is also on pages of other paths; none where there are no others.
    pub(super) is_elsewhere: Option<&'a dyn Fn(u64) -> bool>,
}

/// How two pages compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    Alike,
    Unlike,
    Unclear,
}

impl Evidence<'_> {
    /// What the pages say of a parameter.
    pub(super) fn of(&self, name: &str) -> Finding {
        // A page that has the parameter with another kind of value says nothing.
        let pages: Vec<(Option<&str>, &SeenPage)> =
            self.pages.iter().filter_map(|page| Some((page.value(name).ok()?, page))).collect();
        let named: BTreeSet<&str> = pages.iter().filter_map(|(value, _)| *value).collect();
        if named.len() < 2 {
            return Finding::Unknown;
        }
        let frames = self.frames(&pages);
        let targets = self.targets(&pages);
        let own: Vec<Own> = pages.iter().map(|(_, page)| Own::of(page, &frames)).collect();
        let mut values = Values::default();
        for (at, (value, page)) in pages.iter().enumerate() {
            for (other_at, (other_value, other)) in pages.iter().enumerate().skip(at + 1) {
                let (Some(value), Some(other_value)) = (value, other_value) else { continue };
                if value == other_value || !page.differs_only_in(other, name, self.is_data) {
                    continue;
                }
                let likeness = match (&page.answer, &other.answer) {
                    (SeenAnswer::Page { kind, .. }, SeenAnswer::Page { kind: other_kind, .. }) => {
                        let comparable = kind == other_kind && frames.contains_key(kind);
                        if comparable {
                            own[at].likeness(&own[other_at], named.len())
                        } else {
                            Likeness::Unclear
                        }
                    }
                    (SeenAnswer::Redirect(_), SeenAnswer::Redirect(_)) => {
                        let method = page.method.as_str();
                        match (targets.get(&(method, *value)), targets.get(&(method, *other_value))) {
                            (Some(Some(a)), Some(Some(b))) if a == b => Likeness::Alike,
                            (Some(Some(_)), Some(Some(_))) => Likeness::Unlike,
                            _ => Likeness::Unclear,
                        }
                    }
                    _ => Likeness::Unclear,
                };
                values.note(value, other_value, likeness);
            }
        }
        values.finding()
    }

    /// By kind of document, the frame: what nearly all values share, the pages without the parameter among them. Where there are
    /// none of these, what they share may be the one page that they all are: then it must be seen elsewhere, too. A
    /// kind whose frame cannot be told is left out.
    fn frames(&self, pages: &[(Option<&str>, &SeenPage)]) -> BTreeMap<DocumentKind, BTreeSet<u64>> {
        let mut by_kind: BTreeMap<DocumentKind, BTreeMap<Option<&str>, BTreeSet<u64>>> = BTreeMap::new();
        for (value, page) in pages {
            if let SeenAnswer::Page { kind, all, .. } = &page.answer {
                by_kind.entry(*kind).or_default().entry(*value).or_default().extend(all);
            }
        }
        let mut frames = BTreeMap::new();
        for (kind, by_value) in by_kind {
            let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
            for feature in by_value.values().flatten() {
                *counts.entry(*feature).or_default() += 1;
            }
            let is_shared = |count: usize| count * 4 >= by_value.len() * 3;
            let confirmed = |feature: u64| match self.is_elsewhere {
                Some(is_elsewhere) if !by_value.contains_key(&None) => is_elsewhere(feature),
                _ => true,
            };
            let lone = !by_value.contains_key(&None) && self.is_elsewhere.is_none() && by_value.len() < 3;
            if !lone {
                let frame =
                    counts.into_iter().filter(|(feature, count)| is_shared(*count) && confirmed(*feature));
                frames.insert(kind, frame.map(|(feature, _)| feature).collect());
            }
        }
        frames
    }

    /// Where each value redirects to, by method; none where that is not always the same.
    fn targets<'p>(
        &self,
        pages: &[(Option<&'p str>, &'p SeenPage)],
    ) -> BTreeMap<(&'p str, &'p str), Option<String>> {
        let mut targets: BTreeMap<(&str, &str), Option<String>> = BTreeMap::new();
        for (value, page) in pages {
            if let (Some(value), SeenAnswer::Redirect(target)) = (value, &page.answer) {
                let target = target.page(self.rules, self.found);
                let known = targets.entry((&page.method, value)).or_insert_with(|| Some(target.clone()));
                *known = known.take().filter(|known| *known == target);
            }
        }
        targets
    }
}

/// What a page has beside the frame.
struct Own {
    all: BTreeSet<u64>,
    controls: usize,
}

impl Own {
    fn of(page: &SeenPage, frames: &BTreeMap<DocumentKind, BTreeSet<u64>>) -> Self {
        let SeenAnswer::Page { kind, all, controls } = &page.answer else {
            return Self { all: BTreeSet::new(), controls: 0 };
        };
        let none = BTreeSet::new();
        let frame = frames.get(kind).unwrap_or(&none);
        Self { all: all.difference(frame).copied().collect(), controls: controls.difference(frame).count() }
    }

    fn likeness(&self, other: &Self, values: usize) -> Likeness {
        let (less, more) = (self.all.len().min(other.all.len()), self.all.len().max(other.all.len()));
        let common = self.all.intersection(&other.all).count();
        if more < OWN || common * 5 >= less * 2 && common > 0 {
            return Likeness::Alike;
        }
        let (fewer, most) = (self.controls.min(other.controls), self.controls.max(other.controls));
        // Of two values alone, one may be the same page with a part that the other happens not to have.
        let worked_with = fewer >= CONTROLS || values > 2 && most >= CONTROLS;
        if less >= OWN && common * 4 < less && worked_with { Likeness::Unlike } else { Likeness::Unclear }
    }
}

/// The values that were compared, two at a time, each pair in order.
#[derive(Default)]
struct Values {
    alike: BTreeSet<(String, String)>,
    unlike: BTreeSet<(String, String)>,
}

impl Values {
    fn note(&mut self, a: &str, b: &str, likeness: Likeness) {
        let pair = (a.min(b).to_owned(), a.max(b).to_owned());
        match likeness {
            Likeness::Alike => self.alike.insert(pair),
            Likeness::Unlike => self.unlike.insert(pair),
            Likeness::Unclear => false,
        };
    }

    /// Whether two values lead to pages that are unlike, wherever they were compared.
    fn are_unlike(&self, a: &str, b: &str) -> bool {
        let pair = (a.min(b).to_owned(), a.max(b).to_owned());
        self.unlike.contains(&pair) && !self.alike.contains(&pair)
    }

    /// Groups of values that are alike, none of them unlike another.
    fn groups(&self) -> Vec<BTreeSet<&str>> {
        let all: BTreeSet<&str> =
            self.alike.iter().chain(&self.unlike).flat_map(|(a, b)| [a.as_str(), b.as_str()]).collect();
        let mut groups: Vec<BTreeSet<&str>> = all.into_iter().map(|value| BTreeSet::from([value])).collect();
        for (a, b) in &self.alike {
            let place = |value: &str| groups.iter().position(|group| group.contains(value));
            let (Some(a), Some(b)) = (place(a), place(b)) else { continue };
            let apart = groups[a].iter().any(|a| groups[b].iter().any(|b| self.are_unlike(a, b)));
            if a != b && !apart {
                let moved = groups.swap_remove(a.max(b));
                groups[a.min(b)].extend(moved);
            }
        }
        groups
    }

    fn finding(&self) -> Finding {
        let groups = self.groups();
        let all: usize = groups.iter().map(BTreeSet::len).sum();
        let largest = groups.iter().map(BTreeSet::len).max().unwrap_or(0);
        if largest * 2 > all {
            if self.alike.is_empty() { Finding::Unknown } else { Finding::Data }
        } else if self.unlike.iter().any(|(a, b)| self.are_unlike(a, b)) {
            Finding::Pages
        } else {
            Finding::Unknown
        }
    }
}
