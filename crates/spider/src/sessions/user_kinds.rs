//! Users who are offered the same are of one kind.
//!
//! What tells users apart is their navigation: the links that are on most pages that a user sees once she is logged in. An administrator's
//! has a link that no member is offered on any page; two members are offered the same, but for their own data, which keys leave out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::sessions::traffic::KnownUser;

/// A link is part of the navigation where it is on at least this share of the pages.
const MOST_PAGES: f64 = 0.6;
/// With fewer pages, nothing tells the navigation from the rest of a page.
const FEWEST: usize = 3;

/// So many sessions that show how a kind of user logs in are remembered: not every one may do on other data.
const WAYS_IN: usize = 6;

/// What one user was offered from a login on, until she logged out or the session ended.
#[derive(Debug)]
pub(crate) struct Login {
    /// Her session.
    pub(crate) session: String,
    /// Which login of the session it is, from 0.
    pub(crate) number: usize,
    /// How many steps lead to the page behind the login.
    pub(crate) steps: usize,
    /// The nodes of the pages after it, and what each leads to.
    pub(crate) pages: Vec<(String, BTreeSet<String>)>,
}

/// The kinds of users.
#[derive(Debug, Default)]
pub(crate) struct UserKinds {
    names: HashMap<(String, usize), String>,
    users: Vec<KnownUser>,
}

struct Kind {
    navigation: BTreeSet<String>,
    offered: Offered,
    user: KnownUser,
}

/// What a user is offered.
#[derive(Clone, Default)]
struct Offered {
    /// On any page.
    anywhere: BTreeSet<String>,
    /// By each node, whenever she was there.
    always: BTreeMap<String, BTreeSet<String>>,
}

impl Offered {
    fn of(pages: &[(String, BTreeSet<String>)]) -> Self {
        let mut offered = Self::default();
        for (node, links) in pages {
            let links: BTreeSet<String> = links.iter().filter(|link| is_nobodys(link)).cloned().collect();
            offered.anywhere.extend(links.iter().cloned());
            offered.note(node, &links);
        }
        offered
    }

    fn note(&mut self, node: &str, links: &BTreeSet<String>) {
        match self.always.get_mut(node) {
            Some(always) => always.retain(|link| links.contains(link)),
            None => drop(self.always.insert(node.to_owned(), links.clone())),
        }
    }

    fn extend(&mut self, other: Self) {
        self.anywhere.extend(other.anywhere);
        for (node, links) in &other.always {
            self.note(node, links);
        }
    }

    /// Whether a link is missing for somebody else who was on the same pages: elsewhere, she may not have come by it.
    fn is_missed_by(&self, link: &String, other: &Self) -> bool {
        if other.anywhere.contains(link) {
            return false;
        }
        let mut common = self.always.iter().filter(|(node, _)| other.always.contains_key(*node)).peekable();
        common.peek().is_none() || common.any(|(_, links)| links.contains(link))
    }
}

impl UserKinds {
    /// Sorts logins into kinds: those with most pages first, since they show most.
    pub(crate) fn of(mut logins: Vec<Login>) -> Self {
        logins.sort_by_key(|login| std::cmp::Reverse(login.pages.len()));
        let mut kinds: Vec<Kind> = Vec::new();
        let mut names = HashMap::new();
        for login in logins {
            let (navigation, offered) = (navigation(&login.pages), Offered::of(&login.pages));
            let fitting = kinds.iter_mut().filter(|kind| fits(kind, navigation.as_ref(), &offered));
            let best = fitting.max_by_key(|kind| kind.navigation.intersection(&offered.anywhere).count());
            let kind = match best {
                Some(kind) => kind,
                None => {
                    let name = login.session.clone();
                    // Two kinds may begin in one session.
                    let taken = kinds.iter().any(|kind| kind.user.name == name);
                    let name = if taken { format!("{name} again") } else { name };
                    let user = KnownUser { name, ways_in: Vec::new(), sessions: 0 };
                    let navigation = navigation.unwrap_or_default();
                    kinds.push(Kind { navigation, offered: offered.clone(), user });
                    let last = kinds.len() - 1;
                    &mut kinds[last]
                }
            };
            kind.user.sessions += 1;
            kind.offered.extend(offered);
            // A second login of a session has a way that is none of a beginner.
            if login.number == 0 {
                kind.user.ways_in.push((login.session.clone(), login.steps));
            }
            names.insert((login.session, login.number), kind.user.name.clone());
        }
        let mut users: Vec<KnownUser> = kinds.into_iter().map(|kind| kind.user).collect();
        users.sort_by_key(|user| std::cmp::Reverse(user.sessions));
        for user in &mut users {
            user.ways_in.sort_by_key(|(_, steps)| *steps);
            user.ways_in.truncate(WAYS_IN);
        }
        Self { names, users }
    }

    /// The kind of a login.
    pub(crate) fn name(&self, session: &str, number: usize) -> Option<&str> {
        self.names.get(&(session.to_owned(), number)).map(String::as_str)
    }

    /// The kinds, those of most sessions first.
    pub(crate) fn into_users(self) -> Vec<KnownUser> {
        self.users
    }
}

/// Whether a user is of a kind: each is offered, on some page, what the other is offered on most.
fn fits(kind: &Kind, navigation: Option<&BTreeSet<String>>, offered: &Offered) -> bool {
    let is_offered = kind.navigation.iter().all(|link| !kind.offered.is_missed_by(link, offered));
    // Few pages: no more can be said than that they do not contradict it.
    let offers = navigation
        .is_none_or(|navigation| navigation.iter().all(|link| !offered.is_missed_by(link, &kind.offered)));
    is_offered && offers
}

/// What is on most pages, where there are enough to tell.
fn navigation(pages: &[(String, BTreeSet<String>)]) -> Option<BTreeSet<String>> {
    if pages.len() < FEWEST {
        return None;
    }
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for link in pages.iter().flat_map(|(_, links)| links).filter(|link| is_nobodys(link)) {
        *counts.entry(link).or_default() += 1;
    }
    let often = |count: usize| count as f64 >= MOST_PAGES * pages.len() as f64;
    let often: BTreeSet<String> =
        counts.into_iter().filter(|(_, count)| often(*count)).map(|(link, _)| link.clone()).collect();
    // Who stays in one part of the site has its menu on most pages; the page behind the login has what she is offered everywhere.
    let everywhere: BTreeSet<String> =
        pages.iter().take(1).flat_map(|(_, landing)| often.intersection(landing)).cloned().collect();
    Some(if everywhere.is_empty() { often } else { everywhere })
}

/// Whether a link leads to the same for all, as far as its address tells: applications have pages by their parameters, too.
pub(crate) fn is_nobodys(link: &str) -> bool {
    link.starts_with("GET ") && !link.contains('{')
}

/// Whether a link leads to a page, and not to data of somebody's own.
pub(crate) fn is_plain(link: &str) -> bool {
    link.starts_with("GET ") && !link.contains(['{', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(session: &str, steps: usize, pages: &[&[&str]]) -> Login {
        let page = |links: &&[&str]| {
            ("GET /page".to_owned(), links.iter().map(|link| format!("GET {link}")).collect())
        };
        Login { session: session.to_owned(), number: 0, steps, pages: pages.iter().map(page).collect() }
    }

    /// Catches: all users as one kind where all pages are at one address, and parameters tell them apart.
    #[test]
    fn users_are_told_apart_by_parameters_too() {
        let member: &[&str] = &["/wiki?do=edit&id", "/wiki?do=recent", "/wiki?id"];
        let (once, admin): (&[&str], &[&str]) = (
            &["/wiki?do=edit&id", "/wiki?do=recent", "/wiki?id&rev"],
            &["/wiki?do=admin", "/wiki?do=recent", "/wiki?do=edit&id", "/wiki?id"],
        );
        let kinds = UserKinds::of(vec![
            login("s1", 3, &[member, once, member, member]),
            login("s2", 3, &[admin, admin, admin]),
            login("s3", 3, &[member, member, once]),
        ]);
        assert_eq!(kinds.name("s1", 0), kinds.name("s3", 0));
        // In one part of the site all the time.
        let part: &[&str] =
            &["/wiki?do=admin", "/wiki?do=recent", "/wiki?do=edit&id", "/wiki?do=admin&page=users"];
        let again = UserKinds::of(vec![
            login("s1", 3, &[admin, once, member, once]),
            login("s2", 3, &[admin, part, part, part, part]),
        ]);
        assert_eq!(again.name("s1", 0), again.name("s2", 0));
        assert_ne!(kinds.name("s1", 0), kinds.name("s2", 0));
    }

    /// Catches: who begins in another part of the site as another kind of user.
    #[test]
    fn what_is_missing_where_one_never_was_says_nothing() {
        let at = |node: &str, links: &[&str]| {
            (node.to_owned(), links.iter().map(|link| format!("GET {link}")).collect::<BTreeSet<_>>())
        };
        let in_part = |session: &str, part: &str| Login {
            pages: vec![
                at(part, &["/", "/mine", part]),
                at(part, &["/", "/mine", part]),
                at(part, &["/", "/mine", part]),
                at("GET /", &["/", "/mine"]),
            ],
            ..login(session, 3, &[])
        };
        let kinds = UserKinds::of(vec![in_part("s1", "/part/a"), in_part("s2", "/part/b")]);
        assert_eq!(kinds.name("s1", 0), kinds.name("s2", 0));
        let admin = Login { pages: vec![at("GET /", &["/", "/mine", "/admin"]); 3], ..login("s3", 3, &[]) };
        let kinds = UserKinds::of(vec![in_part("s1", "/part/a"), admin]);
        assert_ne!(kinds.name("s1", 0), kinds.name("s3", 0));
    }

    /// Catches: each account as a kind of its own, or an administrator among members for one link more.
    #[test]
    fn users_are_told_apart_by_what_is_on_most_of_their_pages() {
        let member: &[&str] = &["/", "/cart", "/account", "/orders"];
        let (account, order): (&[&str], &[&str]) = (
            &["/", "/cart", "/account", "/orders", "/account/edit"],
            &["/", "/cart", "/account", "/orders", "/order/{n}"],
        );
        let admin: &[&str] = &["/", "/cart", "/account", "/orders", "/admin"];
        let kinds = UserKinds::of(vec![
            login("s1", 5, &[member, account, order, member]),
            login("s2", 3, &[account]),
            login("s3", 4, &[admin, admin, admin, admin, admin]),
            login("s4", 6, &[order, member, member]),
        ]);
        let name = |session: &str| kinds.name(session, 0).unwrap();
        assert_eq!((name("s1"), name("s2"), name("s4")), ("s1", "s1", "s1"));
        assert_eq!(name("s3"), "s3");
        let users = kinds.into_users();
        let ways: Vec<&str> = users[0].ways_in.iter().map(|(session, _)| session.as_str()).collect();
        assert_eq!((users[0].name.as_str(), ways), ("s1", vec!["s2", "s1", "s4"]));
        assert_eq!((users[1].name.as_str(), users[1].ways_in.len()), ("s3", 1));
    }
}
