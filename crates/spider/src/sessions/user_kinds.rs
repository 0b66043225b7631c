//! Users who are offered the same are of one kind.
//!
//! What a user is offered is what the first page after her login leads to. An administrator is offered more than a member; two members
//! are offered the same, but for their own data, which keys leave out.

use std::collections::BTreeSet;

use crate::sessions::traffic::KnownUser;

/// Users are of one kind where they share at least so much of what they are offered.
const ALIKE: f64 = 0.75;

/// The kinds of users so far.
#[derive(Debug, Default)]
pub(crate) struct UserKinds {
    kinds: Vec<Kind>,
}

#[derive(Debug)]
struct Kind {
    offered: BTreeSet<String>,
    user: KnownUser,
}

impl UserKinds {
    /// The kind of a user that has just logged in: its name. `login` is how long the way there was in her session.
    pub(crate) fn of(&mut self, offered: BTreeSet<String>, session: &str, steps: usize) -> String {
        let alike = self.kinds.iter_mut().find(|kind| likeness(&kind.offered, &offered) >= ALIKE);
        if let Some(kind) = alike {
            kind.user.sessions += 1;
            // The shortest way in.
            if steps < kind.user.steps {
                (kind.user.session, kind.user.steps) = (session.to_owned(), steps);
            }
            return kind.user.name.clone();
        }
        let user = KnownUser { name: session.to_owned(), session: session.to_owned(), steps, sessions: 1 };
        self.kinds.push(Kind { offered, user });
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

    /// Catches: each account as a kind of its own, or administrators among members.
    #[test]
    fn users_are_told_apart_by_what_they_are_offered() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let mut kinds = UserKinds::default();
        assert_eq!(kinds.of(set(&["/", "/cart", "/account", "/orders"]), "s1", 5), "s1");
        assert_eq!(kinds.of(set(&["/", "/cart", "/account", "/orders", "/order/{n}"]), "s2", 3), "s1");
        assert_eq!(
            kinds.of(set(&["/", "/cart", "/account", "/orders", "/admin", "/admin/books"]), "s3", 3),
            "s3"
        );
        let users = kinds.finish();
        assert_eq!(
            users.iter().map(|u| (u.name.as_str(), u.session.as_str(), u.steps)).collect::<Vec<_>>(),
            [("s1", "s2", 3), ("s3", "s3", 3)]
        );
    }
}
