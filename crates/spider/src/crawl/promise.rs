//! What looking at something promises: how often looking at others of its kind led to something that nobody had been led to before.
//!
//! What was never seen comes first, then what pays. A combination of parameters that a page is known with is no news by itself: a list that
//! can be filtered and sorted has more of them than any budget has requests. What is learned of one user's looks counts for all users.

use std::collections::{HashMap, HashSet};

/// What a target is to the user who is to look at it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Sessions were there, and this user was not.
    Shown,
    /// The same, of a link that does something: what it does shows on pages that are known by then.
    ShownActing,
    /// This user was there, and not from this page, or not at this address: sessions were led from there to where the spider never was.
    ShownFrom,
    /// Nobody was led to such a page.
    New,
    /// Nobody was led to such a form, or to such a thing that a browser asks for by itself.
    NewForm,
    /// Nobody was led to this page with such a parameter.
    Parameter(String),
    /// Sessions asked for this very address, of a page that this user has looked at.
    ShownAgain(String),
    /// Another address of a page that this user has looked at.
    Again(String),
    /// A page with yet another combination of parameters that it is known with.
    Mixed(String),
    /// Another user has seen this: the one who is to look now.
    Known(String),
    /// An address that stands in data.
    InData,
}

impl Kind {
    /// What it promises before anything is known, and how many looks that counts for; none where it is not learned.
    fn prior(&self) -> Option<(f64, f64)> {
        match self {
            Self::Shown | Self::ShownActing | Self::ShownFrom | Self::New | Self::NewForm | Self::InData => {
                None
            }
            Self::Parameter(_) | Self::ShownAgain(_) => Some((0.75, 4.0)),
            Self::Again(_) | Self::Known(_) => Some((0.5, 3.0)),
            Self::Mixed(_) => Some((0.4, 2.0)),
        }
    }
}

/// Looks, and how many of them led to news.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    looks: u32,
    finds: u32,
}

impl Tally {
    /// The share of finds, where `weight` looks before the first had this one.
    fn share(self, (before, weight): (f64, f64)) -> f64 {
        (f64::from(self.finds) + weight * before) / (f64::from(self.looks) + weight)
    }
}

/// What is known to all users, and what came of looking.
#[derive(Debug, Default)]
pub(crate) struct Promise {
    /// The nodes that anything led to.
    nodes: HashMap<String, Novelty>,
    /// The parameters that a page was seen with. Those that say which page it is belong to its name.
    pages: HashMap<String, HashSet<String>>,
    by_kind: HashMap<Kind, Tally>,
    /// The same of all kinds of one sort.
    by_sort: HashMap<std::mem::Discriminant<Kind>, Tally>,
    news: usize,
}

/// What a node was when something led to it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Novelty {
    Page,
    Parameter,
    Mixed,
}

impl Promise {
    /// Takes in that something leads to a node.
    pub(crate) fn note(&mut self, node: &str) {
        if self.nodes.contains_key(node) {
            return;
        }
        let (page, names) = page_and_names(node);
        let novelty = match self.pages.get_mut(&page) {
            None => {
                self.pages.insert(page, names.into_iter().map(str::to_owned).collect());
                Novelty::Page
            }
            Some(known) => {
                let before = known.len();
                known.extend(names.into_iter().map(str::to_owned));
                if known.len() > before { Novelty::Parameter } else { Novelty::Mixed }
            }
        };
        self.news += usize::from(novelty != Novelty::Mixed);
        self.nodes.insert(node.to_owned(), novelty);
    }

    /// How much news there was so far.
    pub(crate) fn news(&self) -> usize {
        self.news
    }

    /// What a node that this user was never at is, where nobody else was there either.
    pub(crate) fn kind_of(&self, node: &str, is_form: bool) -> Kind {
        let page = || page_and_names(node).0;
        match self.nodes.get(node) {
            Some(Novelty::Mixed) => Kind::Mixed(page()),
            Some(Novelty::Parameter) => Kind::Parameter(page()),
            Some(Novelty::Page) | None if is_form => Kind::NewForm,
            Some(Novelty::Page) | None => Kind::New,
        }
    }

    /// Somebody looked at something of this kind.
    pub(crate) fn count(&mut self, kind: &Kind, found: bool) {
        if kind.prior().is_none() {
            return;
        }
        let sort = std::mem::discriminant(kind);
        for tally in [self.by_kind.entry(kind.clone()).or_default(), self.by_sort.entry(sort).or_default()] {
            tally.looks += 1;
            tally.finds += u32::from(found);
        }
    }

    /// How sure it is that looking at something of this kind leads to news; what was never seen comes before all that.
    pub(crate) fn of(&self, kind: &Kind) -> f64 {
        let Some(prior) = kind.prior() else {
            return match kind {
                Kind::Shown => 5.0,
                Kind::ShownActing => 4.0,
                Kind::ShownFrom => 3.0,
                Kind::New => 2.0,
                Kind::NewForm => 1.0,
                _ => 0.0,
            };
        };
        let of_sort = self.by_sort.get(&std::mem::discriminant(kind)).copied().unwrap_or_default();
        let of_kind = self.by_kind.get(kind).copied().unwrap_or_default();
        of_kind.share((of_sort.share(prior), prior.1))
    }
}

/// The page of a node, with the parameters that say which one it is, and the names of the others.
fn page_and_names(node: &str) -> (String, Vec<&str>) {
    let (path, parameters) = node.split_once('?').unwrap_or((node, ""));
    let (mut page, mut names) = (path.to_owned(), Vec::new());
    for one in parameters.split('&').filter(|one| !one.is_empty()) {
        if one.contains('=') {
            page.push('&');
            page.push_str(one);
        } else {
            names.push(one);
        }
    }
    (page, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(promise: &mut Promise, node: &str) -> Kind {
        promise.note(node);
        promise.kind_of(node, false)
    }

    /// Catches: a combination of known parameters as a page that was never seen; another page at the same address as a combination.
    #[test]
    fn combinations_of_known_parameters_are_no_news() {
        let mut promise = Promise::default();
        let list = "GET /list".to_owned();
        assert_eq!(noted(&mut promise, "GET /list"), Kind::New);
        assert_eq!(noted(&mut promise, "GET /list?order"), Kind::Parameter(list.clone()));
        assert_eq!(noted(&mut promise, "GET /list?page"), Kind::Parameter(list.clone()));
        assert_eq!(noted(&mut promise, "GET /list?order&page"), Kind::Mixed(list.clone()));
        assert_eq!(noted(&mut promise, "GET /list?do=edit&order"), Kind::New);
        assert_eq!(promise.news(), 4);
        // What it was first is what it stays, whoever is led there next.
        assert_eq!(noted(&mut promise, "GET /list?order"), Kind::Parameter(list));
        assert_eq!(promise.news(), 4);
    }

    /// Catches: a kind that never led to anything and is still looked at first; one that pays and is left for last; one kind's bad luck
    /// that says nothing of the next of its sort.
    #[test]
    fn what_pays_is_promising_and_what_does_not_is_less_and_less() {
        let mut promise = Promise::default();
        let kind = |page: &str| Kind::Mixed(page.to_owned());
        let before = promise.of(&kind("GET /a"));
        let mut last = before;
        for _ in 0..6 {
            promise.count(&kind("GET /a"), false);
            let now = promise.of(&kind("GET /a"));
            assert!(now < last);
            last = now;
        }
        for _ in 0..6 {
            promise.count(&kind("GET /b"), true);
        }
        last = promise.of(&kind("GET /a"));
        assert!(promise.of(&kind("GET /b")) > before && last < before);
        assert!(
            promise.of(&kind("GET /c")) > last && promise.of(&kind("GET /c")) < promise.of(&kind("GET /b"))
        );
        for _ in 0..50 {
            promise.count(&kind("GET /b"), false);
        }
        assert!(promise.of(&kind("GET /d")) < before);
        let new = promise.of(&Kind::New);
        assert!(
            promise.of(&Kind::Shown) > new
                && new > promise.of(&Kind::NewForm)
                && promise.of(&Kind::InData) < last
        );
    }
}
