//! What is known of recorded sessions besides the map that they show.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use restage_site::{LookupTable, SiteUser};
use serde::Serialize;

use crate::sessions::shown::ShownSession;

/// After a form, so many pages that sessions went to are remembered.
const NEXT: usize = 8;

/// What is known of recorded sessions.
#[derive(Debug, Default)]
pub struct Traffic {
    /// What they sent.
    pub lookup: LookupTable,
    /// The kinds of users that logged in, those of most sessions first.
    pub users: Vec<KnownUser>,
    /// How many requests led to each node.
    pub reached: BTreeMap<String, usize>,
    /// Who was at each node.
    pub reached_by: HashMap<String, BTreeSet<String>>,
    /// The addresses that sessions asked for.
    pub addresses: HashSet<String>,
    /// The nodes that a page led to: not an address that was typed, nor a script alone.
    pub led_to: BTreeSet<String>,
    /// The sessions that log in, and how many steps that takes.
    pub logins: HashMap<String, usize>,
    /// Where sessions begin, and how many do.
    pub starts: BTreeMap<String, usize>,
    /// After a form, the pages that sessions went to.
    pub next: HashMap<String, Vec<String>>,
    /// Where links and forms that were answered by a redirect led, by the page that they were on.
    pub answers: HashMap<String, BTreeMap<String, BTreeSet<String>>>,
    /// What sessions show of requests that no page offers.
    pub shown: Vec<ShownSession>,
    /// Links with parameters that were answered by a redirect: they may do something, and not show something.
    pub acting: BTreeSet<String>,
    /// The kinds of users that sessions log in as first.
    pub kinds: HashMap<String, String>,
    /// The names of cookies that a server set.
    pub server_cookies: BTreeSet<String>,
}

/// A kind of user that sessions show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownUser {
    /// What she is called: the first session of hers.
    pub name: String,
    /// Sessions that log in, and how many of their steps lead to the page behind the login; those with the fewest first.
    pub ways_in: Vec<(String, usize)>,
    /// How many sessions are of this kind.
    pub sessions: usize,
}

impl KnownUser {
    /// The user as a map names her, logged in this way.
    pub(crate) fn on_map(&self, way_in: Option<&(String, usize)>) -> SiteUser {
        let (session, steps) = way_in.cloned().unzip();
        SiteUser { name: self.name.clone(), session, steps: steps.unwrap_or(0) }
    }
}

impl Traffic {
    /// The address that most sessions begin with.
    pub fn usual_start(&self) -> Option<String> {
        let most = self.starts.iter().max_by_key(|(uri, count)| (**count, std::cmp::Reverse(uri.len())));
        most.map(|(uri, _)| uri.clone())
    }

    pub(crate) fn note_next(&mut self, form: &str, page: &str) {
        let next = self.next.entry(form.to_owned()).or_default();
        if next.len() < NEXT && !next.iter().any(|known| known == page) {
            next.push(page.to_owned());
        }
    }
}
