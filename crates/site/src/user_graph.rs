//! What of a map each kind of user can go along, as a graph of its own.
//!
//! A way that logs her in or out ends it: what comes after that is another user's.

use std::collections::HashMap;

use crate::graph::{Graph, NodeIndex};
use crate::site::{EdgeKind, Site};

/// The graph of one kind of user.
#[derive(Clone, Debug)]
pub struct UserGraph {
    /// Her name.
    pub user: String,
    /// Where she can go. It begins at the home node, where that is there for her.
    pub graph: Graph,
    /// The place in the map of each of its nodes.
    pub nodes: Vec<usize>,
}

impl UserGraph {
    /// The ids of a path's nodes.
    pub fn ids<'s>(&self, site: &'s Site, path: &[NodeIndex]) -> Vec<&'s str> {
        path.iter().map(|node| site.nodes[self.nodes[*node]].id.as_str()).collect()
    }
}

/// The graphs of a map's users. Pages that nobody saw, or that were answered with an error, are left out, and so are requests of scripts.
pub fn user_graphs(site: &Site) -> Vec<UserGraph> {
    site.users.iter().map(|user| user_graph(site, &user.name)).collect()
}

fn user_graph(site: &Site, user: &str) -> UserGraph {
    let there = |place: &usize| {
        let node = &site.nodes[*place];
        node.users.contains(user) && node.status.is_some_and(|status| status < 400)
    };
    let nodes: Vec<usize> = (0..site.nodes.len()).filter(there).collect();
    let at: HashMap<&str, NodeIndex> =
        nodes.iter().enumerate().map(|(at, place)| (site.nodes[*place].id.as_str(), at)).collect();
    let ends: Vec<&str> = site
        .edges
        .iter()
        .filter(|edge| edge.becomes.as_deref().is_some_and(|becomes| becomes != user))
        .map(|edge| edge.to.as_str())
        .collect();
    let edges = site
        .edges
        .iter()
        .filter(|edge| {
            edge.users.contains(user) && edge.kind != EdgeKind::Script && !ends.contains(&edge.from.as_str())
        })
        .filter_map(|edge| Some((*at.get(edge.from.as_str())?, *at.get(edge.to.as_str())?)))
        .collect();
    let home = site.home.as_deref().and_then(|home| at.get(home).copied());
    let dynamic = nodes.iter().map(|place| site.nodes[*place].dynamic).collect();
    UserGraph { user: user.to_owned(), graph: Graph::new(dynamic, edges, home), nodes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{SiteEdge, SiteNode, SiteUser};

    /// Catches: a sequence that goes on as an administrator after it has logged out, or that visits a page which is not there.
    #[test]
    fn each_user_has_her_own_ways_and_they_end_where_she_is_another() {
        let users = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let node = |id: &str, status, who: &[&str]| SiteNode {
            id: id.to_owned(),
            dynamic: true,
            status,
            users: users(who),
            ..SiteNode::default()
        };
        let edge = |from: &str, to: &str, who: &[&str], becomes: Option<&str>| SiteEdge {
            from: from.to_owned(),
            to: to.to_owned(),
            users: users(who),
            becomes: becomes.map(str::to_owned),
            ..SiteEdge::default()
        };
        let user = |name: &str| SiteUser { name: name.to_owned(), session: None, steps: 0 };
        let site = Site {
            home: Some("/".to_owned()),
            users: vec![user("anonymous"), user("s1")],
            nodes: vec![
                node("/", Some(200), &["anonymous", "s1"]),
                node("/admin", Some(200), &["s1"]),
                node("/out", Some(302), &["s1"]),
                node("/gone", Some(404), &["anonymous"]),
                node("/far", None, &["anonymous"]),
            ],
            edges: vec![
                edge("/", "/admin", &["s1"], None),
                edge("/", "/out", &["s1"], Some("anonymous")),
                edge("/out", "/", &["s1"], None),
                edge("/", "/gone", &["anonymous"], None),
                edge("/", "/far", &["anonymous"], None),
                edge("/", "/", &["anonymous"], None),
            ],
        };
        let graphs = user_graphs(&site);
        assert_eq!(graphs[0].graph.edges, [(0, 0)]);
        assert_eq!(graphs[1].ids(&site, &[0, 1, 2]), ["/", "/admin", "/out"]);
        assert_eq!(graphs[1].graph.edges, [(0, 1), (0, 2)]);
        assert_eq!(graphs[1].graph.home, Some(0));
    }
}
