//! What is found: which node became which, and which field.

use std::collections::HashMap;

use serde::Serialize;

use crate::correspondence::evidence::Reason;
use crate::correspondence::fields::FieldReason;

/// Which nodes of a newer map are those of an older one. No new node is two old ones.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Correspondence {
    /// What became of each old node, in the old map's order.
    pub nodes: Vec<NodeMatch>,
    #[serde(skip)]
    by_old: HashMap<String, usize>,
    #[serde(skip)]
    by_new: HashMap<String, usize>,
}

/// What became of an old node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeMatch {
    /// Its id in the old map.
    pub old: String,
    /// The id of the node that it is in the new map; none where it is gone, or none is like enough.
    pub new: Option<String>,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
    /// Why, the strongest reason first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Of a form: what became of each of its fields, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldMatch>,
}

/// What became of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldMatch {
    /// Its name in the old form.
    pub old: String,
    /// Its name in the new one; none where it is gone, or none is like enough.
    pub new: Option<String>,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
    /// Why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<FieldReason>,
}

impl Correspondence {
    pub(crate) fn new(nodes: Vec<NodeMatch>) -> Self {
        let (mut by_old, mut by_new) = (HashMap::new(), HashMap::new());
        for (place, found) in nodes.iter().enumerate() {
            by_old.entry(found.old.clone()).or_insert(place);
            if let Some(new) = &found.new {
                by_new.entry(new.clone()).or_insert(place);
            }
        }
        Self { nodes, by_old, by_new }
    }

    /// What became of an old node, by its id; none where the old map has no such node.
    pub fn of_old(&self, old: &str) -> Option<&NodeMatch> {
        self.by_old.get(old).map(|&place| &self.nodes[place])
    }

    /// The old node that became a new one, by the new one's id.
    pub fn of_new(&self, new: &str) -> Option<&NodeMatch> {
        self.by_new.get(new).map(|&place| &self.nodes[place])
    }

    /// The id that an old node has now.
    pub fn new_id(&self, old: &str) -> Option<&str> {
        self.of_old(old).and_then(|found| found.new.as_deref())
    }
}
