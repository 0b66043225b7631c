//! What a node of the old map is on the new one.

use std::collections::HashMap;

use crate::correspondence::Correspondence;
use crate::site::Site;

/// What a node of the old map may be on the new one.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterpart {
    /// The new node's id.
    pub node: String,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
    /// Which of its fields are which of the old one's, where their names differ.
    pub fields: Vec<FieldCounterpart>,
}

/// A field of a form that has another name now.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldCounterpart {
    /// Its name on the old map.
    pub was: String,
    /// Its name on the new one.
    pub is: String,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
}

/// What the nodes of the old map are on the new one, the best guess first. A node without a guess is gone.
#[derive(Clone, Debug, Default)]
pub struct Counterparts {
    by_old: HashMap<String, Vec<Counterpart>>,
}

impl Counterparts {
    /// Every node is what has the same name, and nothing else is known.
    pub fn by_name(old: &Site, new: &Site) -> Self {
        let there: std::collections::HashSet<&str> = new.nodes.iter().map(|node| node.id.as_str()).collect();
        let mut counterparts = Self::default();
        for node in old.nodes.iter().filter(|node| there.contains(node.id.as_str())) {
            counterparts.add(&node.id, Counterpart::same(&node.id));
        }
        counterparts
    }

    /// Adds a guess; the best comes first.
    pub fn add(&mut self, old: &str, counterpart: Counterpart) {
        let known = self.by_old.entry(old.to_owned()).or_default();
        if known.iter().any(|other| other.node == counterpart.node) {
            return;
        }
        let place = known.partition_point(|other| other.confidence >= counterpart.confidence);
        known.insert(place, counterpart);
    }

    /// What a node may be, the best guess first.
    pub fn of(&self, old: &str) -> &[Counterpart] {
        self.by_old.get(old).map_or(&[], Vec::as_slice)
    }
}

impl From<&Correspondence> for Counterparts {
    fn from(found: &Correspondence) -> Self {
        let mut counterparts = Self::default();
        for node in &found.nodes {
            let Some(new) = &node.new else { continue };
            let renamed = node.fields.iter().filter_map(|field| {
                let is = field.new.clone().filter(|new| *new != field.old)?;
                Some(FieldCounterpart { was: field.old.clone(), is, confidence: field.confidence })
            });
            let counterpart =
                Counterpart { node: new.clone(), confidence: node.confidence, fields: renamed.collect() };
            counterparts.add(&node.old, counterpart);
        }
        counterparts
    }
}

impl Counterpart {
    /// The node of the same name.
    pub fn same(id: &str) -> Self {
        Self { node: id.to_owned(), confidence: 1.0, fields: Vec::new() }
    }
}
