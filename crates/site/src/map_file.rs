//! The map as other programs read and write it: `{"home": ID, "nodes": [{"id", "dynamic", …}], "edges": [{"from", "to", …}]}`.
//!
//! Members that restage does not know are kept, so that a bare graph drawn by hand or by another tool will do, and loses nothing.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// What a map calls a node: a text, or a number as other tools give them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged, expecting = "an id is a text or a whole number")]
pub enum NodeId {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A page, or a form of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapNode {
    /// Its name in the map.
    pub id: NodeId,
    /// Whether the server computes it; only such nodes interact (paper 5, section 3.1). Where a map does not say, it does.
    #[serde(default = "computed")]
    pub dynamic: bool,
    /// What else the map says of it.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A way from one node to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapEdge {
    /// Where it begins.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// What else the map says of it.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteMap {
    /// The node that users begin from, where the map names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<NodeId>,
    /// Its nodes.
    pub nodes: Vec<MapNode>,
    /// Its edges.
    pub edges: Vec<MapEdge>,
    /// What else it says.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What is wrong with a map.
#[derive(Debug, Error)]
pub enum MapError {
    /// It is not JSON, or lacks what a map has.
    #[error(
        "this is no map: {0}\n  hint: a map is {{\"home\": ID, \"nodes\": [{{\"id\": ID, \"dynamic\": true}}, …], \"edges\": [{{\"from\": ID, \"to\": ID}}, …]}}"
    )]
    NoMap(#[from] serde_json::Error),
    /// Two nodes have the same id.
    #[error("nodes {first} and {second} have the same id, `{id}`\n  hint: each node needs an id of its own")]
    SameId {
        /// The id.
        id: NodeId,
        /// The first node's place, from 1.
        first: usize,
        /// The second's.
        second: usize,
    },
    /// An edge begins or ends nowhere.
    #[error("edge {edge} {role} `{id}`, and no node has this id\n  hint: add the node, or remove the edge")]
    NoSuchNode {
        /// The edge's place, from 1.
        edge: usize,
        /// Which end of it.
        role: &'static str,
        /// The id.
        id: NodeId,
    },
    /// The home node is none of the nodes.
    #[error("\"home\" is `{0}`, and no node has this id\n  hint: name the node that users begin from")]
    NoHome(NodeId),
}

impl SiteMap {
    /// Reads a map. Every edge of it begins and ends at a node of it.
    pub fn parse(json: &[u8]) -> Result<Self, MapError> {
        let map: Self = serde_json::from_slice(json)?;
        map.places()?;
        Ok(map)
    }

    /// The place of each node, by its id; an error where the map contradicts itself.
    pub(crate) fn places(&self) -> Result<HashMap<&NodeId, usize>, MapError> {
        let mut places = HashMap::new();
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some(first) = places.insert(&node.id, place) {
                return Err(MapError::SameId { id: node.id.clone(), first: first + 1, second: place + 1 });
            }
        }
        for (number, edge) in self.edges.iter().enumerate() {
            for (role, id) in [("comes from", &edge.from), ("leads to", &edge.to)] {
                if !places.contains_key(id) {
                    return Err(MapError::NoSuchNode { edge: number + 1, role, id: id.clone() });
                }
            }
        }
        match &self.home {
            Some(home) if !places.contains_key(home) => Err(MapError::NoHome(home.clone())),
            _ => Ok(places),
        }
    }
}

fn computed() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a map of another tool that loses what only that tool knows.
    #[test]
    fn what_is_not_known_is_kept() {
        let json = r#"{"home":"a","nodes":[{"id":"a","dynamic":false,"title":"Home"},{"id":7,"dynamic":true}],"edges":[{"from":"a","to":7,"label":{"de":"x"}}],"made_by":"hand"}"#;
        let map = SiteMap::parse(json.as_bytes()).unwrap();
        let again: Value = serde_json::to_value(&map).unwrap();
        assert_eq!(again, serde_json::from_str::<Value>(json).unwrap());
    }

    /// Catches: a map that contradicts itself is walked all the same, or the message does not say where.
    #[test]
    fn what_is_wrong_is_named() {
        for (json, expected) in [
            ("[]", "this is no map"),
            (r#"{"nodes":[{"id":1.5}],"edges":[]}"#, "an id is a text or a whole number"),
            (r#"{"nodes":[{"id":1},{"id":1}],"edges":[]}"#, "nodes 1 and 2 have the same id, `1`"),
            (r#"{"nodes":[{"id":1}],"edges":[{"from":1,"to":"x"}]}"#, "edge 1 leads to `x`"),
            (r#"{"home":"h","nodes":[],"edges":[]}"#, "\"home\" is `h`"),
        ] {
            let error = SiteMap::parse(json.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("hint:"), "{error}");
        }
    }
}
