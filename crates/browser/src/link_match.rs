//! Which link of another version of a page is the one that was followed.
//!
//! A link is known by all that leads to its address: an image and a text to the same place are one link. Of many with the
//! same text, as `Edit` in each row of a list, [`alike`](crate::alike) says which is meant.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use restage_model::Key;

use crate::alike::{Alike, Reason, counterpart as one_of};
use crate::likeness::{parts_of, without_ids, without_numbers};
use crate::loaded_page::LoadedPage;

/// What became of a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Click {
    /// The first page has no such link: the address was typed, or a script asked.
    NotALink,
    /// The other page offers it here, path and query; and why this is thought to be it.
    Offered(String, String),
    /// The other page does not offer the link of this text.
    Gone(String),
}

/// Finds the counterpart on the live page of a click that led from the recorded one to `wanted`. Structure comes before
/// value: a link is known by its text and the shape of its address.
pub fn matching_link(recorded: &LoadedPage, live: &LoadedPage, wanted: &str) -> Click {
    let recorded = Destinations::of(recorded, recorded.links(), true);
    let Some(followed) = recorded.to(wanted) else { return Click::NotALink };
    match counterpart(&recorded, followed, &Destinations::of(live, live.links(), true)) {
        Some((uri, why)) => Click::Offered(uri, why),
        None => Click::Gone(recorded.labels(followed).first().copied().unwrap_or_default().to_owned()),
    }
}

/// Finds the counterpart of what a page made the browser ask for: an image, a script, a style. A page may well do
/// without one: that is no click which is no longer possible.
pub fn matching_resource(recorded: &LoadedPage, live: &LoadedPage, wanted: &str) -> Option<(String, String)> {
    let recorded = Destinations::of(recorded, recorded.resources(), false);
    let followed = recorded.to(wanted)?;
    counterpart(&recorded, followed, &Destinations::of(live, live.resources(), false))
}

/// An address within the application, and the links that lead there.
struct Destination<'a> {
    uri: Cow<'a, str>,
    /// The text of each link, and its place on the page.
    links: Vec<(&'a str, usize)>,
}

impl Destination<'_> {
    /// The place of its link of a text.
    fn called(&self, is_text: &dyn Fn(&str) -> bool) -> Option<usize> {
        self.links.iter().find(|(text, _)| is_text(text)).map(|(_, at)| *at)
    }
}

/// Where a page's links lead, each address once, in order.
struct Destinations<'a> {
    page: &'a LoadedPage,
    all: Vec<Destination<'a>>,
    /// Whether what stands beside a link can be asked for.
    has_beside: bool,
}

/// Destinations of one kind: which they are, and the places of their links.
type Kin = Vec<(usize, usize)>;

impl<'a> Destinations<'a> {
    fn of(page: &'a LoadedPage, links: &'a [restage_html::Link], has_beside: bool) -> Self {
        let mut all: Vec<Destination<'a>> = Vec::new();
        let mut known: HashMap<Cow<'a, str>, usize> = HashMap::new();
        for (at, link) in links.iter().enumerate() {
            let Some(uri) = page.uri(&link.href) else { continue };
            let n = *known.entry(uri.clone()).or_insert_with(|| {
                all.push(Destination { uri, links: Vec::new() });
                all.len() - 1
            });
            all[n].links.push((link.text.as_str(), at));
        }
        Self { page, all, has_beside }
    }

    fn to(&self, uri: &str) -> Option<usize> {
        self.all.iter().position(|there| there.uri == uri)
    }

    fn uri(&self, at: usize) -> &str {
        &self.all[at].uri
    }

    /// The texts of the links to an address: those that lead to the fewest others first, and what says nothing last.
    fn labels(&self, at: usize) -> Vec<&'a str> {
        let mut labels: Vec<&'a str> = Vec::new();
        for (text, _) in &self.all[at].links {
            if !labels.contains(text) {
                labels.push(text);
            }
        }
        let others = |text: &str| self.all.iter().filter(|d| d.called(&|t| t == text).is_some()).count();
        labels.sort_by_cached_key(|text| (text.is_empty(), others(text)));
        labels
    }

    fn kin(&self, is_text: &dyn Fn(&str) -> bool, is_shape: &dyn Fn(&str) -> bool) -> Kin {
        let of =
            |(n, d): (usize, &Destination<'a>)| Some((n, d.called(is_text).filter(|_| is_shape(&d.uri))?));
        self.all.iter().enumerate().filter_map(of).collect()
    }

    fn alike(&self, kin: &Kin) -> Alike<'_> {
        let parts = kin.iter().map(|(n, _)| parts_of(self.uri(*n))).collect();
        let places: Vec<usize> = kin.iter().map(|(_, at)| *at).collect();
        if !self.has_beside {
            return Alike::bare(parts);
        }
        Alike::new(parts, move || self.page.beside_links(&places))
    }
}

fn counterpart(
    recorded: &Destinations<'_>,
    followed: usize,
    live: &Destinations<'_>,
) -> Option<(String, String)> {
    let uri = recorded.uri(followed);
    let (fine, coarse) = (without_ids(uri), Key::of("GET", uri, ""));
    let same_fine = |u: &str| without_ids(u) == fine;
    let same_coarse = |u: &str| Key::of("GET", u, "") == coarse;
    let labels = recorded.labels(followed);
    let still = live.to(uri);
    let told = |n: usize, why: &str, text: &str| (live.uri(n).to_owned(), format!("{why} \"{text}\""));
    let twins = |is_text: &dyn Fn(&str) -> bool, is_shape: &dyn Fn(&str) -> bool| {
        (recorded.kin(is_text, is_shape), live.kin(is_text, is_shape))
    };
    // The common case: nothing about it has changed.
    let unchanged = |text: &&str| {
        let Some(now) = still else { return false };
        if live.all[now].called(&|t| t == *text).is_none() {
            return false;
        }
        let (before, now) = twins(&|t| t == *text, &same_fine);
        let of = |list: &Kin, page: &Destinations<'_>| -> BTreeSet<String> {
            list.iter().map(|(n, _)| page.uri(*n).to_owned()).collect()
        };
        // An image without a text says nothing where there is a text.
        if text.is_empty() {
            return labels.len() == 1;
        }
        before.len() == 1 || of(&before, recorded) == of(&now, live)
    };
    if labels.iter().any(unchanged) {
        return Some((uri.to_owned(), "it has not changed".to_owned()));
    }
    let named = || labels.iter().copied().filter(|text| !text.is_empty());
    // The only one of its kind.
    let only = |(before, now): &(Kin, Kin)| (before.len() == 1 && now.len() == 1).then(|| now[0].0);
    for text in named() {
        if let Some(n) = only(&twins(&|t| t == text, &same_fine)) {
            return Some(told(n, "the only such address under", text));
        }
        if let Some(n) = only(&twins(&|t| t == text, &same_coarse)) {
            return Some(told(n, "the only address of that shape under", text));
        }
    }
    // One of several.
    let one = |(before, now): &(Kin, Kin)| {
        let at = before.iter().position(|(n, _)| *n == followed)?;
        let (found, why) = one_of(&recorded.alike(before), at, &live.alike(now))?;
        Some((now[found].0, why))
    };
    let mut placed = None;
    for text in &labels {
        if let Some((n, why)) = one(&twins(&|t| t == *text, &same_fine)) {
            let found = told(n, &format!("{}, under", why.told()), text);
            if why != Reason::Place {
                return Some(found);
            }
            placed.get_or_insert(found);
        }
    }
    if let Some(n) = still {
        return Some(told(n, "still there, no longer under", labels.first().copied().unwrap_or_default()));
    }
    if placed.is_some() {
        return placed;
    }
    let everything = |_: &str| true;
    for text in named() {
        if let Some(n) = only(&twins(&|t| t == text, &everything)) {
            return Some(told(n, "the only link called", text));
        }
    }
    for text in named() {
        // Its text has a date or a count in it.
        let like = without_numbers(text);
        let alike = twins(&|t| without_numbers(t) == like, &same_fine);
        if let Some(n) = only(&alike).or_else(|| one(&alike).map(|(n, _)| n)) {
            return Some(told(n, "under what is like", text));
        }
    }
    for text in &labels {
        if let Some((n, why)) = one(&twins(&|t| t == *text, &same_coarse)) {
            return Some(told(n, &format!("{}, of that shape, under", why.told()), text));
        }
    }
    None
}
