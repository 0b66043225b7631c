//! What is still to be looked at, and where it ends: each page is looked at a few times at most, and so are pages that look like
//! one trap.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use crate::crawl::promise::{Kind, Promise};
use crate::crawl::report::SkipList;
use crate::crawl::scene::{Action, Target};

/// Pages of one kind are looked at so often by one user: with other data they may lead elsewhere.
const INSTANCES: usize = 2;
/// So often where sessions looked at them, too: there is a reason for it.
const SHOWN_INSTANCES: usize = 5;
/// A node is gone to so often more, from other pages or at other addresses, as long as sessions were led elsewhere from there.
const AGAIN_FROM: usize = 6;
/// So many sets of parameters of one page are looked at.
const PER_PATH: usize = 40;
/// So many pages of one path are, where parameters say which page it is.
const PAGES_PER_PATH: usize = 100;
/// So many pages, or folders, are looked at in one folder.
const SIBLINGS: usize = 60;
/// A path with more parts than this is one that goes round in circles.
const PARTS: usize = 16;

/// Why a page is taken for one of endlessly many.
pub(crate) const TRAPS: [&str; 3] =
    ["paths without an end", "parameters without an end", "very many pages beside each other"];

/// What is still to be looked at by one user.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    /// Who the user is.
    user: String,
    /// Links, and forms that only ask for something.
    reading: BTreeMap<Kind, VecDeque<Target>>,
    /// Forms that may change something.
    writing: VecDeque<Target>,
    /// The nodes that only what was tried has led to so far.
    only_tried: HashSet<String>,
    /// How often each node was queued.
    queued: HashMap<String, usize>,
    /// The addresses that were.
    addresses: HashSet<String>,
    /// The pages that a node was queued from again, as sessions were led elsewhere from these, and the addresses there.
    again_from: HashMap<String, HashSet<(Rc<str>, String)>>,
    paths: HashMap<String, ParameterSets>,
    /// What there is in each folder.
    children: HashMap<String, HashSet<String>>,
}

impl Frontier {
    pub(crate) fn of(user: &str) -> Self {
        Self { user: user.to_owned(), ..Self::default() }
    }

    /// Whether a node was never queued.
    pub(crate) fn is_new(&self, node: &str) -> bool {
        !self.queued.contains_key(node)
    }

    /// Queues a link or a form, unless it is known well enough. Whether it was queued.
    pub(crate) fn add(
        &mut self,
        mut target: Target,
        deepest: usize,
        skipped: &mut SkipList,
        promise: &Promise,
    ) -> bool {
        let times = self.queued.get(&target.node).copied().unwrap_or(0);
        let most = match &target.action {
            Action::Follow { in_sessions: true, .. } if has_data(&target.node) => SHOWN_INSTANCES,
            Action::Follow { .. } if has_data(&target.node) && !target.known.to_others => INSTANCES,
            _ => 1,
        };
        if times > 0 && !target.tried && self.only_tried.remove(&target.node) {
            self.is_led_to(&target.node);
        }
        let again_from = times > 0 && target.known.elsewhere_in_sessions && self.may_queue_from(&target);
        if times >= most && !again_from {
            return false;
        }
        if let Action::Follow { uri, .. } = &target.action
            && !self.addresses.insert(uri.clone())
            && !again_from
        {
            return false;
        }
        if target.depth > deepest {
            skipped.add("deeper than --max-depth", &target.node);
            return false;
        }
        if times == 0
            && let Some(why) = self.trap(&target.node)
        {
            skipped.add(why, &target.node);
            return false;
        }
        *self.queued.entry(target.node.clone()).or_default() += 1;
        if times == 0 && target.tried {
            self.only_tried.insert(target.node.clone());
        }
        target.kind = if again_from { Kind::ShownFrom } else { self.kind(&target, times, promise) };
        match &target.action {
            Action::Press { writes: true, .. } => self.writing.push_back(target),
            _ => self.reading.entry(target.kind.clone()).or_default().push_back(target),
        }
        true
    }

    /// Whether a node may be queued from this page once more.
    fn may_queue_from(&mut self, target: &Target) -> bool {
        let uri = match &target.action {
            Action::Follow { uri, .. } | Action::Load { uri } => uri.clone(),
            Action::Press { .. } => String::new(),
        };
        let places = self.again_from.entry(target.node.clone()).or_default();
        places.len() < AGAIN_FROM && places.insert((target.from.clone(), uri))
    }

    /// What a target is to this user, to whom its node was queued so often before.
    fn kind(&self, target: &Target, times: usize, promise: &Promise) -> Kind {
        let node = || target.node.clone();
        match &target.action {
            Action::Follow { in_data: true, .. } => Kind::InData,
            Action::Follow { in_sessions: true, .. } if times > 0 => Kind::ShownAgain(node()),
            _ if times > 0 => Kind::Again(node()),
            _ if target.known.to_sessions && target.known.acts => Kind::ShownActing,
            _ if target.known.to_sessions => Kind::Shown,
            _ if target.known.to_others => Kind::Known(self.user.clone()),
            Action::Follow { .. } => promise.kind_of(&target.node, false),
            Action::Load { .. } | Action::Press { .. } => promise.kind_of(&target.node, true),
        }
    }

    /// The next that only asks for something: of what promises most, and at least so much; of these, one in the scene that is on where
    /// there is any.
    pub(crate) fn next_to_read(
        &mut self,
        scene: Option<usize>,
        promise: &Promise,
        least: f64,
    ) -> Option<Target> {
        let kinds = self.reading.keys().map(|kind| (promise.of(kind), kind));
        // Of equals, the first.
        let (most, kind) = kinds.rev().max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        if most < least {
            return None;
        }
        let kind = kind.clone();
        let queue = self.reading.get_mut(&kind)?;
        let here = queue.iter().position(|target| Some(target.scene) == scene);
        let next = queue.remove(here.unwrap_or(0));
        if queue.is_empty() {
            self.reading.remove(&kind);
        }
        next
    }

    /// The next that may change something: the first of those that are worth most.
    pub(crate) fn next_to_write<W: PartialOrd>(
        &mut self,
        worth: impl Fn(&Target) -> Option<W>,
    ) -> Option<Target> {
        let mut best: Option<(W, usize)> = None;
        for (at, target) in self.writing.iter().enumerate() {
            if let Some(worth) = worth(target)
                && best.as_ref().is_none_or(|(most, _)| worth > *most)
            {
                best = Some((worth, at));
            }
        }
        self.writing.remove(best?.1)
    }

    /// What was not looked at.
    pub(crate) fn left(&self) -> impl Iterator<Item = &str> {
        self.reading.values().chain([&self.writing]).flatten().map(|target| target.node.as_str())
    }

    /// A node is led to by a link or a form though only what was tried had led there until now.
    fn is_led_to(&mut self, node: &str) {
        self.reading
            .values_mut()
            .chain([&mut self.writing])
            .flatten()
            .filter(|waiting| waiting.node == node)
            .for_each(|waiting| waiting.tried = false);
    }

    /// Why a node looks like one of endlessly many.
    fn trap(&mut self, node: &str) -> Option<&'static str> {
        let (path, parameters) = node.split_once('?').unwrap_or((node, ""));
        let parts: Vec<&str> = path.split('/').collect();
        let repeated =
            |part: &&str| !part.is_empty() && parts.iter().filter(|other| other == &part).count() > 3;
        if parts.len() > PARTS || parts.iter().any(repeated) {
            return Some(TRAPS[0]);
        }
        let of_path = self.paths.entry(path.to_owned()).or_default();
        if !of_path.may_add(parameters) {
            return Some(TRAPS[1]);
        }
        // Each folder, so that what varies may stand anywhere: /s/ANYTHING/home.
        let folders = || {
            path.match_indices('/').map(|(at, _)| {
                let child = path[at + 1..].split('/').next().unwrap_or_default();
                (&path[..at], child)
            })
        };
        let is_full = |(folder, child): (&str, &str)| {
            let full = self.children.get(folder).filter(|children| children.len() >= SIBLINGS);
            full.is_some_and(|children| !children.contains(child))
        };
        if folders().any(is_full) {
            return Some(TRAPS[2]);
        }
        for (folder, child) in folders() {
            self.children.entry(folder.to_owned()).or_default().insert(child.to_owned());
        }
        if let Some(of_path) = self.paths.get_mut(path) {
            of_path.add(parameters);
        }
        None
    }
}

/// The sets of parameters of one path that were looked at, by the values of those that say which page it is.
#[derive(Debug, Default)]
struct ParameterSets(HashMap<String, HashSet<String>>);

impl ParameterSets {
    /// Whether one more may be looked at: an application may have many pages at one address, and each of them seldom many sets of
    /// parameters.
    fn may_add(&self, parameters: &str) -> bool {
        match self.0.get(&page_of(parameters)) {
            Some(sets) => sets.len() < PER_PATH || sets.contains(parameters),
            None => self.0.len() < PAGES_PER_PATH,
        }
    }

    fn add(&mut self, parameters: &str) {
        self.0.entry(page_of(parameters)).or_default().insert(parameters.to_owned());
    }
}

/// The parameters of a key that have values: those that say which page it is.
fn page_of(parameters: &str) -> String {
    parameters.split('&').filter(|one| one.contains('=')).collect::<Vec<_>>().join("&")
}

/// Whether pages of a node differ in data.
fn has_data(node: &str) -> bool {
    node.contains('{') || node.contains('?')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::scene::Known;

    fn follow(node: &str, uri: &str) -> Target {
        let action = Action::Follow {
            uri: uri.to_owned(),
            referer: Rc::from("http://localhost/"),
            label: String::new(),
            signs: String::new(),
            in_data: false,
            in_sessions: false,
        };
        Target {
            scene: 0,
            depth: 1,
            node: node.to_owned(),
            from: Rc::from("GET /"),
            tried: false,
            known: Known::default(),
            kind: Kind::New,
            action,
        }
    }

    fn added(frontier: &mut Frontier, skipped: &mut SkipList, node: &str, uri: &str) -> bool {
        let mut promise = Promise::default();
        promise.note(node);
        frontier.add(follow(node, uri), 9, skipped, &promise)
    }

    /// All that is to be looked at, in order, when nothing comes of it.
    fn fruitless(frontier: &mut Frontier, promise: &mut Promise, least: f64) -> Vec<String> {
        std::iter::from_fn(|| {
            let target = frontier.next_to_read(None, promise, least)?;
            promise.count(&target.kind, false);
            Some(target.node)
        })
        .collect()
    }

    /// Catches: a spider that never ends on calendars, growing queries, paths that go round in circles and lists of names.
    #[test]
    fn traps_end() {
        let (mut frontier, mut skipped) = (Frontier::default(), SkipList::default());
        let days = (0..500)
            .filter(|n| added(&mut frontier, &mut skipped, "GET /day/{n}", &format!("/day/{n}")))
            .count();
        assert_eq!(days, INSTANCES);
        let growing = (0..500).map(|n| (0..=n).map(|k| format!("p{k}")).collect::<Vec<_>>().join("&"));
        let grown = growing.filter(|query| {
            added(&mut frontier, &mut skipped, &format!("GET /g?{query}"), &format!("/g?{query}"))
        });
        assert_eq!(grown.count(), PER_PATH);
        let circles = (1..50).filter(|n| {
            let path = "/a/b".repeat(*n);
            added(&mut frontier, &mut skipped, &format!("GET {path}"), &path)
        });
        assert!(circles.count() < 4);
        let names = (0..500).filter(|n| {
            let path = format!("/wiki/{}", "x".repeat(*n));
            added(&mut frontier, &mut skipped, &format!("GET {path}"), &path)
        });
        assert_eq!(names.count(), SIBLINGS);
        let ids = (0..500).filter(|n| {
            let path = format!("/s/{}/home", "y".repeat(*n + 1));
            added(&mut frontier, &mut skipped, &format!("GET {path}"), &path)
        });
        assert_eq!(ids.count(), SIBLINGS);
        let whys: Vec<&str> = skipped.finish().into_iter().map(|s| s.why).collect();
        assert_eq!(
            whys,
            ["parameters without an end", "paths without an end", "very many pages beside each other"]
        );
    }

    /// Catches: a list in all its orders before what sessions reach, before what nobody has seen, or before anything is pressed; what is
    /// seldom news and is never looked at.
    #[test]
    fn what_sessions_reach_comes_first_and_yet_another_order_last() {
        let (mut frontier, mut skipped) = (Frontier::default(), SkipList::default());
        let mut promise = Promise::default();
        let mut add = |promise: &mut Promise, node: &str, known| {
            promise.note(node);
            let target = Target { known, ..follow(node, node.trim_start_matches("GET ")) };
            assert!(frontier.add(target, 9, &mut skipped, promise));
        };
        add(&mut promise, "GET /list?a&b&c&d&e", Known::default());
        for pair in ["a&b", "a&c", "a&d", "a&e", "b&c", "b&d", "b&e", "c&d", "c&e", "d&e"] {
            add(&mut promise, &format!("GET /list?{pair}"), Known::default());
        }
        for n in 0..20 {
            let seen = Known { to_others: true, ..Known::default() };
            add(&mut promise, &format!("GET /seen/{}", "x".repeat(n)), seen);
        }
        add(&mut promise, "GET /other", Known::default());
        add(&mut promise, "GET /shown", Known { to_sessions: true, to_others: true, ..Known::default() });
        let first = fruitless(&mut frontier, &mut promise, 0.25);
        assert_eq!(first[..3], ["GET /shown", "GET /list?a&b&c&d&e", "GET /other"], "{first:?}");
        assert!((5..16).contains(&first.len()), "{first:?}");
        let rest = fruitless(&mut frontier, &mut promise, 0.0);
        assert_eq!(first.len() + rest.len(), 33);
    }

    /// Catches: an address that does something else than its like (`action=spam` beside `action=approve`) and is passed over as one of
    /// them, though sessions were led elsewhere by it; a list of a thousand of these.
    #[test]
    fn what_led_sessions_elsewhere_is_tried_at_more_addresses() {
        for (elsewhere_in_sessions, most) in [(false, INSTANCES), (true, 1 + AGAIN_FROM)] {
            let (mut frontier, mut skipped) = (Frontier::default(), SkipList::default());
            let mut promise = Promise::default();
            promise.note("GET /mail?action&id");
            let known = Known { elsewhere_in_sessions, ..Known::default() };
            let added = (0..50).filter(|n| {
                let target =
                    Target { known, ..follow("GET /mail?action&id", &format!("/mail?action=x&id={n}")) };
                frontier.add(target, 9, &mut skipped, &promise)
            });
            assert_eq!(added.count(), most);
        }
    }

    /// Catches: combinations of parameters that pay, left for last as those that do not.
    #[test]
    fn what_pays_is_looked_at_on() {
        let (mut frontier, mut skipped) = (Frontier::default(), SkipList::default());
        let mut promise = Promise::default();
        for page in ["/barren", "/rich"] {
            for pair in ["a&b&c&d", "a&b", "a&c", "a&d", "b&c", "b&d", "c&d"] {
                let node = format!("GET {page}?{pair}");
                promise.note(&node);
                let target = follow(&node, &format!("{page}?{pair}"));
                assert!(frontier.add(target, 9, &mut skipped, &promise));
            }
        }
        let mut looked = Vec::new();
        while let Some(target) = frontier.next_to_read(None, &promise, 0.25) {
            promise.count(&target.kind, target.node.contains("/rich"));
            looked.push(target.node);
        }
        let of = |page: &str| looked.iter().filter(|node| node.contains(page)).count();
        assert!(of("/rich") == 7 && of("/barren") < 5, "{looked:?}");
    }

    /// Catches: a form that is pressed while links are left, or a form that deletes everything before all else is seen.
    #[test]
    fn links_come_first_and_what_writes_comes_last() {
        let (mut frontier, mut skipped) = (Frontier::default(), SkipList::default());
        let promise = Promise::default();
        let press = |node: &str, writes| Target {
            action: Action::Press {
                page: crate::crawl::scene::PageSource::Get("/".to_owned()),
                label: String::new(),
                writes,
            },
            ..follow(node, "")
        };
        for target in [press("POST /a", true), press("GET /find?q", false), follow("GET /b", "/b")] {
            assert!(frontier.add(target, 9, &mut skipped, &promise));
        }
        let order: Vec<String> = std::iter::from_fn(|| {
            frontier.next_to_read(None, &promise, 0.0).or_else(|| frontier.next_to_write(|_| Some(0)))
        })
        .map(|target| target.node)
        .collect();
        assert_eq!(order, ["GET /b", "GET /find?q", "POST /a"]);
    }
}
