//! What is still to be looked at, and where it ends: each page is looked at a few times at most, and so are pages that look like
//! one trap.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::crawl::report::SkipList;
use crate::crawl::scene::{Action, Target};

/// Pages of one kind are looked at so often by one user: with other data they may lead elsewhere.
const INSTANCES: usize = 2;
/// So often where sessions looked at them, too: there is a reason for it.
const SHOWN_INSTANCES: usize = 5;
/// With more sets of parameters than this, another one is seldom news.
const VARIANTS: usize = 12;
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
    /// Links, and forms that only ask for something, to what sessions reach.
    shown: VecDeque<Target>,
    links: VecDeque<Target>,
    reading: VecDeque<Target>,
    writing: VecDeque<Target>,
    /// Links to a page with yet another set of parameters: how a list is sorted, which part of it is shown.
    variants: VecDeque<Target>,
    /// Addresses that stand in data: an interface for programs has very many.
    in_data: VecDeque<Target>,
    /// The nodes that only what was tried has led to so far.
    only_tried: HashSet<String>,
    /// How often each node was queued.
    queued: HashMap<String, usize>,
    /// The addresses that were.
    addresses: HashSet<String>,
    paths: HashMap<String, ParameterSets>,
    /// What there is in each folder.
    children: HashMap<String, HashSet<String>>,
}

impl Frontier {
    /// Whether a node was never queued.
    pub(crate) fn is_new(&self, node: &str) -> bool {
        !self.queued.contains_key(node)
    }

    /// Queues a link or a form, unless it is known well enough. Whether it was queued.
    pub(crate) fn add(&mut self, target: Target, deepest: usize, skipped: &mut SkipList) -> bool {
        let times = self.queued.get(&target.node).copied().unwrap_or(0);
        let most = match &target.action {
            Action::Follow { in_sessions: true, .. } if has_data(&target.node) => SHOWN_INSTANCES,
            Action::Follow { .. } if has_data(&target.node) && !target.known.to_others => INSTANCES,
            _ => 1,
        };
        if times > 0 && !target.tried && self.only_tried.remove(&target.node) {
            self.is_led_to(&target.node);
        }
        if times >= most {
            return false;
        }
        if let Action::Follow { uri, .. } = &target.action
            && !self.addresses.insert(uri.clone())
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
        match &target.action {
            Action::Follow { in_data: true, .. } => self.in_data.push_back(target),
            // Another one of a kind that is known comes after what is not known at all.
            Action::Follow { in_sessions: false, .. } if times > 0 => self.reading.push_back(target),
            Action::Follow { .. } if target.known.to_sessions => self.shown.push_back(target),
            Action::Follow { .. } if self.is_variant(&target.node) => self.variants.push_back(target),
            Action::Follow { .. } => self.links.push_back(target),
            Action::Press { writes: false, .. } if target.known.to_sessions => self.shown.push_back(target),
            Action::Load { .. } | Action::Press { writes: false, .. } => self.reading.push_back(target),
            Action::Press { .. } => self.writing.push_back(target),
        }
        true
    }

    /// The next that only asks for something, links first; of these, one in the scene that is on where there is any.
    pub(crate) fn next_to_read(&mut self, scene: Option<usize>) -> Option<Target> {
        let queue = if self.shown.is_empty() { &mut self.links } else { &mut self.shown };
        let here = queue.iter().position(|target| Some(target.scene) == scene);
        if let Some(target) = here.and_then(|at| queue.remove(at)) {
            return Some(target);
        }
        queue.pop_front().or_else(|| self.reading.pop_front())
    }

    /// The next that may change something: the first of those that are worth most.
    pub(crate) fn next_to_write<W: Ord>(&mut self, worth: impl Fn(&Target) -> Option<W>) -> Option<Target> {
        let worths = self.writing.iter().enumerate().filter_map(|(at, target)| Some((worth(target)?, at)));
        let best = worths.max_by(|(a, at_a), (b, at_b)| a.cmp(b).then(at_b.cmp(at_a)))?.1;
        self.writing.remove(best)
    }

    /// The next of what is seldom new: other parameters, then addresses that stand in data.
    pub(crate) fn next_of_rest(&mut self) -> Option<Target> {
        self.variants.pop_front().or_else(|| self.in_data.pop_front())
    }

    /// Whether a page was queued with many other sets of parameters before.
    fn is_variant(&self, node: &str) -> bool {
        let (path, parameters) = node.split_once('?').unwrap_or((node, ""));
        self.paths.get(path).is_some_and(|of_path| of_path.count(parameters) > VARIANTS)
    }

    /// What was not looked at.
    pub(crate) fn left(&self) -> impl Iterator<Item = &str> {
        let all = [&self.shown, &self.links, &self.reading, &self.writing, &self.variants, &self.in_data];
        all.into_iter().flatten().map(|target| target.node.as_str())
    }

    /// A node is led to by a link or a form though only what was tried had led there until now.
    fn is_led_to(&mut self, node: &str) {
        let queues = [
            &mut self.shown,
            &mut self.links,
            &mut self.reading,
            &mut self.writing,
            &mut self.variants,
            &mut self.in_data,
        ];
        queues
            .into_iter()
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

    /// How many sets of parameters of this page there were.
    fn count(&self, parameters: &str) -> usize {
        self.0.get(&page_of(parameters)).map_or(0, HashSet::len)
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
            label: String::new(),
            signs: String::new(),
            in_data: false,
            in_sessions: false,
        };
        Target { scene: 0, depth: 1, node: node.to_owned(), tried: false, known: Known::default(), action }
    }

    fn added(frontier: &mut Frontier, skipped: &mut SkipList, node: &str, uri: &str) -> bool {
        frontier.add(follow(node, uri), 9, skipped)
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

    /// Catches: a list in all its orders before what sessions reach, or before anything is pressed.
    #[test]
    fn what_sessions_reach_comes_first_and_yet_another_order_last() {
        let (mut frontier, mut skipped) = (Frontier::default(), SkipList::default());
        for n in 0..20 {
            added(&mut frontier, &mut skipped, &format!("GET /list?p{n}"), &format!("/list?p{n}"));
        }
        let shown = Known { to_sessions: true, to_others: false };
        assert!(frontier.add(Target { known: shown, ..follow("GET /shown", "/shown") }, 9, &mut skipped));
        let first = std::iter::from_fn(|| frontier.next_to_read(None));
        let first: Vec<String> = first.map(|target| target.node).collect();
        assert_eq!((first[0].as_str(), first.len()), ("GET /shown", VARIANTS + 1));
        assert_eq!(std::iter::from_fn(|| frontier.next_of_rest()).count(), 20 - VARIANTS);
    }

    /// Catches: a form that is pressed while links are left, or a form that deletes everything before all else is seen.
    #[test]
    fn links_come_first_and_what_writes_comes_last() {
        let (mut frontier, mut skipped) = (Frontier::default(), SkipList::default());
        let press = |node: &str, writes| Target {
            action: Action::Press {
                page: crate::crawl::scene::PageSource::Get("/".to_owned()),
                label: String::new(),
                writes,
            },
            ..follow(node, "")
        };
        for target in [press("POST /a", true), press("GET /find?q", false), follow("GET /b", "/b")] {
            assert!(frontier.add(target, 9, &mut skipped));
        }
        let order: Vec<String> = std::iter::from_fn(|| {
            frontier.next_to_read(None).or_else(|| frontier.next_to_write(|_| Some(0)))
        })
        .map(|target| target.node)
        .collect();
        assert_eq!(order, ["GET /b", "GET /find?q", "POST /a"]);
    }
}
