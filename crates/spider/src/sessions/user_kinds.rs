//! Users who are offered the same are of one kind.
//!
//! What a user is offered is what the pages behind her login lead to. An administrator is offered more than a member, be it one link
//! alone, on all her pages; two members are offered the same, but for their own data, which keys leave out, and for what single
//! pages lead to.

use std::collections::{BTreeMap, BTreeSet};

use crate::sessions::traffic::KnownUser;

/// Users of whom only one page is known are of one kind where they share at least so much of what it offers.
const ALIKE: f64 = 0.75;
/// What so many of a user's pages lead to is offered everywhere: one page in ten may be of another make.
const EVERYWHERE: f64 = 0.9;
/// So many pages tell what is offered everywhere.
const ENOUGH: usize = 3;

/// What the pages behind a login offered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offers {
    pages: usize,
    nodes: BTreeMap<String, usize>,
    /// The first page.
    landing: BTreeSet<String>,
}

impl Offers {
    /// Takes in one page.
    pub(crate) fn add(&mut self, offered: BTreeSet<String>) {
        self.pages += 1;
        for node in &offered {
            *self.nodes.entry(node.clone()).or_default() += 1;
        }
        if self.pages == 1 {
            self.landing = offered;
        }
    }

    fn merge(&mut self, other: Offers) {
        self.pages += other.pages;
        for (node, count) in other.nodes {
            *self.nodes.entry(node).or_default() += count;
        }
    }

    /// Whether all pages lead to something that no page of the other leads to.
    fn has_more_than(&self, other: &Self) -> bool {
        let most = (self.pages as f64 * EVERYWHERE).ceil() as usize;
        self.nodes.iter().any(|(node, count)| *count >= most && !other.nodes.contains_key(node))
    }

    fn is_like(&self, other: &Self) -> bool {
        if self.pages >= ENOUGH && other.pages >= ENOUGH {
            return !self.has_more_than(other) && !other.has_more_than(self);
        }
        likeness(&self.landing, &other.landing) >= ALIKE || self.fits_into(other) || other.fits_into(self)
    }

    /// Whether a few pages may be those of a user of whom many are known.
    fn fits_into(&self, known: &Self) -> bool {
        known.pages >= ENOUGH
            && !known.has_more_than(self)
            && self.nodes.keys().all(|node| known.nodes.contains_key(node))
            && !self.nodes.is_empty()
    }
}

/// The kinds of users so far.
#[derive(Debug, Default)]
pub(crate) struct UserKinds {
    kinds: Vec<Kind>,
}

#[derive(Debug)]
struct Kind {
    offers: Offers,
    user: KnownUser,
}

impl UserKinds {
    /// The kind of a user who logged in: its name. `steps` is how long the way there was in her session.
    pub(crate) fn of(&mut self, offers: Offers, session: &str, steps: usize) -> String {
        let alike = self.kinds.iter_mut().find(|kind| kind.offers.is_like(&offers));
        if let Some(kind) = alike {
            kind.offers.merge(offers);
            kind.user.sessions += 1;
            // The shortest way in.
            if steps < kind.user.steps {
                (kind.user.session, kind.user.steps) = (session.to_owned(), steps);
            }
            return kind.user.name.clone();
        }
        let user = KnownUser { name: session.to_owned(), session: session.to_owned(), steps, sessions: 1 };
        self.kinds.push(Kind { offers, user });
        session.to_owned()
    }

    /// The kinds, those of most sessions first.
    pub(crate) fn finish(self) -> Vec<KnownUser> {
        let mut users: Vec<KnownUser> = self.kinds.into_iter().map(|kind| kind.user).collect();
        users.sort_by_key(|user| std::cmp::Reverse(user.sessions));
        users
    }
}

/// How much of two sets is in both.
fn likeness(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let all = a.union(b).count();
    if all == 0 { 1.0 } else { a.intersection(b).count() as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers(pages: &[&[&str]]) -> Offers {
        let mut offers = Offers::default();
        for page in pages {
            offers.add(page.iter().map(|name| (*name).to_owned()).collect());
        }
        offers
    }

    fn told(kinds: UserKinds) -> Vec<(String, String, usize)> {
        kinds.finish().into_iter().map(|user| (user.name, user.session, user.steps)).collect()
    }

    /// Catches: each account as a kind of its own, or administrators among members.
    #[test]
    fn users_are_told_apart_by_what_they_are_offered() {
        let mut kinds = UserKinds::default();
        assert_eq!(kinds.of(offers(&[&["/", "/cart", "/account", "/orders"]]), "s1", 5), "s1");
        assert_eq!(kinds.of(offers(&[&["/", "/cart", "/account", "/orders", "/order/{n}"]]), "s2", 3), "s1");
        let admin = offers(&[&["/", "/cart", "/account", "/orders", "/admin", "/admin/books"]]);
        assert_eq!(kinds.of(admin, "s3", 3), "s3");
        let expected = [("s1", "s2", 3), ("s3", "s3", 3)];
        assert_eq!(
            told(kinds),
            expected.map(|(name, session, steps)| (name.to_owned(), session.to_owned(), steps))
        );
    }

    /// Catches: an administrator who has one link more among twenty, or a member who looks at other pages, taken for the other.
    #[test]
    fn one_link_on_all_pages_tells_users_apart_and_many_on_one_do_not() {
        const MENU: [&str; 8] = ["/", "/a", "/b", "/c", "/d", "/e", "/f", "/g"];
        let pages = |more: &[&'static str], odd: &[&'static str]| {
            let plain: Vec<&str> = MENU.iter().chain(more).copied().collect();
            let other: Vec<&str> = plain.iter().chain(odd).copied().collect();
            offers(&[&other, &plain, &plain, &plain])
        };
        let mut kinds = UserKinds::default();
        assert_eq!(kinds.of(pages(&[], &[]), "s1", 5), "s1");
        assert_eq!(kinds.of(pages(&[], &["/x", "/y", "/z", "/u", "/v"]), "s2", 5), "s1");
        assert_eq!(kinds.of(pages(&["/admin"], &[]), "s3", 5), "s3");
        assert_eq!(kinds.of(pages(&["/admin"], &["/x"]), "s4", 5), "s3");
        // One page, with what is offered on some pages alone.
        assert_eq!(kinds.of(offers(&[&[&MENU[..], &["/x", "/y", "/z"]].concat()]), "s5", 5), "s1");
    }
}
