//! A map that restage built, as other programs read it, and back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::map_file::{MapEdge, MapNode, NodeId, SiteMap};
use crate::site::{Site, SiteEdge, SiteNode, SiteUser};

/// The version of what restage adds to a map.
const FORMAT: u64 = 1;

impl From<&Site> for SiteMap {
    fn from(site: &Site) -> Self {
        let text = |id: &String| NodeId::Text(id.clone());
        let mut other = Map::new();
        other.insert("restage".to_owned(), FORMAT.into());
        other.insert("users".to_owned(), serde_json::to_value(&site.users).unwrap_or_default());
        Self {
            home: site.home.as_ref().map(text),
            nodes: site
                .nodes
                .iter()
                .map(|node| MapNode {
                    id: text(&node.id),
                    dynamic: node.dynamic,
                    other: members(node, &["id", "dynamic"]),
                })
                .collect(),
            edges: site
                .edges
                .iter()
                .map(|edge| MapEdge {
                    from: text(&edge.from),
                    to: text(&edge.to),
                    other: members(edge, &["from", "to"]),
                })
                .collect(),
            other,
        }
    }
}

impl From<&SiteMap> for Site {
    /// What another tool wrote under names of restage's own is passed over: the graph is read all the same.
    fn from(map: &SiteMap) -> Self {
        let users: Option<Vec<SiteUser>> =
            map.other.get("users").and_then(|users| serde_json::from_value(users.clone()).ok());
        Self {
            home: map.home.as_ref().map(ToString::to_string),
            users: users.unwrap_or_default(),
            nodes: map
                .nodes
                .iter()
                .map(|node| {
                    let (id, dynamic) = (node.id.to_string(), node.dynamic);
                    let known = [("id", Value::from(id.clone())), ("dynamic", Value::from(dynamic))];
                    read(&node.other, known).unwrap_or(SiteNode { id, dynamic, ..SiteNode::default() })
                })
                .collect(),
            edges: map
                .edges
                .iter()
                .map(|edge| {
                    let (from, to) = (edge.from.to_string(), edge.to.to_string());
                    let known = [("from", Value::from(from.clone())), ("to", Value::from(to.clone()))];
                    read(&edge.other, known).unwrap_or(SiteEdge { from, to, ..SiteEdge::default() })
                })
                .collect(),
        }
    }
}

/// The members of a part of the map, but for those that every map has.
fn members(part: &impl Serialize, but: &[&str]) -> Map<String, Value> {
    let mut members = match serde_json::to_value(part) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    };
    for name in but {
        members.remove(*name);
    }
    members
}

fn read<T: DeserializeOwned>(other: &Map<String, Value>, known: [(&str, Value); 2]) -> Option<T> {
    let mut members = other.clone();
    members.extend(known.map(|(name, value)| (name.to_owned(), value)));
    serde_json::from_value(Value::Object(members)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{EdgeKind, NodeKind, RequestTemplate, SiteField};

    fn site() -> Site {
        let form = SiteNode {
            id: "POST /cart?book".to_owned(),
            dynamic: true,
            kind: NodeKind::Form,
            fields: vec![SiteField {
                name: "book".to_owned(),
                control: "hidden".to_owned(),
                choices: Vec::new(),
            }],
            ..SiteNode::default()
        };
        let home = SiteNode { id: "GET /".to_owned(), title: "Home".to_owned(), ..SiteNode::default() };
        let edge = SiteEdge {
            from: home.id.clone(),
            to: form.id.clone(),
            kind: EdgeKind::Submit,
            request: RequestTemplate {
                method: "POST".to_owned(),
                path: "/cart".to_owned(),
                ..RequestTemplate::default()
            },
            users: ["anonymous".to_owned()].into(),
            ..SiteEdge::default()
        };
        let user = SiteUser { name: "anonymous".to_owned(), session: None, steps: 0 };
        Site { home: Some("GET /".to_owned()), users: vec![user], nodes: vec![home, form], edges: vec![edge] }
    }

    /// Catches: a map that loses something on its way to a file and back.
    #[test]
    fn a_map_is_written_and_read_back() {
        let map = SiteMap::from(&site());
        let json = serde_json::to_vec(&map).unwrap();
        assert_eq!(Site::from(&SiteMap::parse(&json).unwrap()), site());
    }

    /// Catches: another tool's map that is refused since it uses a name of restage's own for something else.
    #[test]
    fn what_another_tool_means_by_a_name_does_no_harm() {
        let json = br#"{"nodes":[{"id":1,"kind":7,"users":"all"},{"id":"b"}],"edges":[{"from":1,"to":"b","kind":[]}],"users":3}"#;
        let site = Site::from(&SiteMap::parse(json).unwrap());
        assert_eq!(site.nodes[0].id, "1");
        assert_eq!((site.edges[0].from.as_str(), site.edges[0].to.as_str()), ("1", "b"));
    }
}
