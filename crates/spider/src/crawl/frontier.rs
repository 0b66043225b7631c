//! What is still to be looked at, and where it ends: each page is looked at a few times at most, and so are pages that look like
//! one trap.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::crawl::report::SkipList;
use crate::crawl::scene::{Action, Target};

/// Pages of one kind are looked at so often by one user: with other data they may lead elsewhere.
const INSTANCES: usize = 2;
/// So many sets of parameters of one page are looked at.
const PER_PATH: usize = 24;
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
    links: VecDeque<Target>,
    reading: VecDeque<Target>,
    writing: VecDeque<Target>,
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
        let most = if matches!(target.action, Action::Follow { .. }) && has_data(&target.node) {
            INSTANCES
        } else {
            1
        };
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
        match &target.action {
            // Another one of a kind that is known comes after what is not known at all.
            Action::Follow { .. } if times > 0 => self.reading.push_back(target),
            Action::Follow { .. } => self.links.push_back(target),
            Action::Load { .. } | Action::Press { writes: false, .. } => self.reading.push_back(target),
            Action::Press { .. } => self.writing.push_back(target),
        }
        true
    }

    /// The next, links first; of these, one in the scene that is on where there is any.
    pub(crate) fn next(&mut self, scene: Option<usize>) -> Option<Target> {
        let here = self.links.iter().position(|target| Some(target.scene) == scene);
        if let Some(target) = here.and_then(|at| self.links.remove(at)) {
            return Some(target);
        }
        self.links.pop_front().or_else(|| self.reading.pop_front()).or_else(|| self.writing.pop_front())
    }

    /// What was not looked at.
    pub(crate) fn left(&self) -> impl Iterator<Item = &str> {
        [&self.links, &self.reading, &self.writing].into_iter().flatten().map(|target| target.node.as_str())
    }

    /// Why a node looks like one of endlessly many.
    fn trap(&mut self, node: &str) -> Option<&'static str> {
        let (path, parameters) = node.split_once('?').unwrap_or((node, ""));
        let parts: Vec<&str> = path.split('/').collect();
        let repeated =
            |part: &&str| !part.is_empty() && parts.iter().filter(|other| other == &part).count() > 3;
        if parts.len() > PARTS || parts.iter().any(|part| repeated(&part)) {
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

    fn follow(node: &str, uri: &str) -> Target {
        let action = Action::Follow { uri: uri.to_owned(), label: String::new() };
        Target { scene: 0, depth: 1, node: node.to_owned(), action }
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
        let order: Vec<String> =
            std::iter::from_fn(|| frontier.next(None)).map(|target| target.node).collect();
        assert_eq!(order, ["GET /b", "GET /find?q", "POST /a"]);
    }
}
