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
    /// What each page after it leads to.
    pub(crate) pages: Vec<BTreeSet<String>>,
}

/// The kinds of users.
#[derive(Debug, Default)]
pub(crate) struct UserKinds {
    names: HashMap<(String, usize), String>,
    users: Vec<KnownUser>,
}

struct Kind {
    navigation: BTreeSet<String>,
    offered: BTreeSet<String>,
    user: KnownUser,
}

impl UserKinds {
    /// Sorts logins into kinds: those with most pages first, since they show most.
    pub(crate) fn of(mut logins: Vec<Login>) -> Self {
        logins.sort_by_key(|login| std::cmp::Reverse(login.pages.len()));
        let mut kinds: Vec<Kind> = Vec::new();
        let mut names = HashMap::new();
        for login in logins {
            let (navigation, offered) = (navigation(&login.pages), offered(&login.pages));
            let fitting = kinds.iter_mut().filter(|kind| fits(kind, navigation.as_ref(), &offered));
            let best = fitting.max_by_key(|kind| kind.navigation.intersection(&offered).count());
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
fn fits(kind: &Kind, navigation: Option<&BTreeSet<String>>, offered: &BTreeSet<String>) -> bool {
    match navigation {
        Some(navigation) => kind.navigation.is_subset(offered) && navigation.is_subset(&kind.offered),
        // Few pages: no more can be said than that they do not contradict it.
        None => kind.navigation.is_subset(offered),
    }
}

/// What is on most pages, where there are enough to tell.
fn navigation(pages: &[BTreeSet<String>]) -> Option<BTreeSet<String>> {
    if pages.len() < FEWEST {
        return None;
    }
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for link in pages.iter().flatten().filter(|link| is_plain(link)) {
        *counts.entry(link).or_default() += 1;
    }
    let often = |count: usize| count as f64 >= MOST_PAGES * pages.len() as f64;
    Some(counts.into_iter().filter(|(_, count)| often(*count)).map(|(link, _)| link.clone()).collect())
}

fn offered(pages: &[BTreeSet<String>]) -> BTreeSet<String> {
    pages.iter().flatten().filter(|link| is_plain(link)).cloned().collect()
}

/// Whether a link leads to a page, and not to data of somebody's own.
pub(crate) fn is_plain(link: &str) -> bool {
    link.starts_with("GET ") && !link.contains(['{', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(session: &str, steps: usize, pages: &[&[&str]]) -> Login {
        let page = |links: &&[&str]| links.iter().map(|link| format!("GET {link}")).collect();
        Login { session: session.to_owned(), number: 0, steps, pages: pages.iter().map(page).collect() }
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
