//! The new map by number, and the cheapest ways over it.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::sync::OnceLock;

use crate::graph::NodeIndex;
use crate::site::{ANONYMOUS, EdgeKind, Site, SiteEdge, SiteNode};

/// Going back to a page that was visited before, and on from there.
const BACK: f64 = 0.6;
/// The same, for each page in between.
const FURTHER_BACK: f64 = 0.02;
/// A way that is not known to be there for this user.
const OTHER_USER: f64 = 8.0;
/// A way on which the user becomes somebody else: what follows is not what it was.
const BECOMES: f64 = 30.0;
/// Edges beyond this many lead too far away to be what a user would do.
const LONGEST: usize = 12;

/// A way from a page that was visited to a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The page that it begins at, by its place among the pages that were visited.
    pub source: usize,
    /// Its edges, by their places in the map; never none.
    pub edges: Vec<usize>,
    /// What it costs: about a request each, more for what changes something.
    pub cost: f64,
}

/// The new map by number. What is cheapest is found out once for each node that is asked for.
#[derive(Debug)]
pub struct Network<'s> {
    site: &'s Site,
    ids: HashMap<&'s str, NodeIndex>,
    /// Where each edge begins and leads; none where the map lacks one of them.
    ends: Vec<Option<(NodeIndex, NodeIndex)>>,
    into: Vec<Vec<usize>>,
    between: HashMap<(NodeIndex, NodeIndex), usize>,
    users: Vec<&'s str>,
    /// Whether it says what nodes answered: a map that another tool drew does not.
    knows_answers: bool,
    to: Vec<OnceLock<Distances>>,
}

/// How far it is to one node from every other, and the first edge on the way.
#[derive(Debug)]
struct Distances {
    cost: Vec<f64>,
    next: Vec<u32>,
}

impl<'s> Network<'s> {
    /// Of a map.
    pub fn new(site: &'s Site) -> Self {
        let ids: HashMap<&str, NodeIndex> =
            site.nodes.iter().enumerate().rev().map(|(at, node)| (node.id.as_str(), at)).collect();
        let end = |id: &str| ids.get(id).copied();
        let ends: Vec<Option<(NodeIndex, NodeIndex)>> =
            site.edges.iter().map(|edge| end(&edge.from).zip(end(&edge.to))).collect();
        let mut into = vec![Vec::new(); site.nodes.len()];
        let mut between: HashMap<(NodeIndex, NodeIndex), usize> = HashMap::new();
        for (at, ends) in ends.iter().enumerate() {
            let Some((from, to)) = *ends else { continue };
            into[to].push(at);
            let best = between.entry((from, to)).or_insert(at);
            if plain_cost(&site.edges[at]) < plain_cost(&site.edges[*best]) {
                *best = at;
            }
        }
        let users: Vec<&str> = site.users.iter().map(|user| user.name.as_str()).collect();
        let to = (0..site.nodes.len() * (users.len() + 1)).map(|_| OnceLock::new()).collect();
        let knows_answers = site.nodes.iter().any(|node| node.status.is_some());
        Self { site, ids, ends, into, between, users, knows_answers, to }
    }

    /// The map.
    pub fn site(&self) -> &'s Site {
        self.site
    }

    /// The place of a node.
    pub fn place(&self, id: &str) -> Option<NodeIndex> {
        self.ids.get(id).copied()
    }

    /// The node at a place.
    pub fn node(&self, at: NodeIndex) -> &'s SiteNode {
        &self.site.nodes[at]
    }

    /// The edge at a place.
    pub fn edge(&self, at: usize) -> &'s SiteEdge {
        &self.site.edges[at]
    }

    /// Where an edge leads.
    pub fn leads_to(&self, edge: usize) -> Option<NodeIndex> {
        self.ends[edge].map(|(_, to)| to)
    }

    /// The edges that lead to a node.
    pub fn edges_into(&self, node: NodeIndex) -> &[usize] {
        &self.into[node]
    }

    /// The edge between two nodes; of several, the plainest.
    pub fn edge_between(&self, from: NodeIndex, to: NodeIndex) -> Option<usize> {
        self.between.get(&(from, to)).copied()
    }

    /// Whether nobody has looked where a node leads: a form that was never sent, a page that was seen from afar.
    pub fn is_unknown(&self, node: NodeIndex) -> bool {
        self.knows_answers && self.site.nodes[node].status.is_none()
    }

    /// Whether one may go from a node to another: an edge leads there, or nobody has looked.
    pub fn may_lead(&self, from: NodeIndex, to: NodeIndex) -> bool {
        self.edge_between(from, to).is_some() || self.is_unknown(from)
    }

    /// The cheapest way from one of some pages, the latest last, to a node.
    pub fn way(&self, visited: &[NodeIndex], to: NodeIndex, user: Option<&str>) -> Option<Way> {
        let distances = self.distances(to, user);
        let cost = |at: usize| distances.cost[visited[at]] + back(visited.len(), at);
        let best = (0..visited.len()).rev().min_by(|a, b| cost(*a).total_cmp(&cost(*b)))?;
        if !cost(best).is_finite() {
            return None;
        }
        let mut edges = Vec::new();
        let mut at = visited[best];
        loop {
            let edge = distances.next[at] as usize;
            edges.push(edge);
            at = self.leads_to(edge)?;
            if at == to {
                return Some(Way { source: best, edges, cost: cost(best) });
            }
            if edges.len() > LONGEST {
                return None;
            }
        }
    }

    /// Ways to a node that arrive from different pages, the cheapest first. To a page that was visited, one leads from its visit, and
    /// one there again.
    pub fn ways(&self, visited: &[NodeIndex], to: NodeIndex, user: Option<&str>, most: usize) -> Vec<Way> {
        let mut ways: Vec<Way> = Vec::new();
        let mut doors: Vec<NodeIndex> = Vec::new();
        for &last in &self.into[to] {
            let Some((door, _)) = self.ends[last] else { continue };
            if doors.contains(&door) {
                continue;
            }
            doors.push(door);
            let Some(last) = self.edge_between(door, to) else { continue };
            let last_cost = self.cost(last, self.user_place(user));
            let here = visited.iter().rposition(|node| *node == door);
            let direct =
                here.map(|source| Way { source, edges: vec![last], cost: back(visited.len(), source) });
            let around = || {
                let mut way = self.way(visited, door, user).filter(|_| self.can_be_passed(door))?;
                way.edges.push(last);
                // Who passes the node on the way to it is there already.
                let again = way.edges[..way.edges.len() - 1].iter().any(|e| self.leads_to(*e) == Some(to));
                (!again).then_some(way)
            };
            // A page that was visited may have another content by now: to go there again is another way.
            let both = direct.into_iter().chain(around());
            ways.extend(both.map(|way| Way { cost: way.cost + last_cost, ..way }));
        }
        ways.sort_by(|a, b| a.cost.total_cmp(&b.cost).then_with(|| a.edges.cmp(&b.edges)));
        ways.truncate(most);
        ways
    }

    fn user_place(&self, user: Option<&str>) -> Option<usize> {
        user.and_then(|user| self.users.iter().position(|known| *known == user))
    }

    fn distances(&self, to: NodeIndex, user: Option<&str>) -> &Distances {
        let user = self.user_place(user);
        let at = to * (self.users.len() + 1) + user.map_or(0, |user| user + 1);
        self.to[at].get_or_init(|| self.measure(to, user))
    }

    /// From the target backwards (Dijkstra). The target itself is as far as the shortest way around.
    fn measure(&self, to: NodeIndex, user: Option<usize>) -> Distances {
        let count = self.site.nodes.len();
        let mut found = Distances { cost: vec![f64::INFINITY; count], next: vec![u32::MAX; count] };
        let mut open = BinaryHeap::new();
        let relax = |found: &mut Distances, open: &mut BinaryHeap<Open>, node: NodeIndex, so_far: f64| {
            for &edge in &self.into[node] {
                let Some((from, _)) = self.ends[edge] else { continue };
                let cost = so_far + self.cost(edge, user);
                if cost < found.cost[from] {
                    found.cost[from] = cost;
                    found.next[from] = edge as u32;
                    open.push(Open { cost, node: from });
                }
            }
        };
        relax(&mut found, &mut open, to, 0.0);
        while let Some(Open { cost, node }) = open.pop() {
            if cost > found.cost[node] || node == to || !self.can_be_passed(node) {
                continue;
            }
            relax(&mut found, &mut open, node, cost);
        }
        found
    }

    /// Whether a way may lead over a node: not where it answers with an error.
    fn can_be_passed(&self, node: NodeIndex) -> bool {
        self.site.nodes[node].status.is_none_or(|status| status < 400)
    }

    fn cost(&self, edge: usize, user: Option<usize>) -> f64 {
        let edge = &self.site.edges[edge];
        let for_others =
            user.is_some_and(|user| !edge.users.is_empty() && !edge.users.contains(self.users[user]));
        plain_cost(edge) + if for_others { OTHER_USER } else { 0.0 }
    }

    /// Who a user is after an edge.
    pub fn user_after<'u>(&self, edge: usize, before: Option<&'u str>) -> Option<&'u str>
    where
        's: 'u,
    {
        match self.edge(edge).becomes.as_deref() {
            Some(becomes) => Some(becomes),
            None => before,
        }
    }

    /// Who a user is when a session begins; none where the map knows no users.
    pub fn first_user(&self) -> Option<&'static str> {
        self.users.contains(&ANONYMOUS).then_some(ANONYMOUS)
    }
}

fn back(visited: usize, at: usize) -> f64 {
    match visited - 1 - at {
        0 => 0.0,
        pages => BACK + FURTHER_BACK * pages as f64,
    }
}

/// What a way costs whoever goes it: what a link costs is a request; what may change something is avoided.
fn plain_cost(edge: &SiteEdge) -> f64 {
    let kind = match edge.kind {
        EdgeKind::Redirect => 0.5,
        EdgeKind::Link => 1.0,
        EdgeKind::Submit if edge.request.method == "GET" => 1.5,
        EdgeKind::Frame | EdgeKind::Script => 3.0,
        EdgeKind::Submit => 4.0,
    };
    kind + if edge.becomes.is_some() { BECOMES } else { 0.0 }
}

/// A node that is to be looked at; the nearest comes first.
#[derive(PartialEq)]
struct Open {
    cost: f64,
    node: NodeIndex,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(nodes: &[&str], edges: &[(&str, &str, EdgeKind)]) -> Site {
        let node = |id: &&str| SiteNode { id: (*id).to_owned(), status: Some(200), ..SiteNode::default() };
        let edge = |(from, to, kind): &(&str, &str, EdgeKind)| SiteEdge {
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            kind: *kind,
            ..SiteEdge::default()
        };
        Site {
            nodes: nodes.iter().map(node).collect(),
            edges: edges.iter().map(edge).collect(),
            ..Site::default()
        }
    }

    /// Catches: a repair that sends a form where two links lead to the same page.
    #[test]
    fn links_come_before_forms_and_the_latest_page_before_an_older_one() {
        use EdgeKind::{Link, Submit};
        let site = site(
            &["home", "list", "book", "order"],
            &[
                ("home", "list", Link),
                ("list", "book", Link),
                ("home", "order", Submit),
                ("order", "book", Link),
            ],
        );
        let network = Network::new(&site);
        let ids = |names: &[&str]| names.iter().map(|n| network.place(n).unwrap()).collect::<Vec<_>>();
        let book = network.place("book").unwrap();
        let way = network.way(&ids(&["home"]), book, None).unwrap();
        assert_eq!(way.edges, [0, 1]);
        let way = network.way(&ids(&["list", "home"]), book, None).unwrap();
        assert_eq!((way.source, way.edges.as_slice()), (0, &[1][..]));
        let ways = network.ways(&ids(&["home"]), book, None, 9);
        assert_eq!(ways.iter().map(|w| w.edges.clone()).collect::<Vec<_>>(), [vec![0, 1], vec![2, 3]]);
        assert_eq!(network.way(&ids(&["book"]), book, None), None, "nothing leads back");
    }

    /// Catches: a form that a page has since the user logged in, and that its earlier visit lacked, is not looked for there again.
    #[test]
    fn a_page_that_was_visited_can_be_visited_again() {
        use EdgeKind::{Link, Submit};
        let site = site(
            &["home", "list", "out"],
            &[("home", "list", Link), ("list", "home", Link), ("home", "out", Submit)],
        );
        let ways = Network::new(&site).ways(&[0, 1], 2, None, 9);
        assert_eq!(ways.iter().map(|w| w.edges.clone()).collect::<Vec<_>>(), [vec![2], vec![1, 2]]);
    }

    /// Catches: a way that logs the user out because it is shorter.
    #[test]
    fn a_way_on_which_the_user_changes_is_the_last_one() {
        use EdgeKind::Link;
        let mut site = site(
            &["a", "out", "b", "c"],
            &[("a", "out", Link), ("out", "c", Link), ("a", "b", Link), ("b", "c", Link)],
        );
        site.edges[0].becomes = Some(ANONYMOUS.to_owned());
        let network = Network::new(&site);
        assert_eq!(network.way(&[0], 3, None).unwrap().edges, [2, 3]);
    }
}
